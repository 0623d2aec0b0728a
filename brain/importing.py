"""An import is one turn: a file's lines in their order, all of them or, where asked, all but the bad ones.

One operation a file, or one for each recorded time that is kept. The file's digest is kept, so that it is noticed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from brain import journal, saying
from brain.errors import BrainError, Invalid
from brain.journal import operation
from brain.lines import COLUMNS, Defaults, Line, parse
from brain.models import ImportedFile, Operation
from brain.policy import FADING, Fading
from brain.replay import Replay
from brain.tabular import Problem, Row, rows
from brain.time import to_text
from brain.turns import rehearsal, turn


@dataclass(frozen=True, slots=True)
class Terms:
    """How a file is imported. `skip_bad`: leave bad lines out instead of refusing the file. `again`: even when the
    same file was imported before. `keep_recorded`: each line was told at its `recorded_at`."""

    defaults: Defaults = field(default_factory=Defaults)
    skip_bad: bool = False
    again: bool = False
    keep_recorded: bool = False
    dry_run: bool = False


@dataclass(slots=True)
class Imported:
    """What became of a file: lines by outcome, bad ones, operations. `before` is its earlier import, when that is why
    nothing was done."""

    outcomes: Counter[str] = field(default_factory=Counter)
    bad: int = 0
    operations: list[int] = field(default_factory=list)
    before: ImportedFile | None = None


def import_file(
    path: Path,
    *,
    actor: str,
    terms: Terms,
    reason: str = "",
    fading: Fading = FADING,
    heard: Callable[[int], None] = lambda size: None,
    report: Callable[[Problem], None] = lambda problem: None,
) -> Imported:
    """Imports a .csv, .xlsx or .ndjson file. Every bad line goes to `report`; raises Invalid when there is one and
    bad lines are not skipped, and then nothing was stored. `heard` is told of what was read."""
    digest = _digest(path)
    with rehearsal() if terms.dry_run else turn():
        before = None if terms.again else ImportedFile.objects.filter(digest=digest).first()
        if before is not None:
            return Imported(before=before)
        reason = saying.reason(reason or f"import of {path.name}")
        work = _Work(terms, actor, reason, {"file": path.name, "digest": digest}, fading, report)
        work.carry_out(rows(path, COLUMNS, heard))
        ImportedFile.objects.create(
            digest=digest, name=path.name, rows=work.done.outcomes.total(), imported_in_id=work.done.operations[-1]
        )
    return work.done


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise Invalid.field("file", f"{path} cannot be read: {error.strerror}") from error


class _Work:
    """One import under way, within its turn."""

    def __init__(
        self,
        terms: Terms,
        actor: str,
        reason: str,
        details: dict[str, str],
        fading: Fading,
        report: Callable[[Problem], None],
    ) -> None:
        self.terms, self.actor, self.reason, self.details = terms, actor, reason, details
        self.report, self.done = report, Imported()
        self.problems: list[Problem] = []
        self.replay = Replay(self._refuse, self._report, fading)
        self.now = journal.now()
        self.floor = self.last = Operation.objects.order_by("-id").values_list("at", flat=True).first() or 0

    def carry_out(self, found: Iterable[Row | Problem]) -> None:
        for instant, lines in groupby(self._lines(found), key=self._recorded):
            with operation("import", actor=self.actor, reason=self.reason, details=self.details, at=instant) as entry:
                self.replay.play(lines, entry)
            self.done.operations.append(entry.id)
        self._report()
        self.done.outcomes = self.replay.outcomes
        if self.done.bad and not self.terms.skip_bad:
            raise Invalid(f"nothing was stored; bad lines: {self.done.bad:,}")
        if not self.done.outcomes:
            raise Invalid.field("file", "holds no line that could be stored")

    def _recorded(self, line: Line) -> int | None:
        return line.recorded_at if self.terms.keep_recorded else None

    def _lines(self, found: Iterable[Row | Problem]) -> Iterator[Line]:
        """The good lines; the others are reported."""
        for item in found:
            parsed = [item] if isinstance(item, Problem) else parse(item, self.terms.defaults)
            if isinstance(parsed, Line) and (rule := self._misplaced(parsed)):
                parsed = [Problem(parsed.number, "recorded_at", rule)]
            if isinstance(parsed, Line):
                yield parsed
            else:
                self._note(parsed)

    def _misplaced(self, line: Line) -> str:
        """Why the line cannot keep its recorded time; empty when it can."""
        if not self.terms.keep_recorded:
            return ""
        if line.recorded_at is None:
            return "must be given where recorded times are kept"
        if line.recorded_at < self.floor:
            return f"must not precede the brain's last operation, {to_text(self.floor)}"
        if line.recorded_at < self.last:
            return f"must not decrease: an earlier line was recorded at {to_text(self.last)}"
        if line.recorded_at > self.now:
            return "must not lie after now"
        self.last = line.recorded_at
        return ""

    def _refuse(self, line: Line, refusal: BrainError) -> None:
        errors = refusal.errors or [("", f"{refusal.code}: {refusal.detail}")]
        self._note([Problem(line.number, column, rule) for column, rule in errors])

    def _note(self, problems: list[Problem]) -> None:
        self.done.bad += 1
        self.problems += problems

    def _report(self) -> None:
        """Tells the problems so far in the order of their lines; those that the brain finds come after others."""
        for problem in sorted(self.problems, key=lambda problem: problem.line):
            self.report(problem)
        self.problems.clear()
