"""What an operation did to facts, row by row, read from the marks that the rows themselves carry."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from django.db.models import Q

from brain.models import EarlierWithholding, Fact
from brain.querysets import FactQuerySet, under
from brain.reader import Reader

SAID, AGAIN, UNSAID, WITHHELD, GIVEN_BACK = "said", "said again", "unsaid", "withheld", "given back"
MARKS = (("recorded_in_id", SAID), ("retracted_in_id", UNSAID), ("forgotten_in_id", WITHHELD))


@dataclass(frozen=True, slots=True)
class Touched:
    """`did` is one of the words above; `row` is the saying, with its key."""

    operation: int
    did: str
    row: Fact


def rows(operations: Collection[int], reader: Reader) -> FactQuerySet:
    """The sayings that these operations touched and that still have content, by row id."""
    earlier = EarlierWithholding.objects.filter(Q(forgotten_in__in=operations) | Q(restored_in__in=operations))
    marks = Q(recorded_in__in=operations) | Q(retracted_in__in=operations)
    marks |= Q(forgotten_in__in=operations) | Q(restored_in__in=operations) | Q(pk__in=earlier.values("fact_id"))
    found = Fact.objects.existing(audit=reader.audit).filter(marks, under(reader.scope))
    return found.select_related("key").order_by("pk")


def told(operations: Collection[int], found: Iterable[Fact]) -> list[Touched]:
    """What each of the operations did to each of the rows; a row unsaid only to be said again is told once."""
    touches = [touch for row in found for touch in _of(set(operations), row)]
    said = {(touch.operation, touch.row.origin_id) for touch in touches if touch.did in (SAID, AGAIN)}
    return [t for t in touches if t.did != UNSAID or (t.operation, t.row.origin_id) not in said]


def replaced(said: Iterable[Fact], reader: Reader) -> dict[int, str]:
    """Row → the value that it follows in its chain, where that may be read."""
    earlier = Fact.objects.existing(audit=reader.audit).filter(superseded_by__in=[row.pk for row in said])
    return {after: value for after, value in earlier.order_by().values_list("superseded_by_id", "value") if after}


def _of(operations: set[int], row: Fact) -> Iterator[Touched]:
    for column, did in MARKS:
        mark = getattr(row, column)
        if mark in operations:
            yield Touched(mark, AGAIN if did == SAID and row.pk != row.origin_id else did, row)
    if row.restored_in_id is not None and row.restored_in_id in operations:
        yield Touched(row.restored_in_id, GIVEN_BACK, row)
