"""diff: the keys whose answer, by value and expiry, is not the same at two points of the two clocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from brain.describe import FactAt, describe
from brain.keyset import beyond
from brain.models import Fact, Key
from brain.querysets import FactQuerySet, under
from brain.reader import Reader
from brain.time import AsOf

ORDER = ("subject", "predicate", "scope", "id")
CHUNK = 500  # keys compared at a time


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
    while True:
        rest = keys if after is None else keys.filter(beyond(ORDER, list(after), reverse=False))
        chunk = list(rest.order_by(*ORDER)[:CHUNK])
        yield from _changes(chunk, start, end, reader)
        if len(chunk) < CHUNK:
            return
        after = _position(chunk[-1])


def counts(changes: Iterator[Change]) -> dict[str, int]:
    found = Counter(change.change for change in changes)
    return {name: found[name] for name in ("added", "changed", "removed")}


def _position(key: Key) -> tuple[str, str, str, int]:
    return key.subject, key.predicate, key.scope, key.pk


def _moved_keys(start: AsOf, end: AsOf) -> QuerySet[Key]:
    """Keys with an event between the two points: only they can differ."""
    low, high = sorted((start.as_of, end.as_of))
    moved = Q()
    if low != high:
        for column in ("learned_at", "expires_at"):
            moved |= Q(pk__in=_keys(**{f"{column}__gt": low, f"{column}__lte": high}))
    low, high = sorted((start.known_at, end.known_at))
    if low != high:
        withholdings = ("forgotten_in", "restored_in")
        earlier = (f"earlier_withholdings__{column}" for column in withholdings)
        for column in ("recorded_in", "retracted_in", *withholdings, *earlier):
            moved |= Q(pk__in=_keys(**{f"{column}__gt": low, f"{column}__lte": high}))
    return Key.objects.filter(moved) if moved else Key.objects.none()


def _keys(**event: int) -> QuerySet[Fact, int]:
    return Fact.objects.filter(**event).order_by().values_list("key_id", flat=True)


def _changes(keys: Sequence[Key], start: AsOf, end: AsOf, reader: Reader) -> Iterator[Change]:
    before, after = _answers(keys, start, reader), _answers(keys, end, reader)
    for key in keys:
        old, new = before.get(key.pk), after.get(key.pk)
        if (old and (old.value, old.expires_at)) == (new and (new.value, new.expires_at)):
            continue
        change = "added" if old is None else "removed" if new is None else "changed"
        yield Change(key.scope, key.subject, key.predicate, change, old, new, _position(key))


def _answers(keys: Sequence[Key], at: AsOf, reader: Reader) -> dict[int, FactAt]:
    found: FactQuerySet = Fact.objects.as_of(at, audit=reader.audit).filter(key__in=keys)
    rows = list(found.select_related("key").order_by("pk"))
    return dict(zip((row.key_id for row in rows), describe(rows, at, reader), strict=True))
