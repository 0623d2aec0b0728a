"""A play does the same steps to the product and to the brute-force brain, and holds their answers equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from django.db import transaction

from brain import journal
from brain.errors import BrainError
from brain.remember import Outcome, remember, remember_many
from brain.retire import end, retract
from brain.saying import UNSET as UNSAID
from brain.saying import Saying
from tests.laws import writing
from tests.laws.model import Brain, Operation
from tests.laws.writing import UNSET, Refused, Write

RIGHT, WRONG, NOTHING = "right", "wrong", None  # what a writer expects to hold


@dataclass
class Retract:
    which: int  # the n-th fact, counted round


@dataclass
class End:
    which: int
    at: int | None


@dataclass
class Batch:
    writes: list[Write]


Step = Write | Retract | End | Batch


@contextmanager
def afterwards_undone() -> Iterator[None]:
    """The database is as before when the block ends, so that every example begins with an empty brain."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@dataclass
class Play:
    brain: Brain = field(default_factory=Brain)
    origins: list[int] = field(default_factory=list)

    def act(self, steps: Sequence[Step]) -> Brain:
        for step in steps:
            self.do(step)
        return self.brain

    def do(self, step: Step) -> None:
        if isinstance(step, Write):
            self._remember(step)
        elif isinstance(step, Batch):
            self._remember_many(step)
        elif self.origins:
            self._retire(step, self.origins[step.which % len(self.origins)])

    def _remember(self, write: Write) -> None:
        said = self._saying(write)
        done = self._same_refusal(
            lambda: remember(said, actor=write.written_by),
            lambda: writing.remember(self.brain, self._expecting(write, said), self._next(), origin=0),
        )
        if done is not None:
            operation = self._journaled(done.operation.id, done.operation.at, done.operation.kind, write.written_by)
            self._same_outcome(done, self._expecting(write, said), operation)

    def _remember_many(self, batch: Batch) -> None:
        sayings = [self._saying(write) for write in batch.writes]
        done = remember_many(sayings, actor="batch", atomic=False)
        operation = self._journaled(done.operation.id, done.operation.at, done.operation.kind, "batch")
        for write, said, outcome in zip(batch.writes, sayings, done.outcomes, strict=True):
            if isinstance(outcome, Outcome):
                self._same_outcome(outcome, self._expecting(write, said), operation)
            else:
                self._refused_alike(outcome, lambda w=write, s=said: self._model_refusal(w, s, operation))

    def _model_refusal(self, write: Write, said: Saying, operation: Operation) -> None:
        writing.remember(self.brain, self._expecting(write, said), operation, origin=0)

    def _same_outcome(self, done: Outcome, write: Write, operation: Operation) -> None:
        origin = done.fact.origin_id
        outcome, before = writing.remember(self.brain, write, operation, origin)
        assert done.outcome == outcome, f"{write}: {done.outcome}, by the rules {outcome}"
        assert (done.previous and done.previous.origin_id) == (before and before.origin)
        if outcome != "unchanged":
            self.origins.append(origin)

    def _retire(self, step: Retract | End, origin: int) -> None:
        if isinstance(step, Retract):
            done = self._same_refusal(
                lambda: retract(origin, actor="ann", reason="mistake"),
                lambda: writing.retract(self.brain, origin, self._next()),
            )
        else:
            done = self._same_refusal(
                lambda: end(origin, at=step.at, actor="ann", reason="over"),
                lambda: writing.end(self.brain, origin, step.at, self._next()),
            )
        if done is None:
            return
        if done.outcome == "unchanged":
            operation = self._next()
        else:
            operation = self._journaled(done.operation_id, journal.now(), done.outcome, "ann")
        by_the_rules = (
            writing.retract(self.brain, origin, operation)
            if isinstance(step, Retract)
            else writing.end(self.brain, origin, step.at, operation)
        )
        assert done.outcome == by_the_rules

    def _next(self) -> Operation:
        """The operation that a refused step would have been."""
        return Operation(self.brain.last() + 1, journal.now(), "refused")

    def _journaled(self, number: int, at: int, kind: str, actor: str) -> Operation:
        assert number == self.brain.last() + 1, "operations are numbered one by one"
        self.brain.operations.append(Operation(number, at, kind, actor))
        return self.brain.operations[-1]

    def _same_refusal[T](self, really: Callable[[], T], by_the_rules: Callable[[], object]) -> T | None:
        """What the product did; None when it refused, as the rules do."""
        try:
            return really()
        except BrainError as refusal:
            self._refused_alike(refusal, by_the_rules)
            return None

    def _refused_alike(self, refusal: BrainError, by_the_rules: Callable[[], object]) -> None:
        with pytest.raises(Refused) as expected:
            by_the_rules()
        assert refusal.code == str(expected.value), f"{refusal.detail}: by the rules {expected.value}"

    def _saying(self, write: Write) -> Saying:
        scope, subject, predicate = write.key
        return Saying(
            subject=subject,
            predicate=predicate,
            value=write.value,
            source=write.source,
            written_by=write.written_by,
            learned_at=write.learned_at,
            expires_at=write.expires_at,
            temporary=write.temporary,
            category=write.category,
            source_kind=write.source_kind,
            confidence=write.confidence,
            scope=scope,
            expected_current=self._expected(write),
        )

    def _expected(self, write: Write) -> object:
        if write.expected is UNSET:
            return UNSAID
        instant = journal.now() if write.learned_at is None else write.learned_at
        holds = self.brain.read(write.key, instant, self.brain.last())
        return {RIGHT: holds and holds.origin, WRONG: 999_999, NOTHING: None}[write.expected]

    def _expecting(self, write: Write, said: Saying) -> Write:
        """The same write in the model's words: it expects what the product was told to expect."""
        expected = UNSET if said.expected_current is UNSAID else said.expected_current
        return Write(**{**vars(write), "expected": expected})
