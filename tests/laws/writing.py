"""The verbs on the brute-force brain, each straight from its paragraph of the rules; a refusal changes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.laws.model import WEEK, Brain, Key, Operation, Row

UNSET = object()


class Refused(Exception):
    """What the brain must answer with, by its code."""


@dataclass
class Write:
    """A remember as a caller words it."""

    key: Key
    value: str
    learned_at: int | None = None
    expires_at: int | None = None
    temporary: bool = False
    category: str = "knowledge"
    source_kind: str = "upsert"
    confidence: float = 1.0
    written_by: str = "ann"
    source: str = "sheet"
    expected: Any = UNSET


def remember(brain: Brain, write: Write, operation: Operation, origin: int) -> tuple[str, Row | None]:
    """The outcome and the row that the new one follows on its track. Raises Refused."""
    now = operation.at
    row = Row(
        origin=origin,
        key=write.key,
        value=write.value,
        learned_at=now if write.learned_at is None else write.learned_at,
        recorded_in=operation.id,
        source=write.source,
        written_by=write.written_by,
        expires_at=write.expires_at,
        temporary=write.temporary,
        category=write.category,
        source_kind=write.source_kind,
        confidence=write.confidence,
    )
    if row.category == "context" and row.expires_at is None:
        row.expires_at = row.learned_at + WEEK
    _refuse(brain, write, row)
    stands = incumbent(brain, row)
    if stands is not None and unchanged(row, stands, dated=write.learned_at is not None):
        return "unchanged", stands
    if disputed(brain, row, stands):
        row.claim = True
        brain.rows.append(row)
        return "contested", stands
    return _placed(brain, row, now)


def _refuse(brain: Brain, write: Write, row: Row) -> None:
    if row.expires_at is None and row.temporary:
        raise Refused("invalid")
    if row.expires_at is not None and row.expires_at <= row.learned_at:
        raise Refused("invalid")
    if (row.key, row.value) in brain.blocked:
        raise Refused("blocked_by_forget")
    if write.expected is not UNSET:
        holds = brain.read(row.key, row.learned_at, brain.last())
        if (holds.origin if holds else None) != write.expected:
            raise Refused("conflict")


def _placed(brain: Brain, row: Row, now: int) -> tuple[str, Row | None]:
    track = brain.chain(row.key, row.recorded_in, temporary=row.temporary)
    before = [other for other in track if other.place < row.place]
    after = [other for other in track if other.place > row.place and other.learned_at <= now]
    brain.rows.append(row)
    if row.learned_at > now:
        outcome = "scheduled"
    elif after:
        outcome = "backfilled"
    else:
        outcome = "superseded" if before else "created"
    return outcome, before[-1] if before else None


def incumbent(brain: Brain, row: Row) -> Row | None:
    found = brain.winner(row.key, row.learned_at, row.recorded_in, temporary=row.temporary)
    if found is None or found.expired(row.learned_at) or found.forgotten or found.hole:
        return None
    return found


def unchanged(row: Row, stands: Row, *, dated: bool) -> bool:
    if row.value != stands.value:
        return False
    if stands.curated and not row.curated:
        return True
    same = (row.expires_at, row.category, row.curated) == (stands.expires_at, stands.category, stands.curated)
    return same and (not dated or row.learned_at == stands.learned_at)


def disputed(brain: Brain, row: Row, stands: Row | None) -> bool:
    if row.temporary and not row.curated and _covers_a_curated_value(brain, row):
        return True
    if stands is None or row.value == stands.value:
        return False
    if row.curated == stands.curated:
        return row.confidence < 0.7 or row.confidence < stands.confidence
    return not row.curated


def _covers_a_curated_value(brain: Brain, row: Row) -> bool:
    """True when, at some instant of the temporary row, a curated standing value would have answered."""
    standing = brain.chain(row.key, row.recorded_in, temporary=False)
    instants = {row.learned_at, *(other.learned_at for other in standing)}
    during = (instant for instant in instants if row.learned_at <= instant < (row.expires_at or 0))
    return any(_curated_value(brain.winner(row.key, at, row.recorded_in, temporary=False), at) for at in during)


def _curated_value(row: Row | None, instant: int) -> bool:
    return row is not None and row.curated and not (row.expired(instant) or row.hole or row.forgotten)


def retract(brain: Brain, origin: int, operation: Operation) -> str:
    row = _existing(brain, origin)
    if row.retracted_in is not None:
        return "unchanged"
    row.retracted_in = operation.id
    return "retracted"


def end(brain: Brain, origin: int, at: int | None, operation: Operation) -> str:
    row = _existing(brain, origin)
    if row.temporary if at is None else at <= row.learned_at:
        raise Refused("invalid")
    if row.retracted_in is not None or row.claim:
        raise Refused("conflict")
    if row.expires_at == at:
        return "unchanged"
    row.retracted_in = operation.id
    brain.rows.append(row.again(operation.id, expires_at=at))
    return "ended"


def _existing(brain: Brain, origin: int) -> Row:
    row = brain.latest_saying(origin)
    if row is None or row.hole:
        raise Refused("not_found")
    return row
