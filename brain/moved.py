"""Which keys answer otherwise after a rewind than before it: by value and expiry, the first of them named."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from heapq import nsmallest
from itertools import batched

from brain.describe import FactAt, describe
from brain.journal import Entry, resolve
from brain.models import Fact, Key
from brain.querysets import FactQuerySet
from brain.reader import Reader
from brain.time import AsOf

CHUNK = 5_000  # keys in one statement
MOST_CHANGES = 1_000  # keys named in one answer

Answer = tuple[int, str, int | None]  # row, value, expiry


@dataclass(slots=True)
class Moved:
    """A key whose current answer a rewind changes."""

    scope: str
    subject: str
    predicate: str
    before: FactAt | None
    after: FactAt | None


def answers(moving: FactQuerySet) -> dict[int, Answer]:
    """Key → what a recall returns now, of the keys of these rows; keys that answer nothing are left out."""
    at = AsOf(resolve().as_of, 0, latest=True)
    found = Fact.objects.as_of(at).filter(key__in=moving.order_by().values("key"))
    rows = found.order_by().values_list("key_id", "pk", "value", "expires_at")
    return {key: (row, value, expires_at) for key, row, value, expires_at in rows}


def changes(before: dict[int, Answer], after: dict[int, Answer], entry: Entry) -> tuple[int, list[Moved]]:
    """How many keys answer otherwise since the operation, and the first of them."""
    keys = [key for key in before.keys() | after.keys() if _says(before.get(key)) != _says(after.get(key))]
    named = nsmallest(MOST_CHANGES, _texts(keys))
    was = _shown(before, named, AsOf(entry.at, entry.id - 1, latest=False))
    now = _shown(after, named, AsOf(entry.at, entry.id, latest=True))
    return len(keys), [
        Moved(scope, subject, predicate, was.get(key), now.get(key)) for subject, predicate, scope, key in named
    ]


def _says(answer: Answer | None) -> tuple[str, int | None] | None:
    return None if answer is None else answer[1:]


def _texts(keys: Collection[int]) -> Iterator[tuple[str, str, str, int]]:
    for chunk in batched(keys, CHUNK):
        yield from Key.objects.filter(pk__in=chunk).order_by().values_list("subject", "predicate", "scope", "pk")


def _shown(answers: dict[int, Answer], named: Collection[tuple[str, str, str, int]], at: AsOf) -> dict[int, FactAt]:
    wanted = [answers[key][0] for *_, key in named if key in answers]
    rows = list(Fact.objects.filter(pk__in=wanted).select_related("key").order_by("pk"))
    return dict(zip((row.key_id for row in rows), describe(rows, at, Reader(audit=True)), strict=True))
