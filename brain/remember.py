"""remember: a new saying goes to its chronological place on its track and erases nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import batched
from typing import Any

from brain import guard, rows, saying
from brain.board import Board
from brain.errors import BrainError, Conflict, Frozen, Invalid
from brain.journal import Entry, operation
from brain.lookalikes import similar_on_write
from brain.models import Fact, Operation
from brain.placing import OneByOne, Placing
from brain.policy import FADING, Fading, default_expiry
from brain.reader import EVERYTHING, Reader
from brain.rules import disagrees, says_the_same
from brain.saying import Saying, Unset
from brain.time import AsOf, in_range
from brain.turns import rehearsal, turn

CHUNK = 4_000  # sayings that are stored together
FEW = 20  # up to so many, seeks are cheaper than loading the tracks


@dataclass(slots=True)
class Outcome:
    """What became of a saying: `fact` is the row that says it now, `previous` the row that it follows."""

    outcome: str
    fact: Fact
    previous: Fact | None = None
    similar: list[str] = field(default_factory=list)
    operation: Operation | None = None


@dataclass(slots=True)
class Batch:
    """One operation's outcomes in the order sent; a refused item is its refusal. A dry run has no operation."""

    operation: Operation | None
    outcomes: list[Outcome | BrainError]


def remember(
    said: Saying, *, actor: str, reason: str = "", reader: Reader = EVERYTHING, fading: Fading = FADING
) -> Outcome:
    """Stores one saying, in an operation of its own. `reader` narrows the look-alikes that the answer names."""
    said = saying.check(said)
    reason = saying.reason(reason)
    with operation("remember", actor=actor, reason=reason) as entry:
        gate = guard.Guard(entry.id, [said.scope])
        dated, said = said.learned_at is not None, completed(said, entry, fading)
        outcome = _say(said, entry, OneByOne(), gate, dated=dated)
        if outcome.outcome == "unchanged":
            entry.row.kind = "affirm"
        entry.count(**{outcome.outcome: 1})
    outcome.operation = entry.row
    outcome.similar = similar_on_write(said, reader)
    return outcome


def remember_many(
    sayings: Sequence[Saying],
    *,
    actor: str,
    reason: str = "",
    kind: str = "batch",
    atomic: bool = True,
    dry_run: bool = False,
    at: int | None = None,
    fading: Fading = FADING,
    details: dict[str, Any] | None = None,
) -> Batch:
    """Stores many sayings in one operation. Atomic: one refusal refuses all, naming `facts.<n>.<field>`; otherwise a
    refused item is its refusal and the others are stored."""
    reason = saying.reason(reason)
    whole = rehearsal() if dry_run else turn()
    with whole, operation(kind, actor=actor, reason=reason, details=details, at=at) as entry:
        outcomes = list(say_each(sayings, entry, fading))
        if atomic:
            refuse_whole(outcomes)
        entry.count(**Counter(item.outcome for item in outcomes if isinstance(item, Outcome)))
    return Batch(None if dry_run else entry.row, outcomes)


def say_each(sayings: Iterable[Saying], entry: Entry, fading: Fading = FADING) -> Iterator[Outcome | BrainError]:
    """Says one after the other within an open operation; a refused one is its refusal and leaves nothing. Sayings are
    taken, and their rows written, some thousand at a time."""
    for chunk in batched(sayings, CHUNK):
        checked = [_checked(said, entry, fading) for said in chunk]
        good = [item[0] for item in checked if not isinstance(item, BrainError)]
        placing: Placing = Board(good) if len(good) > FEW else OneByOne()
        gate = guard.Guard(entry.id, {said.scope for said in good})
        outcomes = [item if isinstance(item, BrainError) else _tried(*item, entry, placing, gate) for item in checked]
        placing.flush()
        yield from outcomes


def _checked(said: Saying, entry: Entry, fading: Fading) -> tuple[Saying, bool] | BrainError:
    """The saying in its stored form with its defaults, and whether it named its own instant; or why not."""
    try:
        return completed(saying.check(said), entry, fading), said.learned_at is not None
    except Invalid as refusal:
        return refusal


def _tried(said: Saying, dated: bool, entry: Entry, placing: Placing, gate: guard.Guard) -> Outcome | BrainError:
    try:
        return _say(said, entry, placing, gate, dated=dated)
    except BrainError as refusal:
        return refusal


def refuse_whole(outcomes: Sequence[Outcome | BrainError]) -> None:
    """Raises Invalid naming every refused item of a batch that must be stored whole; Frozen where that is all that
    refuses them."""
    errors = [
        (f"facts.{n}.{field}" if field else f"facts.{n}", message)
        for n, refusal in enumerate(outcomes)
        if isinstance(refusal, BrainError)
        for field, message in (refusal.errors or [("", f"{refusal.code}: {refusal.detail}")])
    ]
    if errors:
        frozen = all(isinstance(item, Frozen) for item in outcomes if isinstance(item, BrainError))
        raise (Frozen if frozen else Invalid)("nothing was stored: some of the facts are refused", errors)


def _say(said: Saying, entry: Entry, placing: Placing, gate: guard.Guard, *, dated: bool) -> Outcome:
    gate.refuse(said)
    if not isinstance(said.expected_current, Unset):
        placing.flush()
        _refuse_moved(said, said.expected_current)
    key = placing.key(said)
    stands = placing.incumbent(said, key)
    entry.widen(said.scope)
    if stands is not None and says_the_same(said, stands, dated=dated):
        stands.key = key
        return Outcome("unchanged", stands, stands)
    over_curated = said.temporary and placing.lies_over_curated(said, key)
    contested = over_curated or (stands is not None and disagrees(said, stands))
    row = rows.new_row(said, key, entry, claim=contested)
    entry.touch("said", row.pk, row.digest)
    gate.make(said.scope)
    if contested:
        placing.add_claim(row)
        return Outcome("contested", row, stands)
    return _placed(row, entry, placing)


def completed(said: Saying, entry: Entry, fading: Fading) -> Saying:
    """The saying with its defaults: learned now, and the expiry of its category."""
    learned_at = entry.at if said.learned_at is None else said.learned_at
    expires_at = said.expires_at
    if expires_at is None:
        expires_at = default_expiry(fading, said.category, learned_at)
    elif errors := saying.too_early(expires_at, learned_at):
        raise Invalid(f"expires_at: {errors[0][1]}", errors)
    if expires_at is not None and not in_range(expires_at):
        raise Invalid.field("learned_at", "leaves no room for the category's expiry before 9999-12-31")
    return replace(said, learned_at=learned_at, expires_at=expires_at)


def _refuse_moved(said: Saying, expected: int | None) -> None:
    at = AsOf(said.learned_at or 0, 0, latest=True)
    holds = Fact.objects.as_of(at).about(said.subject, said.predicate).filter(key__scope=said.scope).first()
    current = None if holds is None else holds.origin_id
    if current != expected:
        found = "nothing holds" if current is None else f"fact {current} holds"
        raise Conflict(f"expected_current is not what holds at that instant: {found}; nothing was stored")


def _placed(row: Fact, entry: Entry, placing: Placing) -> Outcome:
    previous, following = placing.place(row)
    if row.learned_at > entry.at:
        outcome = "scheduled"
    elif following is not None and following.learned_at <= entry.at:
        outcome = "backfilled"
    else:
        outcome = "created" if previous is None else "superseded"
    return Outcome(outcome, row, previous)
