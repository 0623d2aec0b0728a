"""A fact as every door shows it: each field as at (T, K), for this reader, in a constant number of queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.db.models import F, Window
from django.db.models.functions import Lead

from brain.importance import Importance
from brain.models import EarlierWithholding, Fact, Operation
from brain.reader import Reader
from brain.time import AsOf


@dataclass(slots=True)
class FactAt:
    """The fields of a fact at (T, K); `id` is its origin, instants are epoch milliseconds."""

    id: int
    scope: str
    subject: str
    predicate: str
    value: str
    source: str
    source_kind: str
    written_by: str
    category: str
    confidence: float
    importance: float
    temporary: bool
    learned_at: int
    expires_at: int | None
    superseded_by: int | None
    superseded_at: int | None
    recorded_at: int | None
    retracted_at: int | None
    operation: int | None
    status: str
    contested: bool


@dataclass(slots=True)
class Successor:
    """The row that follows in the chain known at K; `id` is None when it is a hole."""

    id: int | None
    learned_at: int


class Surroundings:
    """What the fields of many rows at (T, K) depend on, fetched once for all of them."""

    def __init__(self, rows: Sequence[Fact], at: AsOf, reader: Reader) -> None:
        self.at, self.reader = at, reader
        keys = {row.key_id for row in rows}
        self.answers = self._answers(keys)
        self.claims = self._claims(keys)
        self.successors = _stored_links(rows) if at.latest else _links_at(keys, at)
        self.instants = _instants(rows)
        self.importance = Importance.at(at)
        self.earlier = _earlier_withholdings(rows)

    def _answers(self, keys: set[int]) -> dict[int, int]:
        """Key → row id of what a recall by this reader returns."""
        found = Fact.objects.as_of(self.at, audit=self.reader.audit).filter(key__in=keys)
        return dict(found.order_by().values_list("key_id", "pk"))

    def _claims(self, keys: set[int]) -> dict[int, set[str]]:
        """Key → values of the claims open at (T, K)."""
        found = Fact.objects.open_claims(self.at).visible(self.at, audit=self.reader.audit).filter(key__in=keys)
        values: dict[int, set[str]] = {}
        for key, value in found.order_by().values_list("key_id", "value"):
            values.setdefault(key, set()).add(value)
        return values

    def happened(self, operation_id: int | None) -> bool:
        """Whether the brain knew of the operation at K."""
        return operation_id is not None and (self.at.latest or operation_id <= self.at.known_at)

    def told(self, operation_id: int | None) -> int | None:
        """An operation as far as K and the reader's pin let it be named."""
        if operation_id is None or not self.happened(operation_id):
            return None
        return None if self.reader.cut(self.instants[operation_id]) is None else operation_id

    def instant(self, operation_id: int | None) -> int | None:
        return None if operation_id is None else self.instants[operation_id]


def describe(rows: Iterable[Fact], at: AsOf, reader: Reader) -> list[FactAt]:
    """The rows, with their key selected, as at (T, K) for this reader."""
    rows = list(rows)
    if not rows:
        return []
    around = Surroundings(rows, at, reader)
    return [_describe(row, around) for row in rows]


def _describe(row: Fact, around: Surroundings) -> FactAt:
    cut, key = around.reader.cut, row.key
    retracted = around.told(row.retracted_in_id)
    successor = around.successors.get(row.pk)
    superseded_at = cut(successor.learned_at) if successor else None
    marks = (around.told(mark) for mark in (row.recorded_in_id, row.forgotten_in_id, row.restored_in_id))
    touches = [mark for mark in (*marks, retracted) if mark is not None]
    return FactAt(
        id=row.origin_id,
        scope=key.scope,
        subject=key.subject,
        predicate=key.predicate,
        value=row.value,
        source=row.source,
        source_kind=row.source_kind,
        written_by=row.written_by,
        category=row.category,
        confidence=row.confidence,
        importance=around.importance.of(row),
        temporary=row.temporary,
        learned_at=row.learned_at,
        expires_at=cut(row.expires_at),
        superseded_by=successor.id if successor and superseded_at is not None else None,
        superseded_at=superseded_at,
        recorded_at=around.instant(around.told(row.recorded_in_id)),
        retracted_at=around.instant(retracted),
        operation=max(touches, default=None),
        status=_status(row, around, successor),
        contested=bool(around.claims.get(row.key_id, set()) - {row.value}) and around.answers.get(row.key_id) == row.pk,
    )


