"""Holes: a run of empty ones at the start of a track folds into one: what is left is bounded by what is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from itertools import groupby, takewhile

from django.db.models import F, QuerySet

from brain.models import EarlierWithholding, Fact, Operation

FIELDS = "pk key_id temporary erasure salt retracted_in_id learned_at recorded_in_id expires_at".split()  # noqa: SIM905


def fold(keys: Collection[int]) -> None:
    """Folds the leading runs of retention's holes of these keys' tracks. Within the turn that made the holes."""
    holed = Fact.objects.filter(key__in=keys, erasure=Fact.RETENTION).order_by().values("key").distinct()
    rows = Fact.objects.filter(key__in=holed, claim=False).order_by(
        "key_id", "temporary", "learned_at", "origin_id", "pk"
    )
    for _, track in groupby(rows.only(*FIELDS).iterator(), key=lambda row: (row.key_id, row.temporary)):
        run = list(takewhile(_is_empty, track))
        _fold_run(_unbroken(run) if run and run[0].temporary else run)


def _is_empty(row: Fact) -> bool:
    return row.erasure == Fact.RETENTION and not row.salt


def _unbroken(run: list[Fact]) -> list[Fact]:
    """Of a run on the temporary track what a single hole can stand for: where a temporary hole has not begun, has run
    out or is not told of yet, the standing value shows, and must go on doing so."""
    whole = run[:1]
    for row in run[1:]:
        last = whole[-1]
        meets = last.expires_at is not None and last.expires_at >= row.learned_at
        stand_alike = (row.recorded_in_id, row.retracted_in_id) == (last.recorded_in_id, None)
        if not meets or not stand_alike or last.retracted_in_id is not None:
            break
        whole.append(row)
    return whole


def _fold_run(run: list[Fact]) -> None:
    """Keeps the last hole that stands in the chain, stretched over the whole run; the others go."""
    kept = next((row for row in reversed(run) if row.retracted_in_id is None), None)
    if kept is None or len(run) < 2:
        return
    drop_rows(Fact.objects.filter(pk__in=[row.pk for row in run if row is not kept]))
    earliest = min(row.recorded_in_id for row in run)
    if earliest != kept.recorded_in_id:
        _count_gone(Counter([kept.recorded_in_id]))
    Fact.objects.filter(pk=kept.pk).update(learned_at=min(row.learned_at for row in run), recorded_in=earliest)


def drop_rows(rows: QuerySet[Fact]) -> None:
    """Deletes rows; the operations that touched them count what is gone."""
    gone: Counter[int] = Counter()
    earlier = EarlierWithholding.objects.filter(fact__in=rows.order_by().values("pk"))
    touches = rows.order_by().values_list("recorded_in_id", "retracted_in_id", "forgotten_in_id", "restored_in_id")
    for marks in (*touches, *earlier.order_by().values_list("forgotten_in_id", "restored_in_id")):
        gone.update(mark for mark in marks if mark is not None)
    _count_gone(gone)
    earlier.delete()
    rows.order_by()._raw_delete(rows.db)


def _count_gone(gone: Counter[int]) -> None:
    by_number: dict[int, list[int]] = {}
    for operation_id, number in gone.items():
        by_number.setdefault(number, []).append(operation_id)
    for number, operations in by_number.items():
        Operation.objects.filter(pk__in=operations).update(erased=F("erased") + number)
