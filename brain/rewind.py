"""rewind: what the brain said at an operation holds again, as a new operation on top; nothing is cut off.

Rows recorded after K0 are unsaid, rows unsaid after K0 are said again; all of the brain or a part of it. Forgets are
not undone: marks and holes move with their rows, and what is blocked from relearning is not said again.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q

from brain import chains, guard, moved, saying
from brain.errors import Conflict, Invalid
from brain.journal import Entry, operation
from brain.models import Fact, Operation
from brain.moved import Moved
from brain.moving import say_again, unsay
from brain.querysets import FactQuerySet, under
from brain.reader import Reader
from brain.receipts import affected
from brain.turns import rehearsal, turn


@dataclass(frozen=True, slots=True)
class Part:
    """What of the brain a rewind concerns; all of it when empty. `actor` and `operations` name whose, or which,
    operations are undone; the others narrow the rows, texts whole and normalised."""

    scope: str | None = None
    subject: str | None = None
    written_by: str | None = None
    source: str | None = None
    ids: tuple[int, ...] | None = None
    actor: str | None = None
    operations: tuple[int, ...] | None = None

    def rows(self, reader: Reader) -> FactQuerySet:
        found = Fact.objects.filter(under(reader.scope))
        if self.scope is not None:
            found = found.filter(under(self.scope))
        exact: dict[str, Any] = {"key__subject": self.subject, "written_by": self.written_by}
        exact |= {"source": self.source, "origin__in": self.ids}
        return found.filter(**{name: value for name, value in exact.items() if value is not None})

    def named(self) -> dict[str, Any]:
        """The part as JSON, for the journal."""
        fields = ("scope", "subject", "written_by", "source", "actor", "ids", "operations")
        given = {name: getattr(self, name) for name in fields if getattr(self, name) is not None}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}

    @classmethod
    def of(cls, named: dict[str, Any]) -> Part:
        """The part that `named` told of."""
        given: dict[str, Any] = {name: tuple(to) if isinstance(to, list) else to for name, to in named.items()}
        return cls(**given)


@dataclass(slots=True)
class Rewound:
    """What a rewind did or, as a preview, would do. Counts are of rows; `kept_forgotten` were said again withheld or
    erased as they are, or not at all because they are blocked."""

    retracted: int = 0
    restored: int = 0
    kept_forgotten: int = 0
    receipts_affected: int = 0
    changes: list[Moved] = field(default_factory=list)
    changed: int = 0
    relied: set[int] = field(default_factory=set)  # facts whose receipts are affected
    operation: Operation | None = None


class TouchedSince(Conflict):
    """A fact of the operations to undo was touched by a later one; `operation` is the first of those."""

    def __init__(self, fact: int, operation: int) -> None:
        super().__init__(f"fact {fact} was touched by operation {operation} since; nothing was undone")
        self.fact, self.operation = fact, operation


def rewind(
    to: int | None,
    *,
    actor: str,
    reason: str,
    reader: Reader,
    part: Part = Part(),
    dry_run: bool = False,
) -> Rewound:
    """Rewinds to right after operation `to` (0: the empty brain), or with `part.operations` undoes just those.

    Undoing refuses with Conflict when a later operation touched one of their facts. Raises Frozen when a row that it
    would move lies in a frozen scope."""
    reason = saying.reason(reason, required=True)
    done = _check(to, part)
    details = {"to": to, **part.named()}
    whole = rehearsal() if dry_run else turn()
    with whole:
        with operation("rewind", actor=actor, reason=reason, details=details) as entry:
            moving = _moving(_acts(done, part), part, reader)
            _refuse(moving.either, part, entry)
            before = moved.answers(moving.either)
            outcome = _move(moving, entry)
            entry.count(retracted=outcome.retracted, restored=outcome.restored, kept_forgotten=outcome.kept_forgotten)
        outcome.changed, outcome.changes = moved.changes(before, moved.answers(moving.either), entry)
    if not dry_run:
        outcome.operation = entry.row
    return outcome


def _check(to: int | None, part: Part) -> int:
    if (to is None) == (part.operations is None):
        raise Invalid.field("to", "name either a point to rewind to or the operations to undo")
    if part.operations is not None:
        there = set(Operation.objects.filter(pk__in=part.operations).values_list("pk", flat=True))
        if missing := sorted(set(part.operations) - there):
            raise Invalid.field("operations", f"there is no operation {missing[0]}")
        return 0
    return to or 0


@dataclass(frozen=True, slots=True)
class Acts:
    """The operations that a rewind undoes, as a condition on a column that names one."""

    after: int
    only: tuple[int, ...] | None

    def did(self, column: str) -> Q:
        if self.only is not None:
            return Q(**{f"{column}__in": self.only})
        return Q(**{f"{column}__gt": self.after})


def _acts(after: int, part: Part) -> Acts:
    if part.operations is not None:
        return Acts(0, part.operations)
    if part.actor is None:
        return Acts(after, None)
    found = Operation.objects.filter(pk__gt=after, actor=part.actor)
    return Acts(after, tuple(found.order_by("pk").values_list("pk", flat=True)))


@dataclass(frozen=True, slots=True)
class Moving:
    """The rows that a rewind unsays, those of which it says the latest again, and both, also once they have moved."""

    unsaid: FactQuerySet
    again: FactQuerySet
    either: FactQuerySet


def _moving(acts: Acts, part: Part, reader: Reader) -> Moving:
    concerned, said, unsaid = part.rows(reader), acts.did("recorded_in"), acts.did("retracted_in")
    return Moving(
        concerned.filter(said, retracted_in__isnull=True),
        concerned.filter(unsaid).exclude(said),
        concerned.filter(said | unsaid),
    )


def _move(moving: Moving, entry: Entry) -> Rewound:
    relied = unsay(moving.unsaid, entry)
    restored, kept = say_again(moving.again, entry)
    chains.relink('SELECT "key" FROM fact WHERE recorded_in = %s OR retracted_in = %s', [entry.id, entry.id])
    return Rewound(len(relied), restored, kept, affected(relied), relied=relied)


def _refuse(moving: FactQuerySet, part: Part, entry: Entry) -> None:
    scopes = list(moving.order_by().values_list("key__scope", flat=True).distinct())
    guard.refuse_frozen([*scopes, *([part.scope] if part.scope is not None else [])])
    for scope in scopes or [part.scope or "/"]:
        entry.widen(scope)
    if part.operations is not None:
        _refuse_touched_since(moving, part.operations)


def _refuse_touched_since(moving: FactQuerySet, operations: Collection[int]) -> None:
    """A fact that an operation touched after the ones to undo cannot be taken back without losing that."""
    first, undone = min(operations), set(operations)
    versions = Fact.objects.filter(origin__in=moving.order_by().values("origin")).order_by("origin_id", "pk")
    marks = versions.values_list("origin_id", "recorded_in_id", "retracted_in_id", "forgotten_in_id", "restored_in_id")
    touched: dict[int, set[int]] = {}
    for origin, *found in marks:
        touched.setdefault(origin, set()).update(mark for mark in found if mark is not None)
    for origin, found_in in touched.items():
        begun = min(found_in & undone, default=first)
        later = sorted(mark for mark in found_in - undone if mark > begun)
        if later:
            raise TouchedSince(origin, later[0])
