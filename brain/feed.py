"""The feed hands out operations in the order of their ids, which is the order of their commits: none twice, none
missed, whatever was retried, restarted or rewound in between."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Exists, OuterRef, Q

from brain import journal
from brain.models import Fact, Operation
from brain.querysets import under
from brain.reader import Reader

MARKS = ("recorded_in", "retracted_in", "forgotten_in", "restored_in")
MOST_FACTS = 1_000  # named of one operation; an agent that caches more reads again


@dataclass(slots=True)
class Entry:
    """One operation. `facts`: which it touched in the reader's subtree, None when they are too many to name.
    `whole`: it touched nothing outside, so that its counts and reason may be told."""

    operation: Operation
    whole: bool
    facts: list[int] | None = field(default_factory=list)


@dataclass(slots=True)
class Feed:
    """`last` is where the next read goes on: the last operation that was looked at, seen or not."""

    entries: list[Entry]
    last: int


def after(operation_id: int, reader: Reader, limit: int = 100) -> Feed:
    """The operations after this one that concern this reader, oldest first, at most `limit`."""
    newest = _newest(reader)
    rows = Operation.objects.filter(_concerns(reader), id__gt=operation_id, id__lte=newest).order_by("id")
    operations = list(rows[:limit])
    entries = [Entry(row, reader.reaches(row.scope)) for row in operations]
    _name_facts(entries, reader)
    full = len(operations) == limit
    return Feed(entries, operations[-1].pk if full else max(newest, operation_id))


def _newest(reader: Reader) -> int:
    """The last operation that exists for the reader. Asked first: what commits later is the next read's."""
    if reader.pin is None:
        return journal.last_id()
    return journal.resolve(known_at=reader.pin).known_at if reader.pin < journal.now() else journal.last_id()


def _concerns(reader: Reader) -> Q:
    """Operations in the reader's subtree, and wider ones that touched a fact in it."""
    if reader.scope == "/":
        return Q()
    inside = Fact.objects.filter(under(reader.scope))
    touched = Q()
    for mark in MARKS:
        touched |= Q(Exists(inside.filter(**{mark: OuterRef("pk")})))
    return under(reader.scope, "scope") | touched


def _name_facts(entries: Iterable[Entry], reader: Reader) -> None:
    by_id = {entry.operation.pk: entry for entry in entries}
    visible = Fact.objects.filter(under(reader.scope))
    if reader.pin is not None:
        visible = visible.filter(learned_at__lte=reader.pin)
    for entry in by_id.values():
        touched = Q()
        for mark in MARKS:
            touched |= Q(**{mark: entry.operation.pk})
        facts = visible.filter(touched).order_by("origin_id").values_list("origin_id", flat=True).distinct()
        named = list(facts[: MOST_FACTS + 1])
        entry.facts = named if len(named) <= MOST_FACTS else None
