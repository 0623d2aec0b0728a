"""retract and end: a saying is unsaid, or said again with another end; both stay in the history."""

from __future__ import annotations

from dataclasses import dataclass

from brain import chains, guard, rows, saying
from brain.errors import Conflict, Invalid, NotFound
from brain.journal import Entry, operation
from brain.models import Fact
from brain.querysets import under
from brain.reader import EVERYTHING, Reader
from brain.time import in_range
from brain.turns import turn


@dataclass(slots=True)
class Done:
    """The fact as it stands after a verb; `outcome` is `unchanged` when it was so already."""

    fact: Fact
    operation_id: int
    outcome: str


def standing(fact_id: int, reader: Reader = EVERYTHING) -> Fact:
    """The latest saying of a fact, as it exists for this reader. Raises NotFound, the same for elsewhere and never."""
    found = Fact.objects.existing(audit=reader.audit).filter(under(reader.scope), origin=fact_id)
    row: Fact | None = found.select_related("key").order_by("-id").first()
    if row is None:
        raise NotFound(f"there is no fact {fact_id}")
    return row


def last_touch(row: Fact) -> int:
    """The last operation that touched the fact of which `row` is the latest saying."""
    marks = (row.recorded_in_id, row.retracted_in_id, row.forgotten_in_id, row.restored_in_id)
    return max(mark for mark in marks if mark is not None)


def unsay(row: Fact, entry: Entry) -> None:
    """Marks a saying unsaid within an open operation; in a chain, what preceded it holds again."""
    chains.detach(row, entry.id)
    entry.touch("unsaid", row.pk, row.digest)
    entry.widen(row.key.scope)


def retract(fact_id: int, *, actor: str, reason: str, reader: Reader = EVERYTHING) -> Done:
    """Written by mistake: unsaid from now on, the previous value holds again. Done already: `unchanged`."""
    reason = saying.reason(reason, required=True)
    with turn():
        row = standing(fact_id, reader)
        guard.refuse_frozen([row.key.scope])
        if row.retracted_in_id is not None:
            return Done(row, last_touch(row), "unchanged")
        with operation("retract", actor=actor, reason=reason) as entry:
            unsay(row, entry)
            entry.count(retracted=1)
        return Done(row, entry.id, "retracted")


def end(fact_id: int, *, at: int | None, actor: str, reason: str, reader: Reader = EVERYTHING) -> Done:
    """It stopped being true at `at` (epoch milliseconds), or, with None, its end is lifted. The fact is said again
    with that expiry under the same id. Refused: an end that is not after `learned_at`, none on a temporary value."""
    reason = saying.reason(reason, required=True)
    with turn():
        row = standing(fact_id, reader)
        refuse_end(row, at)
        if row.expires_at == at:
            return Done(row, last_touch(row), "unchanged")
        with operation("end", actor=actor, reason=reason) as entry:
            copy = say_again(row, entry, expires_at=at)
            entry.count(ended=1)
        return Done(copy, entry.id, "ended")


def say_again(row: Fact, entry: Entry, **changes: object) -> Fact:
    """Unsays a saying and says it again, changed, in its place; the origin stays."""
    copy = rows.said_again(row, entry, **changes)
    chains.replace(row, copy, entry.id)
    entry.touch("unsaid", row.pk, row.digest)
    entry.touch("said", copy.pk, copy.digest)
    entry.widen(row.key.scope)
    return copy


def refuse_end(row: Fact, at: int | None) -> None:
    """Raises the reason why a saying cannot be given this end: Invalid, Frozen or Conflict."""
    refuse_instant(row, at)
    guard.refuse_frozen([row.key.scope])
    if row.retracted_in_id is not None or row.claim:
        raise Conflict(f"fact {row.origin_id} is {'a claim' if row.claim else 'retracted'} and cannot be ended")


def refuse_instant(row: Fact, at: int | None) -> None:
    """Raises Invalid where a saying cannot end then."""
    if at is None:
        if row.temporary:
            raise Invalid.field("at", "a temporary value needs an end")
    elif not in_range(at):
        raise Invalid.field("at", "must lie in 2000-01-01 to 9999-12-31")
    elif at <= row.learned_at:
        raise Invalid.field("at", "must be later than learned_at")
