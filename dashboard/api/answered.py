"""Receipts: what agents asked and were served, what they then said, and what has become of it."""

from __future__ import annotations

from typing import Annotated, Any

from django.db.models import Q, QuerySet
from django.http import HttpResponse
from ninja import Body as BodyOf
from ninja import Query
from pydantic import Field

from brain import receipts
from brain.models import Operation, Receipt
from brain.sentences import sentence
from brain.time import AsOf
from brain.verdicts import Explained, explain
from dashboard.api import agent_shapes as shapes
from dashboard.api.answers import WriteAnswer, fact_json, facts_json, instant, read_json, write_answer
from dashboard.api.clocks import cut
from dashboard.api.fields import Body, Id, Instant, Subject, Value, Writer
from dashboard.api.gate import ApiRequest
from dashboard.api.paging import Paged, Position, listed, page_of
from dashboard.api.routing import router

INSTANTS = ("as_of", "known_at")  # of a question: epoch milliseconds as it is kept


class ReceiptsQuery(Paged):
    agent: Writer | None = None
    subject: Subject | None = None
    fact: Id | None = None
    start: Annotated[Instant | None, Field(alias="from")] = None
    end: Annotated[Instant | None, Field(alias="to")] = None
    q: Value | None = None

    @property
    def as_of(self) -> int | None:
        return None

    @property
    def known_at(self) -> int | str | None:
        return None


@router.get("/receipts", response=shapes.Receipts, operation_id="list_receipts")
def list_receipts(request: ApiRequest, given: Query[ReceiptsQuery]) -> HttpResponse:
    """What agents read and said, newest first; without audit:read, the caller's own."""
    caller, page = request.caller, page_of(request, given)

    def rows(at: AsOf) -> QuerySet[Receipt]:
        found = receipts.listing(
            caller.reader,
            own=caller.name,
            agent=given.agent,
            subject=given.subject,
            fact=given.fact,
            start=given.start,
            end=cut(caller, given.end),
            q=given.q,
        )
        return found.filter(at__lte=at.as_of)

    def fetch(at: AsOf, after: Position | None, limit: int) -> tuple[list[dict[str, Any]], Position | None]:
        found = rows(at) if after is None else rows(at).filter(Q(at=after[0], id__gt=after[1]) | Q(at__lt=after[0]))
        items = list(found[: limit + 1])
        following = [items[limit - 1].at, items[limit - 1].pk] if len(items) > limit else None
        return [receipt_json(item) for item in items[:limit]], following

    return listed(request, given, page, fetch, lambda at: {"total": rows(at).count()})


def receipt_json(receipt: Receipt) -> dict[str, Any]:
    return {
        "id": receipt.pk,
        "at": instant(receipt.at),
        "agent": receipt.agent,
        "scope": receipt.scope,
        "query": {name: _shown(name, value) for name, value in receipt.query.items()},
        "as_of": instant(receipt.as_of),
        "known_at": instant(_known_at(receipt)),
        "fact_ids": receipt.fact_ids,
        "answer": receipt.answer,
        "answered_at": instant(receipt.answered_at),
        "erased": receipt.erased,
    }


def _shown(name: str, value: object) -> object:
    return instant(value) if name in INSTANTS and isinstance(value, int) else value


def _known_at(receipt: Receipt) -> int:
    """K as an instant: the one that was named, that of the operation that was named, or when it was read."""
    named = receipt.query.get("known_at")
    if isinstance(named, int):
        return named
    if named is not None:
        return Operation.objects.filter(pk=receipt.known_at).values_list("at", flat=True).first() or receipt.at
    return receipt.at if receipt.query.get("as_of") is not None else receipt.as_of


@router.get("/receipts/{receipt_id}", response=shapes.Explained, operation_id="get_receipt")
def get_receipt(request: ApiRequest, receipt_id: str) -> HttpResponse:
    """One receipt explained: what was served then, what stands there now, and the verdict."""
    caller = request.caller
    receipt = receipts.receipt(receipt_id, caller.reader, own=caller.name)
    answer = explained_json(explain(receipt, caller.reader))
    return read_json(request, answer, answer)


def explained_json(explained: Explained) -> dict[str, Any]:
    return {
        **receipt_json(explained.receipt),
        "facts": [
            {
                "fact": told.fact,
                "then": told.then and fact_json(told.then),
                "held": told.held and fact_json(told.held),
                "now": told.now and fact_json(told.now),
            }
            for told in explained.told
        ],
        "found": facts_json(explained.found),
        "verdict": explained.verdict,
        "supported": explained.supported,
        "explanation": sentence(explained),
    }


class AnswerBody(Body):
    text: Value


@router.post("/receipts/{receipt_id}/answer", response=shapes.Receipt, operation_id="answer_receipt")
def post_answer(request: ApiRequest, receipt_id: str, body: BodyOf[AnswerBody]) -> WriteAnswer:
    """Stores what the agent said with what it was served: once, by the same agent."""
    receipt = receipts.answer(receipt_id, body.text, agent=request.caller.name)
    return write_answer(receipt_json(receipt), operation_id=None)
