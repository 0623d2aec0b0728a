"""GET /search: facts by words or by meaning, among those that a recall at that instant would return."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpResponse
from ninja import Query
from pydantic import Field

from brain.search import MODES, Found, search
from dashboard.api.agent_shapes import Hits
from dashboard.api.answers import encode, fact_json, instant, read_answer
from dashboard.api.clocks import clocks
from dashboard.api.embedding import backend
from dashboard.api.fields import Value
from dashboard.api.gate import ApiRequest
from dashboard.api.leaving import leave_receipt
from dashboard.api.paging import Narrowed
from dashboard.api.routing import router


class SearchQuery(Narrowed):
    q: Value
    mode: Literal[MODES] = "text"  # type: ignore[valid-type]
    limit: Annotated[int, Field(ge=1, le=500)] = 20


@router.get("/search", response=Hits, operation_id="search")
def search_facts(request: ApiRequest, given: Query[SearchQuery]) -> HttpResponse:
    """The best matches first; a score says nothing beside another query's."""
    caller, scope = request.caller, request.caller.within(given.scope)
    when = clocks(caller, given.as_of, given.known_at)
    found = search(
        given.q,
        at=when.at,
        reader=caller.reader,
        scope=scope,
        recursive=given.recursive,
        mode=given.mode,
        limit=given.limit,
        embedding=None if given.mode == "text" else backend(),
    )
    receipt = leave_receipt(caller, scope, _question(given), when.at, [hit.fact.id for hit in found])
    items = [_hit(hit) for hit in found]
    answer = {"items": items, "as_of": instant(when.at.as_of), "known_at": instant(when.known_at), "receipt": receipt}
    return read_answer(request, encode(answer), encode(items), receipt=receipt)


def _hit(hit: Found) -> dict[str, Any]:
    return {"fact": fact_json(hit.fact), "score": hit.score}


def _question(given: SearchQuery) -> dict[str, Any]:
    """What was asked, as a receipt keeps it."""
    named = given.model_dump(exclude_unset=True, exclude={"limit"})
    return {"kind": "search", "mode": given.mode, "recursive": given.recursive, **named}
