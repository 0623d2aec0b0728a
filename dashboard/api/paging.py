"""A list is paged by key set: its first page fixes both instants, and a cursor goes on only where it came from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Protocol

from django.core import signing
from django.db.models import QuerySet
from django.http import HttpResponse
from pydantic import Field

from brain import journal
from brain.time import AsOf
from dashboard.api.answers import encode, instant, read_json
from dashboard.api.clocks import Clocks, clocks, refuse_choice
from dashboard.api.errors import Refusal
from dashboard.api.fields import Flag, Instant, Parameters, Point, Scope
from dashboard.api.gate import ApiRequest

SALT = "palimpsest.cursor"
BARE = frozenset({"limit", "cursor", "count", "as_of", "known_at"})  # not part of what a list is filtered by

Position = Sequence[Any]
Fetch = Callable[[AsOf, Position | None, int], tuple[list[dict[str, Any]], Position | None]]


class Paged(Parameters):
    limit: Annotated[int, Field(ge=1, le=500)] = 50
    cursor: Annotated[str, Field(min_length=1)] | None = None
    count: Flag = False


class Timed(Parameters):
    as_of: Instant | None = None
    known_at: Point | None = None


class Narrowed(Timed):
    """What every read of more than one fact takes."""

    scope: Scope | None = None
    recursive: Flag = True


class PagedAndTimed(Timed, Paged):
    pass


class Listed(Narrowed, PagedAndTimed):
    pass


class Walk(Protocol):
    """What a list must be asked with to be paged."""

    limit: int
    cursor: str | None
    count: bool

    @property
    def as_of(self) -> int | None: ...
    @property
    def known_at(self) -> int | str | None: ...
    def model_dump(self, *, exclude: set[str]) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Page:
    """Where a page of a list begins, and how the next one is named."""

    clocks: Clocks
    after: Position | None
    bound: str
    asked: tuple[int | None, int | str | None]

    def cursor(self, position: Position | None) -> str | None:
        if position is None:
            return None
        at = self.clocks.at
        content = [self.bound, self.asked, at.as_of, at.known_at, self.clocks.known_at, list(position)]
        return signing.dumps(content, salt=SALT, compress=True)


def page_of(request: ApiRequest, given: Walk) -> Page:
    """The page asked for. Raises Refusal where the cursor belongs to another list, caller, filter or instant."""
    caller, asked = request.caller, (given.as_of, given.known_at)
    bound = _bound(request, given)
    if given.cursor is None:
        return Page(clocks(caller, *asked), None, bound, asked)
    refuse_choice(caller, *asked)
    try:
        theirs, first, as_of, known_at, shown, after = signing.loads(given.cursor, salt=SALT)
    except (signing.BadSignature, ValueError):
        raise Refusal.invalid([("cursor", "is not one of ours")]) from None
    if theirs != bound or not _same_instants(asked, tuple(first), as_of):
        raise Refusal.invalid([("cursor", "belongs to another list, filter, instant or caller")])
    at = AsOf(as_of, known_at, latest=known_at == journal.last_id())
    return Page(Clocks(at, shown), after, bound, tuple(first))


def _same_instants(asked: tuple[Any, Any], first: tuple[Any, Any], as_of: int) -> bool:
    """The instants of the first page, left out or said again."""
    return asked[0] in (None, first[0], as_of) and asked[1] in (None, first[1])


def _bound(request: ApiRequest, given: Walk) -> str:
    filters = given.model_dump(exclude=set(BARE))
    content = encode([request.path, request.caller.identity, filters])
    return hashlib.sha256(content).hexdigest()[:32]


def listed(
    request: ApiRequest,
    given: Walk,
    page: Page,
    fetch: Fetch,
    totals: Callable[[AsOf], Mapping[str, Any]],
) -> HttpResponse:
    """A page's answer. `fetch` takes the instants, where to begin and how many; `totals` is asked with count=true."""
    items, following = fetch(page.clocks.at, page.after, given.limit)
    counted = totals(page.clocks.at) if given.count else {}
    answer = {
        "items": items,
        "next_cursor": page.cursor(following),
        "as_of": instant(page.clocks.at.as_of),
        "known_at": instant(page.clocks.known_at),
        **counted,
    }
    return read_json(request, answer, [items, counted, following is None])


def sliced[Item](items: Sequence[Item], after: Position | None, limit: int) -> tuple[Sequence[Item], Position | None]:
    """A page of a list that is at hand whole; the position is how far one has come."""
    start = int(after[0]) if after else 0
    end = start + limit
    return items[start:end], [end] if end < len(items) else None


def keyed(rows: QuerySet[Any], field: str, after: Position | None, limit: int) -> tuple[list[Any], Position | None]:
    """A page of rows in the order of one unique column."""
    found = rows if after is None else rows.filter(**{f"{field}__gt": after[0]})
    items = list(found.order_by(field)[: limit + 1])
    return items[:limit], [getattr(items[limit - 1], field)] if len(items) > limit else None
