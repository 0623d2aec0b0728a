"""Reads along the clocks: what differs between two points of them, when things change, and what was written."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from ninja import Query

from brain import compare, journal
from brain import timeline as timelines
from brain.models import Operation
from brain.time import AsOf
from dashboard.api.answers import fact_json, instant, read_json
from dashboard.api.auth import Caller
from dashboard.api.clocks import clocks, cut, refuse_choice
from dashboard.api.errors import Refusal
from dashboard.api.gate import ApiRequest
from dashboard.api.paging import Page, Position, listed, page_of
from dashboard.api.queries import DiffQuery, OperationsQuery, TimelineQuery
from dashboard.api.reads import existing
from dashboard.api.routing import router
from dashboard.api.shapes import Diff, Operations
from dashboard.api.shapes import Operation as OperationShape
from dashboard.api.shapes import Timeline as TimelineShape


@router.get("/diff", response=Diff, operation_id="diff")
def list_changes(request: ApiRequest, given: Query[DiffQuery]) -> HttpResponse:
    """The keys whose answer differs, by value and expiry, between two points of the two clocks."""
    caller, scope = request.caller, request.caller.within(given.scope)
    given.start, given.end = cut(caller, given.start) or 0, cut(caller, given.end)
    page = page_of(request, given)
    start = _start(caller, given, page)

    def changes(at: AsOf, after: Position | None = None) -> Any:
        return compare.diff(
            caller.reader, start, at, scope=scope, recursive=given.recursive, subject=given.subject, after=after
        )

    def fetch(at: AsOf, after: Position | None, limit: int) -> tuple[list[dict[str, Any]], Position | None]:
        found = list(islice(changes(at, after[1:] if after else None), limit + 1))
        following = [start.known_at, *found[limit - 1].position] if len(found) > limit else None
        return [_change(change) for change in found[:limit]], following

    def totals(at: AsOf) -> dict[str, Any]:
        counts = compare.counts(changes(at))
        return {"total": sum(counts.values()), "counts": counts}

    return listed(request, given, page, fetch, totals)


def _start(caller: Caller, given: DiffQuery, page: Page) -> AsOf:
    """The earlier point, whose K the first page fixes as well; by default it is the later point's."""
    if page.after is not None:
        return AsOf(given.start, page.after[0], latest=False)
    refuse_choice(caller, None, given.known_from)
    if given.known_from is None and given.known_to is None:
        return AsOf(given.start, page.clocks.at.known_at, latest=page.clocks.at.latest)
    return journal.resolve(given.start, given.known_from)


def _change(change: compare.Change) -> dict[str, Any]:
    return {
        "scope": change.scope,
        "subject": change.subject,
        "predicate": change.predicate,
        "change": change.change,
        "before": change.before and fact_json(change.before),
        "after": change.after and fact_json(change.after),
    }


@router.get("/timeline", response=TimelineShape, by_alias=True, operation_id="timeline")
def get_timeline(request: ApiRequest, given: Query[TimelineQuery]) -> HttpResponse:
    """How many facts were learned and ended in each stretch of time, and which stretches were erased."""
    caller, scope = request.caller, request.caller.within(given.scope)
    start, end = cut(caller, given.start), cut(caller, given.end)
    if start is not None and end is not None and end < start:
        raise Refusal.invalid([("to", "must not lie before from")])
    found = timelines.timeline(
        caller.reader,
        clocks(caller, given.as_of, given.known_at).at,
        start=start,
        end=end,
        buckets=given.buckets,
        scope=scope,
        recursive=given.recursive,
    )
    answer = {
        "buckets": [
            {"from": instant(part.start), "to": instant(part.end), "learned": part.learned, "ended": part.ended}
            for part in found.buckets
        ],
        "first": instant(found.first),
        "last": instant(found.last),
        "erased": [{"from": instant(begin), "to": instant(end)} for begin, end in found.erased],
    }
    counts = [(part.learned, part.ended) for part in found.buckets]  # their edges move with the clock
    return read_json(request, answer, [counts, answer["first"], answer["last"], answer["erased"], start, end])


@router.get("/operations", response=Operations, operation_id="list_operations")
def list_operations(request: ApiRequest, given: Query[OperationsQuery]) -> HttpResponse:
    """The journal, newest first: who did what and why."""
    reader = replace(request.caller.reader, scope=request.caller.within(given.scope))
    page = page_of(request, given)

    def rows(at: AsOf) -> QuerySet[Operation]:
        found = journal.operations(reader, kind=given.kind, actor=given.actor, start=given.start, end=given.end)
        return found.filter(id__lte=at.known_at, **({} if given.recursive else {"scope": reader.scope}))

    def fetch(at: AsOf, after: Position | None, limit: int) -> tuple[list[dict[str, Any]], Position | None]:
        found = rows(at) if after is None else rows(at).filter(id__lt=after[0])
        items = list(found[: limit + 1])
        return [_operation(row) for row in items[:limit]], [items[limit - 1].pk] if len(items) > limit else None

    return listed(request, given, page, fetch, lambda at: {"total": rows(at).count()})


@router.get("/operations/{int:operation_id}", response=OperationShape, operation_id="get_operation")
def get_operation(request: ApiRequest, operation_id: int) -> HttpResponse:
    row = journal.operations(request.caller.reader).filter(id=existing(operation_id)).first()
    if row is None:
        raise Refusal("not_found", f"there is no operation {operation_id}")
    answer = _operation(row)
    return read_json(request, answer, answer)


def _operation(row: Operation) -> dict[str, Any]:
    return {
        "id": row.pk,
        "at": instant(row.at),
        "kind": row.kind,
        "actor": row.actor,
        "reason": row.reason,
        "counts": row.counts,
        "hash": row.hash,
    }
