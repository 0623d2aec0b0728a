"""forget, restore, rewind and the settling of claims on the brute-force brain, from their paragraphs of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tests.laws.model import Brain, Key, Operation, Row, Selector, under
from tests.laws.writing import Refused


@dataclass
class Counts:
    matched: int = 0
    forgotten: int = 0
    purged: int = 0
    held: int = 0


def forget(brain: Brain, selector: Selector, operation: Operation, *, block: bool) -> Counts:
    """Soft: withholds what is not yet withheld, all versions of it."""
    matched = {origin for origin in brain.matching(selector) if not _is_forgotten(brain, origin)}
    taken = matched - brain.held()
    rows = [row for row in brain.rows if row.origin in taken and not row.hole]
    _block(brain, rows, block=block)
    for row in rows:
        row.stretches.append((operation.id, None))
    return Counts(matched=len(matched), forgotten=len(taken), held=len(matched - taken))


def purge(brain: Brain, selector: Selector, *, block: bool) -> Counts:
    matched = brain.matching(selector)
    taken = matched - brain.held()
    rows = [row for row in brain.rows if row.origin in taken and not row.hole]
    _block(brain, rows, block=block)
    _erase(rows, "purge")
    _drop_empty_keys(brain, {row.key for row in rows})
    return Counts(matched=len(matched), purged=len(taken), held=len(matched - taken))


def forget_scope(brain: Brain, scope: str) -> Counts:
    matched = {row.origin for row in brain.rows if under(row.key[0], scope) and not row.hole}
    if matched & brain.held():
        raise Refused("held")
    brain.rows = [row for row in brain.rows if not under(row.key[0], scope)]
    return Counts(matched=len(matched), purged=len(matched))


def retain(brain: Brain, before: int, basis: str, operation: Operation) -> Counts:
    """Retention counts rows, and takes the retracted versions of what it takes uncounted."""
    rule = _superseded if basis == "learned_at" else _ended
    matched = [row for row in brain.rows if not row.hole and rule(brain, row, before, operation)]
    held = brain.held()
    taken = [row for row in matched if row.origin not in held]
    gone = {row.origin for row in taken}
    versions = [row for row in brain.rows if row.origin in gone and row.retracted_in is not None and not row.hole]
    _erase([*taken, *versions], "retention")
    return Counts(matched=len(matched), purged=len(taken), held=len(matched) - len(taken))


def _superseded(brain: Brain, row: Row, before: int, operation: Operation) -> bool:
    follower = brain.follower(row, operation.id)
    return row.learned_at < before and follower is not None and follower.learned_at <= operation.at


def _ended(brain: Brain, row: Row, before: int, operation: Operation) -> bool:
    if row.retracted_in is not None:
        return next(one.at for one in brain.operations if one.id == row.retracted_in) < before
    if row.claim:
        return False
    follower = brain.follower(row, operation.id)
    ends = [end for end in (row.expires_at, follower and follower.learned_at) if end is not None]
    return bool(ends) and min(ends) < before and min(ends) <= operation.at


def _erase(rows: Iterable[Row], kind: str) -> None:
    for row in rows:
        row.hole, row.value, row.source, row.written_by = kind, "", "", ""


def _drop_empty_keys(brain: Brain, keys: set[Key]) -> None:
    alive = {row.key for row in brain.rows if not row.hole}
    brain.rows = [row for row in brain.rows if row.key in alive or row.key not in keys]


def _block(brain: Brain, rows: Iterable[Row], *, block: bool) -> None:
    if block:
        brain.blocked |= {(row.key, row.value) for row in rows}


def _is_forgotten(brain: Brain, origin: int) -> bool:
    return any(row.forgotten for row in brain.rows if row.origin == origin)


def restore(brain: Brain, origin: int, operation: Operation) -> str:
    rows = [row for row in brain.rows if row.origin == origin and not row.hole]
    if not rows:
        raise Refused("not_found")
    if not any(row.forgotten for row in rows):
        return "unchanged"
    for row in rows:
        row.stretches = [(start, operation.id if end is None else end) for start, end in row.stretches]
    return "restored"


# -- rewind


@dataclass(frozen=True)
class Part:
    """What a rewind is narrowed to; `operations` is undo."""

    scope: str | None = None
    subject: str | None = None
    written_by: str | None = None
    source: str | None = None
    actor: str | None = None
    ids: tuple[int, ...] | None = None
    operations: tuple[int, ...] | None = None

    def concerns(self, row: Row) -> bool:
        scope, subject, _ = row.key
        pairs = [(self.subject, subject), (self.written_by, row.written_by), (self.source, row.source)]
        return (
            all(wanted is None or wanted == found for wanted, found in pairs)
            and (self.scope is None or under(scope, self.scope))
            and (self.ids is None or row.origin in self.ids)
        )


def rewind(brain: Brain, to: int | None, part: Part, operation: Operation) -> tuple[int, int]:
    """How many rows it unsaid and how many it said again. Raises Refused."""
    did = _undone(brain, to, part)
    rows = [row for row in brain.rows if part.concerns(row)]
    unsaid = [row for row in rows if did(row.recorded_in) and row.retracted_in is None]
    back = [row for row in rows if row.retracted_in and did(row.retracted_in) and not did(row.recorded_in)]
    if part.operations is not None:
        _refuse_touched_since(brain, {row.origin for row in rows if _did_to(row, did)}, part.operations)
    for row in unsaid:
        row.retracted_in = operation.id
    open_now = {row.origin for row in brain.rows if row.retracted_in is None}
    latest = {row.origin: row for row in sorted(back, key=lambda row: row.recorded_in)}
    again = [row for row in latest.values() if row.origin not in open_now and (row.key, row.value) not in brain.blocked]
    brain.rows += [row.again(operation.id) for row in again]
    return len(unsaid), len(again)


def _undone(brain: Brain, to: int | None, part: Part) -> Callable[[int], bool]:
    if part.operations is not None:
        return lambda number: number in part.operations
    by_actor = {one.id for one in brain.operations if part.actor is None or one.actor == part.actor}
    return lambda number: number > to and number in by_actor


def _did_to(row: Row, did: Callable[[int], bool]) -> bool:
    return did(row.recorded_in) or (row.retracted_in is not None and did(row.retracted_in))


def _refuse_touched_since(brain: Brain, origins: set[int], undone: tuple[int, ...]) -> None:
    for origin in origins:
        touches = {touch for row in brain.rows if row.origin == origin for touch in _touches(row)}
        begun = min(touches & set(undone))
        if any(touch > begun for touch in touches - set(undone)):
            raise Refused("conflict")


def _touches(row: Row) -> set[int]:
    marks = {mark for stretch in row.stretches for mark in stretch}
    return {mark for mark in (row.recorded_in, row.retracted_in, *marks) if mark is not None}


# -- claims


def accept(brain: Brain, origin: int, operation: Operation) -> str:
    claim = _open_claim(brain, origin, operation)
    if (claim.key, claim.value) in brain.blocked:
        raise Refused("blocked_by_forget")
    claim.retracted_in = operation.id
    track = brain.chain(claim.key, operation.id, temporary=claim.temporary)
    overtaken = any(row.place > claim.place and row.learned_at <= operation.at for row in track)
    learned_at = operation.at if overtaken else claim.learned_at
    brain.rows.append(claim.again(operation.id, claim=False, learned_at=learned_at))
    return "accepted"


def reject(brain: Brain, origin: int, operation: Operation) -> str:
    _open_claim(brain, origin, operation).retracted_in = operation.id
    return "rejected"


def _open_claim(brain: Brain, origin: int, operation: Operation) -> Row:
    claim = brain.latest_saying(origin)
    if claim is None or claim.hole or claim.forgotten:
        raise Refused("not_found")
    if not claim.claim or claim.retracted_in is not None or claim.expired(operation.at):
        raise Refused("conflict")
    return claim
