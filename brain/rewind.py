"""rewind: what the brain said at an operation holds again, as a new operation on top; nothing is cut off.

Rows recorded after K0 are unsaid, rows unsaid after K0 are said again; all of the brain or a part of it. Forgets are
not undone: marks and holes move with their rows, and what is blocked from relearning is not said again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from itertools import batched
from typing import Any

from django.db.models import Max, Q

from brain import chains, guard, rows, saying
from brain.describe import FactAt, describe
from brain.errors import Conflict, Invalid
from brain.journal import Entry, operation, resolve
from brain.models import Fact, Key, Operation
from brain.querysets import FactQuerySet, under
from brain.reader import Reader
from brain.receipts import affected
from brain.time import AsOf
from brain.turns import rehearsal, turn

CHUNK = 5_000  # rows in one statement
MOST_CHANGES = 1_000  # keys named in one answer


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


@dataclass(slots=True)
class Moved:
    """A key whose current answer a rewind changes."""

    scope: str
    subject: str
    predicate: str
    before: FactAt | None
    after: FactAt | None


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
            outcome, before = _rewind(_acts(done, part), part, reader, entry)
            entry.count(retracted=outcome.retracted, restored=outcome.restored, kept_forgotten=outcome.kept_forgotten)
        _compare(before, entry, outcome)
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


def _rewind(acts: Acts, part: Part, reader: Reader, entry: Entry) -> tuple[Rewound, dict[int, Fact | None]]:
    concerned = part.rows(reader)
    unsaid = concerned.filter(acts.did("recorded_in"), retracted_in__isnull=True)
    again = concerned.filter(acts.did("retracted_in")).exclude(acts.did("recorded_in"))
    moving = concerned.filter(acts.did("recorded_in") | acts.did("retracted_in"))
    _refuse(moving, part, entry)
    before = _answers(set(moving.order_by().values_list("key_id", flat=True).distinct()))
    relied = set(unsaid.order_by().values_list("origin_id", flat=True))
    candidates = _latest(again)
    outcome = Rewound(retracted=_unsay(unsaid, entry), receipts_affected=affected(relied), relied=relied)
    _say_again(candidates, outcome, entry)
    chains.relink('SELECT "key" FROM fact WHERE recorded_in = %s OR retracted_in = %s', [entry.id, entry.id])
    return outcome, before


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


def _latest(again: FactQuerySet) -> list[Fact]:
    """Of each fact the latest of the sayings that come back."""
    latest = again.order_by().values("origin_id").annotate(row=Max("pk")).values("row")
    return list(Fact.objects.filter(pk__in=latest).select_related("key").order_by("pk"))


def _unsay(unsaid: FactQuerySet, entry: Entry) -> int:
    ids = []
    for pk, digest in unsaid.order_by("pk").values_list("pk", "digest"):
        ids.append(pk)
        entry.touch("unsaid", pk, digest)
    for chunk in batched(ids, CHUNK):
        Fact.objects.filter(pk__in=chunk).update(retracted_in=entry.id, superseded_by=None, superseded_at=None)
    return len(ids)


def _say_again(candidates: Iterable[Fact], outcome: Rewound, entry: Entry) -> None:
    """Says the candidates again, but for facts that somebody else's saying, which stays, speaks of now."""
    candidates = list(candidates)
    open_now = _with_open_saying({row.origin_id for row in candidates})
    may_be_blocked = guard.any_blocks()
    copies = []
    for row in candidates:
        if row.origin_id in open_now:
            continue
        if may_be_blocked and _is_blocked(row):
            outcome.kept_forgotten += 1
            continue
        copy = rows.said_again(row, entry)
        if not copy.claim:  # closed until the chains are relinked: only one row of a track may have no successor
            copy.superseded_by_id, copy.superseded_at = copy.pk, copy.learned_at
        entry.touch("said", copy.pk, copy.digest)
        outcome.kept_forgotten += bool(row.erasure) or _is_forgotten(row)
        copies.append(copy)
    Fact.objects.bulk_create(copies, batch_size=500)
    outcome.restored = len(copies)


def _with_open_saying(origins: Collection[int]) -> set[int]:
    found: set[int] = set()
    for chunk in batched(sorted(origins), CHUNK):
        rows = Fact.objects.filter(origin__in=chunk, retracted_in__isnull=True)
        found.update(rows.order_by().values_list("origin_id", flat=True))
    return found


def _is_blocked(row: Fact) -> bool:
    return not row.erasure and guard.is_blocked(row.key.scope, row.key.subject, row.key.predicate, row.value)


def _is_forgotten(row: Fact) -> bool:
    return row.forgotten_in_id is not None and row.restored_in_id is None


def _answers(keys: Collection[int]) -> dict[int, Fact | None]:
    """Key → what a recall returns now, None for nothing."""
    found: dict[int, Fact | None] = dict.fromkeys(sorted(keys))
    at = AsOf(resolve().as_of, 0, latest=True)
    for chunk in batched(list(found), CHUNK):
        rows = Fact.objects.as_of(at).filter(key__in=chunk).select_related("key").order_by("pk")
        found.update({row.key_id: row for row in rows})
    return found


def _compare(before: dict[int, Fact | None], entry: Entry, outcome: Rewound) -> None:
    """Names the keys whose answer is another than before, by value and expiry."""
    after = _answers(before)
    moved = [row.key for key, old in before.items() if _says(old) != _says(after[key]) and (row := old or after[key])]
    outcome.changed = len(moved)
    named = sorted(moved, key=lambda key: (key.subject, key.predicate, key.scope))[:MOST_CHANGES]
    was = _shown(before, named, AsOf(entry.at, entry.id - 1, latest=False))
    now = _shown(after, named, AsOf(entry.at, entry.id, latest=True))
    for key in named:
        moved_key = Moved(key.scope, key.subject, key.predicate, was.get(key.pk), now.get(key.pk))
        outcome.changes.append(moved_key)


def _says(row: Fact | None) -> tuple[str, int | None] | None:
    return None if row is None else (row.value, row.expires_at)


def _shown(answers: dict[int, Fact | None], keys: Iterable[Key], at: AsOf) -> dict[int, FactAt]:
    rows = [row for key in keys if (row := answers[key.pk]) is not None]
    return dict(zip((row.key_id for row in rows), describe(rows, at, Reader(audit=True)), strict=True))
