"""foresee: what a saying would change for agents, found by saying it in a rehearsal that leaves no trace."""

from __future__ import annotations

from dataclasses import dataclass

from brain.journal import last_id
from brain.models import Fact
from brain.policy import FADING, Fading
from brain.reader import EVERYTHING, Reader
from brain.remember import remember
from brain.saying import Saying, check
from brain.time import AsOf
from brain.turns import rehearsal, turn

PATIENCE = 2.0  # seconds that a preview waits for its turn; Busy after that


@dataclass(frozen=True, slots=True)
class Foreseen:
    """`fact` would say it, from `learned_at` on. The other rows are what a recall returns: now and at that beginning,
    before and after the saying, and at its end (None where nothing is returned; `ended` only for one that ends)."""

    outcome: str
    fact: Fact
    now: int
    holds_now: Fact | None
    holds_now_after: Fact | None
    held: Fact | None
    held_after: Fact | None
    ended: Fact | None
    similar: list[str]


def foresee(said: Saying, *, actor: str, reader: Reader = EVERYTHING, fading: Fading = FADING) -> Foreseen:
    """Raises what remember would raise, and Busy when another writer holds the brain for longer than PATIENCE."""
    said = check(said)
    with turn(PATIENCE), rehearsal():
        outcome = remember(said, actor=actor, reader=reader, fading=fading)
        fact, operation = outcome.fact, outcome.operation
        assert operation is not None
        now, begins = operation.at, operation.at if said.learned_at is None else said.learned_at
        before, after = operation.pk - 1, last_id()
        return Foreseen(
            outcome.outcome,
            fact,
            now,
            _answer(said, AsOf(now, before, latest=False)),
            _answer(said, AsOf(now, after, latest=True)),
            _answer(said, AsOf(begins, before, latest=False)),
            _answer(said, AsOf(begins, after, latest=True)),
            None if fact.expires_at is None else _answer(said, AsOf(fact.expires_at, after, latest=True)),
            outcome.similar,
        )


def _answer(said: Saying, at: AsOf) -> Fact | None:
    """What agents read of the saying's key."""
    rows = Fact.objects.as_of(at).about(said.subject, said.predicate).filter(key__scope=said.scope)
    found: Fact | None = rows.select_related("key").first()
    return found
