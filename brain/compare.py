"""diff: the keys whose answer, by value and expiry, is not the same at two points of the two clocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import Q, QuerySet

from brain.describe import FactAt, describe
from brain.keyset import beyond
from brain.models import Fact, Key
from brain.querysets import under
from brain.reader import Reader
from brain.time import AsOf

ORDER = ("subject", "predicate", "scope", "id")
CHUNKS = (100, 1_600)  # keys compared at a time: at first, and at most
FEW = 5_000  # keys with an event between two points; where there are more, walking all keys soon meets some


@dataclass(slots=True)
class Change:
    """One key that differs: `change` is added, changed or removed; `position` is its place in ORDER."""

    scope: str
    subject: str
    predicate: str
    change: str
    before: FactAt | None
    after: FactAt | None
    position: tuple[str, str, str, int]


def diff(
    reader: Reader,
    start: AsOf,
    end: AsOf,
    *,
    scope: str = "/",
    recursive: bool = True,
    subject: str | None = None,
    predicate: str | None = None,
    after: Sequence[object] | None = None,
) -> Iterator[Change]:
    """The changes from `start` to `end` in the order of ORDER, from the position `after` on."""
    keys = _moved_keys(start, end).filter(under(reader.scope, "scope"))
    keys = keys.filter(under(scope, "scope")) if recursive else keys.filter(scope=scope)
    if subject is not None:
        keys = keys.filter(subject=subject)
    if predicate is not None:
        keys = keys.filter(predicate=predicate)
    size, most = CHUNKS
    while True:
        rest = keys if after is None else keys.filter(beyond(ORDER, list(after), reverse=False))
        chunk = list(rest.order_by(*ORDER)[:size])
        yield from _changes(chunk, start, end, reader)
        if len(chunk) < size:
            return
        after, size = _position(chunk[-1]), min(2 * size, most)


def counts(changes: Iterator[Change]) -> dict[str, int]:
    found = Counter(change.change for change in changes)
    return {name: found[name] for name in ("added", "changed", "removed")}


def _position(key: Key) -> tuple[str, str, str, int]:
    return key.subject, key.predicate, key.scope, key.pk


def _moved_keys(start: AsOf, end: AsOf) -> QuerySet[Key]:
    """Keys with an event between the two points: only they can differ. All keys where many have one."""
    events = _events(start, end)
    moved: set[int] = set()
    for event in events:
        moved.update(_keys(event).distinct()[: FEW + 1])
        if len(moved) > FEW:
            return Key.objects.all()
    return (
        Key.objects.filter(reduce(or_, (Q(pk__in=_keys(event)) for event in events))) if moved else Key.objects.none()
    )


def _events(start: AsOf, end: AsOf) -> list[dict[str, int]]:
    """What can happen to a row between the two points of either clock, as conditions."""
    valid, told = sorted((start.as_of, end.as_of)), sorted((start.known_at, end.known_at))
    withholdings = ("forgotten_in", "restored_in")
    earlier = (f"earlier_withholdings__{column}" for column in withholdings)
    columns = {"learned_at": valid, "expires_at": valid}
    columns |= dict.fromkeys(("recorded_in", "retracted_in", *withholdings, *earlier), told)
    return [{f"{column}__gt": low, f"{column}__lte": high} for column, (low, high) in columns.items() if low != high]


def _keys(event: dict[str, int]) -> QuerySet[Fact, int]:
    return Fact.objects.filter(**event).order_by().values_list("key_id", flat=True)


def _changes(keys: Sequence[Key], start: AsOf, end: AsOf, reader: Reader) -> Iterator[Change]:
    before, after = _answers(keys, start, reader), _answers(keys, end, reader)
    moved = [key for key in keys if _says(before.get(key.pk)) != _says(after.get(key.pk))]
    was, now = _described(before, moved, start, reader), _described(after, moved, end, reader)
    for key in moved:
        old, new = was.get(key.pk), now.get(key.pk)
        change = "added" if old is None else "removed" if new is None else "changed"
        yield Change(key.scope, key.subject, key.predicate, change, old, new, _position(key))


def _answers(keys: Sequence[Key], at: AsOf, reader: Reader) -> dict[int, Fact]:
    found = Fact.objects.as_of(at, audit=reader.audit).filter(key__in=[key.pk for key in keys])
    return {row.key_id: row for row in found.order_by("pk")}


def _says(row: Fact | None) -> tuple[str, int | None] | None:
    return None if row is None else (row.value, row.expires_at)


def _described(answers: dict[int, Fact], keys: Sequence[Key], at: AsOf, reader: Reader) -> dict[int, FactAt]:
    rows = []
    for key in keys:
        if (row := answers.get(key.pk)) is not None:
            row.key = key
            rows.append(row)
    return dict(zip((row.key_id for row in rows), describe(rows, at, reader), strict=True))
