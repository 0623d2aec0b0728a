"""foresee: what a saying would change for agents, found by saying it in a rehearsal that leaves no trace."""

from __future__ import annotations

from dataclasses import dataclass

from brain.journal import last_id, now
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
    """`fact` would say it, from its `learned_at` on; `follows` is the row that would come after it on its track. The
    other rows are what a recall returns: now and at that beginning, before and after the saying, and at its end (None
    where nothing is returned; `ended` only for one that ends)."""

    outcome: str
    fact: Fact
    follows: Fact | None
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
        begins = operation.at if said.learned_at is None else said.learned_at
        before, after = operation.pk - 1, last_id()
        return Foreseen(
            outcome.outcome,
            fact,
            None
            if fact.superseded_by_id is None
            else Fact.objects.visible(AsOf(operation.at, after, latest=True)).filter(pk=fact.superseded_by_id).first(),
            operation.at,
            _answer(said, AsOf(operation.at, before, latest=False)),
            _answer(said, AsOf(operation.at, after, latest=True)),
            _answer(said, AsOf(begins, before, latest=False)),
            _answer(said, AsOf(begins, after, latest=True)),
            None if fact.expires_at is None else _answer(said, AsOf(fact.expires_at, after, latest=True)),
            outcome.similar,
        )


def held_as_told(said: Saying, known_at: int) -> int | None:
    """The id of what agents read at the saying's beginning, as told by operation `known_at`; None for nothing."""
    said = check(said)
    begins = now() if said.learned_at is None else said.learned_at
    row = _answer(said, AsOf(begins, known_at, latest=False))
    return None if row is None else row.origin_id


def _answer(said: Saying, at: AsOf) -> Fact | None:
    """What agents read of the saying's key."""
    rows = Fact.objects.as_of(at).about(said.subject, said.predicate).filter(key__scope=said.scope)
    found: Fact | None = rows.select_related("key").first()
    return found
