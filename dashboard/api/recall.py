"""GET and POST /recall: what a subject's keys say, with a receipt; the hot path, encoded once."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from ninja import Body, Query

from brain.recall import Recall, recall, recall_many
from brain.time import AsOf
from dashboard.api.answers import encode, facts_json, instant, read_answer
from dashboard.api.auth import Caller
from dashboard.api.clocks import clocks, refuse_choice, shown
from dashboard.api.gate import ApiRequest, takes
from dashboard.api.leaving import leave_receipt
from dashboard.api.queries import RecallBody, RecallQuery
from dashboard.api.routing import router
from dashboard.api.shapes import Recalled, RecalledMany


@router.get("/recall", response=Recalled, operation_id="recall")
@takes(RecallQuery)
def recall_one(request: ApiRequest, given: Query[RecallQuery]) -> HttpResponse:
    """What holds for a subject at one instant. No record is an empty answer."""
    caller = request.caller
    answer, known_at = _recalled(caller, given)
    when = AsOf(answer.as_of, answer.known_at, latest=False)
    receipt = leave_receipt(caller, answer.scope, _question(given), when, [fact.id for fact in answer.facts])
    found = encode(
        {
            "facts": facts_json(answer.facts),
            "claims": facts_json(answer.claims),
            "history_complete": answer.history_complete,
            "forgotten_before": instant(answer.forgotten_before),
            "similar": answer.similar,
        }
    )
    asked = {"subject": answer.subject, "scope": answer.scope}
    rest = asked | {"as_of": instant(answer.as_of), "known_at": instant(known_at), "receipt": receipt}
    body = b"%s,%s" % (encode(rest)[:-1], found[1:])  # one object of both
    return read_answer(request, body, found, receipt=receipt)


def _recalled(caller: Caller, given: RecallQuery) -> tuple[Recall, int]:
    """The answer, and its K as answers show it. Without instants the brain reads its clocks in the same statement."""
    scope = caller.within(given.scope)
    refuse_choice(caller, given.as_of, given.known_at)
    at = None
    if given.as_of is not None or given.known_at is not None:
        at = clocks(caller, given.as_of, given.known_at).at
    answer = recall(
        given.subject,
        at=at,
        reader=caller.reader,
        scope=scope,
        recursive=given.recursive,
        predicate=given.predicate,
    )
    when = AsOf(answer.as_of, answer.known_at, latest=False)
    return answer, shown(when, given.as_of, given.known_at, caller)


@router.post("/recall", response=RecalledMany, operation_id="recall_many")
def recall_several(request: ApiRequest, given: Body[RecallBody]) -> HttpResponse:
    """What holds for up to a hundred subjects at one instant; `incomplete` names those whose answer was erased."""
    caller, scope = request.caller, request.caller.within(given.scope)
    when = clocks(caller, given.as_of, given.known_at)
    answer = recall_many(
        list(dict.fromkeys(given.subjects)),
        at=when.at,
        reader=caller.reader,
        scope=scope,
        recursive=given.recursive,
        predicate=given.predicate,
    )
    ids = [fact.id for facts in answer.results.values() for fact in facts]
    at = AsOf(answer.as_of, answer.known_at, latest=False)
    receipt = leave_receipt(caller, scope, _question(given), at, ids)
    found = {
        "results": {subject: facts_json(facts) for subject, facts in answer.results.items()},
        "incomplete": {subject: instant(until) for subject, until in answer.incomplete.items()},
    }
    body = {"as_of": instant(answer.as_of), "known_at": instant(when.known_at), **found, "receipt": receipt}
    return read_answer(request, encode(body), encode(found), receipt=receipt)


def _question(given: RecallQuery | RecallBody) -> dict[str, Any]:
    """What was asked, as a receipt keeps it: only what the caller named."""
    return {"kind": "recall", **given.model_dump(exclude_unset=True)}
