"""The lists of facts: what holds, each key's history, one fact and its chain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from ninja import Query

from brain import keyset, listing
from brain.history import ORDER as HISTORY_ORDER
from brain.history import history
from brain.models import Fact, Operation
from brain.querysets import FactQuerySet
from brain.time import AsOf
from dashboard.api.answers import described, instant, read_json
from dashboard.api.auth import Caller
from dashboard.api.clocks import clocks
from dashboard.api.errors import Refusal
from dashboard.api.fields import LARGEST
from dashboard.api.gate import ApiRequest
from dashboard.api.paging import PagedAndTimed, Position, Timed, listed, page_of, sliced
from dashboard.api.queries import FactsQuery, HistoryQuery
from dashboard.api.routing import router
from dashboard.api.shapes import Chain, Facts, History
from dashboard.api.shapes import Fact as FactShape

LONGEST = 2_000  # characters of a position in a cursor
ROW = "\x00row"  # begins a shortened position; no text of a fact holds it


def existing(number: int) -> int:
    """An id from a path; one that no database can hold names nothing."""
    if number > LARGEST:
        raise Refusal("not_found", f"there is no {number}")
    return number


@router.get("/facts", response=Facts, operation_id="list_facts")
def list_facts(request: ApiRequest, given: Query[FactsQuery]) -> HttpResponse:
    """The facts of one status that match every filter; texts match case-folded."""
    caller, scope = request.caller, request.caller.within(given.scope)
    page = page_of(request, given)

    def rows(at: AsOf) -> FactQuerySet:
        return listing.facts(caller.reader, at, scope=scope, recursive=given.recursive, **given.narrowing())

    def fetch(at: AsOf, after: Position | None, limit: int) -> tuple[list[dict[str, Any]], Position | None]:
        found, following = keyset.page(rows(at), given.order, _spelt(after, rows(at), given.order), limit)
        return described(found, at, caller.reader), _short(following, found)

    return listed(request, given, page, fetch, lambda at: {"total": rows(at).count()})


def _short(following: Position | None, found: Sequence[Fact]) -> Position | None:
    """A position that fits into an address: a row by its number where its texts are long."""
    long = following is not None and sum(len(str(part)) for part in following) > LONGEST
    return [ROW, found[-1].pk] if long else following


def _spelt(after: Position | None, rows: FactQuerySet, order: str) -> Position | None:
    """What `_short` shortened, in full. Raises Refusal where the row has gone since."""
    if after is None or after[0] != ROW:
        return after
    ordered, fields, _ = keyset.ordered(rows.filter(pk=after[1]), order)
    row = ordered.first()
    if row is None:
        raise Refusal.invalid([("cursor", "the fact where the page before ended is gone; begin again")])
    return keyset.position(row, fields)


@router.get("/facts/{int:fact_id}", response=FactShape, operation_id="get_fact")
def get_fact(request: ApiRequest, fact_id: int, given: Query[Timed]) -> HttpResponse:
    """One fact as at an instant: its latest saying."""
    caller = request.caller
    at = clocks(caller, given.as_of, given.known_at).at
    row = listing.fact(existing(fact_id), at, caller.reader)
    answer = described([row], at, caller.reader)[0]
    return read_json(request, answer, answer)


@router.get("/facts/{int:fact_id}/chain", response=Chain, operation_id="get_chain")
def get_chain(request: ApiRequest, fact_id: int, given: Query[PagedAndTimed]) -> HttpResponse:
    """Every saying of the fact's key, oldest first, with the operations that touched each."""
    caller = request.caller
    page = page_of(request, given)

    def fetch(at: AsOf, after: Position | None, limit: int) -> tuple[list[dict[str, Any]], Position | None]:
        found, following = sliced(listing.chain(existing(fact_id), at, caller.reader), after, limit)
        return _links(found, at, caller), following

    return listed(request, given, page, fetch, lambda at: {"total": len(listing.chain(fact_id, at, caller.reader))})


def _links(rows: Sequence[Fact], at: AsOf, caller: Caller) -> list[dict[str, Any]]:
    touched = listing.touches(rows, at, caller.reader)
    shown = described(rows, at, caller.reader)
    return [
        fact | {"operations": [_touch(operation) for operation in touched[row.pk]]}
        for fact, row in zip(shown, rows, strict=True)
    ]


def _touch(operation: Operation) -> dict[str, Any]:
    return {
        "id": operation.pk,
        "at": instant(operation.at),
        "kind": operation.kind,
        "actor": operation.actor,
        "reason": operation.reason,
    }


@router.get("/history", response=History, operation_id="history")
def list_history(request: ApiRequest, given: Query[HistoryQuery]) -> HttpResponse:
    """Every saying of the keys asked for, oldest first, retracted ones and claims included."""
    caller, scope = request.caller, request.caller.within(given.scope)
    page = page_of(request, given)

    def rows(at: AsOf) -> FactQuerySet:
        return history(
            caller.reader,
            at,
            scope=scope,
            recursive=given.recursive,
            subject=given.subject,
            predicate=given.predicate,
        )

    def fetch(at: AsOf, after: Position | None, limit: int) -> tuple[list[dict[str, Any]], Position | None]:
        found = rows(at)
        if after is not None:
            found = found.filter(keyset.beyond(HISTORY_ORDER, after, reverse=False))
        items = list(found[: limit + 1])
        following = keyset.position(items[limit - 1], HISTORY_ORDER) if len(items) > limit else None
        return _sayings(items[:limit], at, caller), following

    return listed(request, given, page, fetch, lambda at: {"total": rows(at).count()})


def _sayings(rows: Sequence[Fact], at: AsOf, caller: Caller) -> list[dict[str, Any]]:
    """Histories with who recorded each saying and why, where the reader may see that it was recorded."""
    shown = described(rows, at, caller.reader)
    return [
        fact
        | {
            "actor": None if fact["recorded_at"] is None else row.recorded_in.actor,
            "reason": None if fact["recorded_at"] is None else row.recorded_in.reason,
        }
        for fact, row in zip(shown, rows, strict=True)
    ]
