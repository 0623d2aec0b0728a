"""An existing brain is taught as one operation: its rows in the order of (learned_at, id), from which chains follow."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from brain import saying
from brain.errors import BrainError, Invalid
from brain.journal import operation
from brain.policy import FADING, Fading
from brain.remember import Outcome, say_each
from brain.saying import Saying
from brain.seed_file import SeedFact, read
from brain.tabular import Problem


@dataclass(slots=True)
class Difference:
    """A row whose `superseded_by` is not the row that follows it in its chain; both are ids of the file."""

    id: int
    stated: int | None
    follower: int | None

    def __str__(self) -> str:
        return f"fact {self.id}: superseded_by is {self.stated or 'empty'}, its chain says {self.follower or 'none'}"


@dataclass(slots=True)
class Brought:
    """What became of an existing brain's rows, and where its links were not its chains."""

    operation: int
    outcomes: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)


def import_brain(
    path: Path,
    *,
    actor: str,
    reason: str = "",
    fading: Fading = FADING,
    heard: Callable[[int], None] = lambda rows: None,
    report: Callable[[Problem], None] = lambda problem: None,
) -> Brought:
    """Imports the facts of a seed's SQLite file. Every bad row goes to `report` and then nothing is stored: Invalid."""
    reason = saying.reason(reason or f"import of the brain {path.name}")
    with operation("import", actor=actor, reason=reason, details={"file": path.name}) as entry:
        brought = Brought(entry.id)
        work = _Work(brought, heard, report)
        for outcome in say_each(work.sayings(read(path)), entry, fading):
            work.note(outcome)
        if work.bad:
            raise Invalid(f"nothing was stored; bad rows: {work.bad:,}")
        entry.count(**brought.outcomes)
    return brought


class _Work:
    def __init__(self, brought: Brought, heard: Callable[[int], None], report: Callable[[Problem], None]) -> None:
        self.brought, self.heard, self.report = brought, heard, report
        self.bad, self.saying = 0, deque[int]()

    def sayings(self, facts: Iterator[SeedFact | list[Problem]]) -> Iterator[Saying]:
        for fact in facts:
            self.heard(1)
            if isinstance(fact, list):
                self._refuse(fact)
                continue
            if fact.superseded_by != fact.follower:
                self.brought.differences.append(Difference(fact.id, fact.superseded_by, fact.follower))
            self.saying.append(fact.id)
            yield fact.saying

    def note(self, outcome: Outcome | BrainError) -> None:
        row = self.saying.popleft()
        if isinstance(outcome, Outcome):
            self.brought.outcomes[outcome.outcome] += 1
        else:
            self._refuse([Problem(row, column, rule) for column, rule in outcome.errors or [("", outcome.detail)]])

    def _refuse(self, problems: list[Problem]) -> None:
        self.bad += 1
        for problem in problems:
            self.report(problem)
