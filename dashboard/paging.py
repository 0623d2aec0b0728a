"""Pages of a list go on from a row, in either direction, and keep both instants of the first page.

A cursor is signed: it names an operation, and nobody may read at an earlier one by editing a link.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from django.core.signing import BadSignature, Signer

from brain import journal, keyset
from brain.errors import Invalid
from brain.models import Fact
from brain.querysets import FactQuerySet
from brain.reader import Reader
from dashboard.reading import Reading

SIGNER = Signer(salt="a page of a list")
CURSOR = re.compile(
    r"(?P<way>after|before)-(?P<row>\d{1,18})-(?P<offset>\d{1,12})-(?P<as_of>\d{1,15})-(?P<known>\d{1,18})"
)


@dataclass(frozen=True, slots=True)
class Cursor:
    """Go on `way` ("after" or "before") the row; `offset` rows of the list lie before the page."""

    way: str
    row: int
    offset: int
    as_of: int
    known_at: int

    @classmethod
    def parse(cls, text: str) -> Cursor:
        try:
            found = CURSOR.fullmatch(SIGNER.unsign(text))
        except BadSignature:
            found = None
        if found is None:
            raise Invalid.field("cursor", "This link to a page of the list is broken. Start from the first page.")
        way, *numbers = found.groups()
        return cls(way, *map(int, numbers))

    def __str__(self) -> str:
        return SIGNER.sign(f"{self.way}-{self.row}-{self.offset}-{self.as_of}-{self.known_at}")


@dataclass(frozen=True, slots=True)
class Page:
    rows: list[Fact]
    offset: int
    previous: Cursor | None
    next: Cursor | None

    @property
    def first(self) -> int:
        return self.offset + 1

    @property
    def last(self) -> int:
        return self.offset + len(self.rows)


def fixed(reading: Reading, cursor: Cursor | None) -> Reading:
    """The reading of a later page: at the instants of the first one, whatever was written meanwhile."""
    if cursor is None:
        return reading
    at = journal.resolve(cursor.as_of, f"op:{cursor.known_at}", reader=reading.reader)
    return replace(reading, at=at)


def page(rows: FactQuerySet, order: str, cursor: Cursor | None, size: int, reading: Reading) -> Page:
    at = reading.at
    back = cursor is not None and cursor.way == "before"
    after = _position(cursor, order, reading.reader) if cursor else None
    found, more = keyset.page(rows, _flipped(order) if back else order, after, size)
    if back:
        found.reverse()
    offset = 0 if cursor is None else max(cursor.offset - len(found), 0) if back else cursor.offset
    has_previous = bool(more) if back else cursor is not None
    has_next = back or bool(more)
    return Page(
        found,
        offset,
        Cursor("before", found[0].pk, offset, at.as_of, at.known_at) if found and has_previous else None,
        Cursor("after", found[-1].pk, offset + len(found), at.as_of, at.known_at) if found and has_next else None,
    )


def _flipped(order: str) -> str:
    return order.removeprefix("-") if order.startswith("-") else f"-{order}"


def _position(cursor: Cursor, order: str, reader: Reader) -> list[object]:
    """The place in the order of the row that the page goes on from."""
    rows, fields, _ = keyset.ordered(Fact.objects.existing(audit=reader.audit).select_related("key"), order)
    row = rows.filter(pk=cursor.row).first()
    if row is None:
        raise Invalid.field("cursor", "The row that this page went on from is gone. Start from the first page.")
    return keyset.position(row, fields)
