"""A play does the same steps to the product and to the brute-force brain, and holds their answers equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import pytest
from django.db import transaction

from brain import dispute, forget, holds, journal, rewind, selectors
from brain import models as tables
from brain.errors import BrainError
from brain.reader import EVERYTHING
from brain.remember import Outcome, remember, remember_many
from brain.retire import end, retract
from brain.saying import UNSET as UNSAID
from brain.saying import Saying
from tests.laws import retiring, steps, writing
from tests.laws.model import Brain, Operation, Selector
from tests.laws.steps import Step
from tests.laws.writing import UNSET, Refused, Write

WHO = {"actor": "op", "reason": "as the play has it"}


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

    def act(self, script: Sequence[Step]) -> Brain:
        for step in script:
            self.do(step)
        return self.brain

    def do(self, step: Step) -> None:
        if isinstance(step, Write):
            self._remember(step)
        elif isinstance(step, steps.Batch):
            self._remember_many(step)
        elif self.origins:
            getattr(self, f"_{type(step).__name__.lower()}")(step)

    # -- one step, twice

    def _both(
        self,
        really: Callable[[], object],
        by_the_rules: Callable[[Operation], object],
        *,
        actor: str = WHO["actor"],
    ) -> tuple[object, object] | None:
        """What the product answered and what the rules say; None when both refuse. Their refusals are equal."""
        try:
            done = really()
        except BrainError as refusal:
            self._refused_alike(refusal, lambda: by_the_rules(self._next()))
            return None
        return done, by_the_rules(self._journaled(actor))

    def _journaled(self, actor: str) -> Operation:
        """The operation that was just done; without one (it was so already) the one that it would have been."""
        last = tables.Operation.objects.order_by("-id").first()
        if last is None or last.pk == self.brain.last():
            return self._next()
        assert last.pk == self.brain.last() + 1, "operations are numbered one by one"
        assert last.actor == actor
        self.brain.operations.append(Operation(last.pk, last.at, last.kind, actor))
        return self.brain.operations[-1]

    def _next(self) -> Operation:
        return Operation(self.brain.last() + 1, journal.now(), "refused")

    def _refused_alike(self, refusal: BrainError, by_the_rules: Callable[[], object]) -> None:
        with pytest.raises(Refused) as expected:
            by_the_rules()
        assert refusal.code == str(expected.value), f"{refusal.detail}: by the rules {expected.value}"

    def _origin(self, which: int) -> int:
        return self.origins[which % len(self.origins)]

    def _ids(self, numbers: tuple[int, ...] | None) -> tuple[int, ...] | None:
        return None if numbers is None else tuple({self._origin(number) for number in numbers})

    # -- remember

    def _remember(self, write: Write) -> None:
        said, write = self._saying(write)
        answers = self._both(
            lambda: remember(said, actor=write.written_by),
            lambda operation: writing.remember(self.brain, write, operation, self._new_fact()),
            actor=write.written_by,
        )
        if answers is not None:
            self._same_outcome(*answers, write)

    def _new_fact(self) -> int:
        """The id that the next fact gets: the product's, which the journal gives out."""
        newest = tables.Fact.objects.order_by("-id").values_list("origin_id", flat=True).first()
        return newest if newest and newest not in self.origins else 0

    def _same_outcome(self, done: Outcome, expected: tuple[str, object], write: Write) -> None:
        outcome, before = expected
        assert done.outcome == outcome, f"{write}: {done.outcome}, by the rules {outcome}"
        assert (done.previous and done.previous.origin_id) == (before and before.origin)
        if outcome != "unchanged":
            self.origins.append(done.fact.origin_id)

    def _remember_many(self, batch: steps.Batch) -> None:
        pairs = [self._saying(write) for write in batch.writes]
        done = remember_many([said for said, _ in pairs], actor="batch", atomic=False)
        operation = self._journaled("batch")
        for (_, write), outcome in zip(pairs, done.outcomes, strict=True):
            if isinstance(outcome, BrainError):
                self._refused_alike(outcome, lambda w=write: writing.remember(self.brain, w, operation, origin=0))
            else:
                expected = writing.remember(self.brain, write, operation, outcome.fact.origin_id)
                self._same_outcome(outcome, expected, write)

    def _saying(self, write: Write) -> tuple[Saying, Write]:
        """The write in the product's words and in the model's, expecting the same fact."""
        scope, subject, predicate = write.key
        words = {name: value for name, value in vars(write).items() if name not in {"key", "expected"}}
        expected = self._expected(write)
        said = Saying(
            subject, predicate, scope=scope, **words, **({} if expected is UNSET else {"expected_current": expected})
        )
        assert (said.expected_current is UNSAID) == (expected is UNSET)
        return said, replace(write, expected=expected)

    def _expected(self, write: Write) -> object:
        if write.expected is UNSET:
            return UNSET
        instant = journal.now() if write.learned_at is None else write.learned_at
        holds_then = self.brain.read(write.key, instant, self.brain.last())
        return {steps.RIGHT: holds_then and holds_then.origin, steps.WRONG: 999_999, steps.NOTHING: None}[
            write.expected
        ]

    # -- retract, end, claims

    def _retract(self, step: steps.Retract) -> None:
        fact = self._origin(step.which)
        self._same(lambda: retract(fact, **WHO), lambda operation: writing.retract(self.brain, fact, operation))

    def _end(self, step: steps.End) -> None:
        fact = self._origin(step.which)
        self._same(
            lambda: end(fact, at=step.at, **WHO), lambda operation: writing.end(self.brain, fact, step.at, operation)
        )

    def _settle(self, step: steps.Settle) -> None:
        fact = self._origin(step.which)
        really, by_the_rules = (dispute.accept, retiring.accept) if step.accept else (dispute.reject, retiring.reject)
        self._same(lambda: really(fact, **WHO), lambda operation: by_the_rules(self.brain, fact, operation))

    def _restore(self, step: steps.Restore) -> None:
        fact = self._origin(step.which)
        self._same(
            lambda: forget.restore(fact, **WHO, reader=EVERYTHING),
            lambda operation: retiring.restore(self.brain, fact, operation),
        )

    def _same(self, really: Callable[[], object], by_the_rules: Callable[[Operation], str]) -> None:
        answers = self._both(really, by_the_rules)
        assert answers is None or answers[0].outcome == answers[1]

    # -- forget, holds

    def chosen(self, selector: Selector) -> Selector:
        """The selector with ids of facts in place of their numbers."""
        return replace(selector, ids=self._ids(selector.ids))

    def _selector(self, selector: Selector) -> tuple[selectors.Selector, Selector]:
        chosen = self.chosen(selector)
        return selectors.parse({name: value for name, value in vars(chosen).items() if value is not None}), chosen

    def _forget(self, step: steps.Forget) -> None:
        real, chosen = self._selector(step.selector)
        self._same_counts(
            lambda: forget.forget(real, **WHO, reader=EVERYTHING, purge=step.purge, block_relearning=step.block),
            lambda operation: (
                retiring.purge(self.brain, chosen, block=step.block)
                if step.purge
                else retiring.forget(self.brain, chosen, operation, block=step.block)
            ),
        )

    def _forgetscope(self, step: steps.ForgetScope) -> None:
        self._same_counts(
            lambda: forget.forget_scope(step.scope, **WHO, reader=EVERYTHING),
            lambda operation: retiring.forget_scope(self.brain, step.scope),
        )

    def _retain(self, step: steps.Retain) -> None:
        self._same_counts(
            lambda: forget.retain(step.before, **WHO, basis=step.basis, reader=EVERYTHING),
            lambda operation: retiring.retain(self.brain, step.before, step.basis, operation),
        )

    def _same_counts(self, really: Callable[[], object], by_the_rules: Callable[[Operation], retiring.Counts]) -> None:
        answers = self._both(really, by_the_rules)
        if answers is not None:
            done, expected = answers
            assert {name: getattr(done, name) for name in vars(expected)} == vars(expected)

    def _hold(self, step: steps.Hold) -> None:
        real, chosen = self._selector(step.selector)
        hold, _ = holds.place(real, **WHO, reader=EVERYTHING)
        self._journaled(WHO["actor"])
        self.brain.holds[hold.pk] = chosen

    def _lift(self, step: steps.Lift) -> None:
        if self.brain.holds:
            hold = sorted(self.brain.holds)[step.which % len(self.brain.holds)]
            holds.lift(hold, **WHO, reader=EVERYTHING)
            self._journaled(WHO["actor"])
            del self.brain.holds[hold]

    # -- rewind

    def _rewind(self, step: steps.Rewind) -> None:
        self.rewind(max(0, self.brain.last() - step.back), replace(step.part, ids=self._ids(step.part.ids)))

    def _undo(self, step: steps.Undo) -> None:
        numbers = {self.brain.last() - back for back in step.backs if self.brain.last() > back}
        if numbers:
            self.rewind(None, retiring.Part(operations=tuple(sorted(numbers))))

    def rewind(self, to: int | None, part: retiring.Part) -> None:
        real = rewind.Part(**vars(part))
        answers = self._both(
            lambda: rewind.rewind(to, **WHO, reader=EVERYTHING, part=real),
            lambda operation: retiring.rewind(self.brain, to, part, operation),
        )
        folded = any(row.hole == "retention" for row in self.brain.rows)  # fewer holes move where several are one
        if answers is not None and not folded:
            done, (retracted, restored) = answers
            assert (done.retracted, done.restored) == (retracted, restored)