def _status(row: Fact, around: Surroundings, successor: Successor | None) -> str:
    instant = around.at.as_of
    held: list[tuple[str, Callable[[], bool]]] = [
        ("retracted", lambda: around.happened(row.retracted_in_id)),
        ("forgotten", lambda: _withheld(row, around)),
        ("claim", lambda: row.claim),
        ("scheduled", lambda: row.learned_at > instant),
        ("current", lambda: around.answers.get(row.key_id) == row.pk),
        ("superseded", lambda: successor is not None and successor.learned_at <= instant),
        ("expired", lambda: row.expires_at is not None and row.expires_at <= instant),
    ]
    # what has neither ended nor answers lies under a temporary row
    return next((name for name, holds in held if holds()), "covered")


def _withheld(row: Fact, around: Surroundings) -> bool:
    """Whether the row was forgotten at K; while it is forgotten now, whoever sees it at all sees it marked."""
    at = around.at
    if row.forgotten_in_id is not None and row.restored_in_id is None and (at.latest or not around.reader.audit):
        return True
    stretches = [(row.forgotten_in_id, row.restored_in_id), *around.earlier.get(row.pk, [])]
    return any(
        start is not None and start <= at.known_at and (end is None or end > at.known_at) for start, end in stretches
    )


def _stored_links(rows: Sequence[Fact]) -> dict[int, Successor]:
    linked = {row.superseded_by_id: row for row in rows if row.superseded_by_id is not None}
    found = Fact.objects.filter(pk__in=linked).order_by().values_list("pk", "origin_id", "learned_at", "erasure")
    by_id = {pk: Successor(None if erasure else origin, instant) for pk, origin, instant, erasure in found}
    return {row.pk: by_id[row.superseded_by_id] for row in rows if row.superseded_by_id is not None}


def _links_at(keys: set[int], at: AsOf) -> dict[int, Successor]:
    """Row id → its successor in the chains that stood at K."""

    def following(column: str) -> Window:
        return Window(Lead(column), [F("key_id"), F("temporary")], [F("learned_at").asc(), F("origin_id").asc()])

    chained = (
        Fact.objects.in_chains(at)
        .filter(key__in=keys)
        .annotate(
            _next=following("origin_id"),
            _instant=following("learned_at"),
            _hole=following("erasure"),
        )
        .order_by()
        .values_list("pk", "_next", "_instant", "_hole")
    )
    return {pk: Successor(None if hole else origin, instant) for pk, origin, instant, hole in chained if origin}


def _instants(rows: Sequence[Fact]) -> dict[int, int]:
    marks = {
        mark
        for row in rows
        for mark in (row.recorded_in_id, row.retracted_in_id, row.forgotten_in_id, row.restored_in_id)
        if mark is not None
    }
    return dict(Operation.objects.filter(pk__in=marks).order_by().values_list("pk", "at"))


def _earlier_withholdings(rows: Sequence[Fact]) -> dict[int, list[tuple[int, int]]]:
    marked = [row.pk for row in rows if row.forgotten_in_id is not None]
    if not marked:
        return {}
    stretches: dict[int, list[tuple[int, int]]] = {}
    found = EarlierWithholding.objects.filter(fact__in=marked)
    for fact, start, end in found.values_list("fact_id", "forgotten_in_id", "restored_in_id"):
        stretches.setdefault(fact, []).append((start, end))
    return stretches
