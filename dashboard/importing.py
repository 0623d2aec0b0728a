"""An import under way: read, tried as a rehearsal, then stored as one operation, exactly as it was previewed; long work
goes on in the background and is found again by its address."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Any

from django.db import connections

from brain import journal
from brain.errors import BrainError, Conflict, NotFound
from brain.importing import Terms, import_file
from brain.lines import COLUMNS, Defaults, Line, parse
from brain.models import ImportedFile
from brain.remember import Outcome, remember_many
from brain.staging import Staged
from brain.tabular import Problem, rows
from brain.turns import turn
from dashboard.columns import Dates, guessed, read
from dashboard.sheets import Plan, convert

RUNNING = {"reading": "columns", "previewing": "columns", "committing": "previewed"}  # step → where it falls back to
SILENT = 90  # seconds after which work that says nothing has stopped
INLINE_BYTES, INLINE_ROWS = 400_000, 2_000  # smaller work is done while the person waits
MOST_SHOWN = 1_000  # rows of one outcome, and bad rows, that a preview keeps
BATCH = 3_000  # rows tried in one turn
PACE = 0.5  # seconds between two notes of progress
PREVIEW = "preview.json"
CHANGED = "The brain has changed since you looked, and something else would become of some rows. Look again."
BUSY = "Somebody else was writing for too long. Nothing was stored; try once more."


class Progress:
    """Notes how far the work is, now and then."""

    def __init__(self, staged: Staged, total: int) -> None:
        self.staged, self.total, self.done, self.told = staged, max(total, 1), 0, time.monotonic()

    def heard(self, size: int) -> None:
        self.done += size
        if time.monotonic() - self.told > PACE:
            self.told = time.monotonic()
            self.staged.note(done=min(self.done, self.total), total=self.total)


def start(staged: Staged, step: str, work: Callable[[Staged], None], *, small: bool, **changes: Any) -> None:
    """Does the work at once when it is small, else in the background; what goes wrong is noted either way."""
    staged.note(step=step, done=0, total=0, problem="", **changes)
    if small:
        _carry_out(staged, step, work)
    else:
        threading.Thread(target=_in_background, args=(staged, step, work), daemon=True).start()


def _in_background(staged: Staged, step: str, work: Callable[[Staged], None]) -> None:
    try:
        _carry_out(staged, step, work)
    finally:
        connections.close_all()


def _carry_out(staged: Staged, step: str, work: Callable[[Staged], None]) -> None:
    try:
        work(staged)
    except NotFound:
        return  # it was erased meanwhile, and whoever looks is told so
    except BrainError as refusal:
        problem = BUSY if refusal.code == "busy" else refusal.errors[0][1] if refusal.errors else refusal.detail
        staged.note(step=RUNNING[step], problem=problem)


def looked_at(staged: Staged) -> dict[str, Any]:
    """The state, in which work that died is told as stopped."""
    state = staged.state()
    if state["step"] in RUNNING and time.time() - state["at"] > SILENT:
        done = ImportedFile.objects.filter(digest=state.get("digest", "-"), imported_in__gt=state.get("seen", 0)).last()
        if done is not None:
            return staged.note(step="done", operation=done.imported_in_id)
        return staged.note(step=RUNNING[state["step"]], problem="The work stopped before its end. Nothing was stored.")
    return state


# -- the three pieces of work


def read_columns(staged: Staged) -> None:
    state = staged.state()
    path = staged.file(state["file"])
    sheet = read(path)
    staged.note(
        step="columns",
        header=sheet.header,
        sample=sheet.sample,
        rows=sheet.total,
        dates={name: asdict(dates) for name, dates in sheet.dates.items()},
        guessed=guessed(sheet),
        before=_stored_in(path),
    )


def _stored_in(path: Path) -> int | None:
    """The last operation in which this very file was stored, on a page or by a command."""
    before = ImportedFile.objects.filter(digest=_digest(path)).last()
    return before.imported_in_id if before else None


def facts_of(staged: Staged, state: dict[str, Any]) -> Path:
    """The lines that the sheet was mapped to, under the name by which the journal will know the file."""
    return staged.file(f"{state['name']}.ndjson")


def dates_of(state: dict[str, Any]) -> dict[str, Dates]:
    return {name: Dates(**found) for name, found in state["dates"].items()}


def preview(staged: Staged) -> None:
    """Tries the import in rehearsals, and keeps what became of each row. Keys know nothing of each other, so they are
    tried some thousand rows at a time, and other writers get their turn in between."""
    state = staged.state()
    bad: list[Problem] = []
    plan = Plan(**state["plan"])
    converted = convert(staged.file(state["file"]), state["header"], plan, facts_of(staged, state), bad.append)

    def report(problem: Problem) -> None:
        bad.append(Problem(converted.lines[problem.line - 1], plan.column(problem.column), problem.rule))

    lines = _lines(facts_of(staged, state), state["owner"], report)
    progress, shown, counts = Progress(staged, len(lines)), dict[str, list[list[Any]]](), Counter[str]()
    for batch in _batches(lines):
        tried = remember_many([line.saying for line in batch], actor=state["owner"], atomic=False, dry_run=True)
        for line, outcome in zip(batch, tried.outcomes, strict=True):
            if isinstance(outcome, BrainError):
                for column, rule in outcome.errors or [("", outcome.detail)]:
                    report(Problem(line.number, column, rule))
                continue
            counts[outcome.outcome] += 1
            kept = shown.setdefault(outcome.outcome, [])
            if len(kept) < MOST_SHOWN:
                kept.append(_shown(converted.lines[line.number - 1], outcome))
        progress.heard(len(batch))
    _keep(staged, bad, shown, counts)


def _lines(path: Path, owner: str, report: Callable[[Problem], None]) -> list[Line]:
    """The good lines, those of a key together and in their order."""
    found: list[Line] = []
    for item in rows(path, COLUMNS):
        parsed = [item] if isinstance(item, Problem) else parse(item, Defaults(written_by=owner))
        if isinstance(parsed, Line):
            found.append(parsed)
        else:
            for problem in parsed:
                report(problem)
    return sorted(found, key=_key)


def _key(line: Line) -> tuple[str, str, str]:
    return line.saying.subject, line.saying.predicate, line.saying.scope


def _batches(lines: list[Line]) -> Iterator[list[Line]]:
    """About BATCH lines at a time, never cut within a key."""
    batch: list[Line] = []
    for _, group in groupby(lines, key=_key):
        batch += group
        if len(batch) >= BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _keep(staged: Staged, bad: list[Problem], shown: dict[str, list[list[Any]]], counts: Counter[str]) -> None:
    bad.sort(key=lambda problem: problem.line)
    for kept in shown.values():
        kept.sort(key=lambda row: row[0])
    found = {"shown": shown, "bad": [list(_parts(problem)) for problem in bad[:MOST_SHOWN]]}
    staged.file(PREVIEW).write_text(json.dumps(found), encoding="utf-8")
    lines = len({problem.line for problem in bad})
    state = staged.state()
    now = {"seen": journal.last_id(), "digest": _digest(facts_of(staged, state))}
    staged.note(step="previewed", counts=dict(counts), bad=lines, before=_stored_in(staged.file(state["file"])), **now)


def _parts(problem: Problem) -> tuple[int, str, str]:
    return problem.line, problem.column, problem.rule


def _shown(line: int, outcome: Outcome) -> list[Any]:
    """Line, key, the value before and the one that is said, and its period."""
    fact, before = outcome.fact, outcome.previous
    key = fact.key
    old = None if before is None or before.pk == fact.pk else before.value
    return [line, key.scope, key.subject, key.predicate, old, fact.value, fact.learned_at, fact.expires_at]


def commit(staged: Staged) -> None:
    """Stores it in one operation. Raises Conflict, and stores nothing, when something else than was previewed would
    become of it."""
    state = staged.state()
    source, target = staged.file(state["file"]), facts_of(staged, state)
    progress = Progress(staged, target.stat().st_size)
    terms = Terms(Defaults(written_by=state["owner"]), skip_bad=True, again=True)
    reason = state.get("reason") or f"import of {state['name']}"
    with turn():
        done = import_file(target, actor=state["owner"], terms=terms, reason=reason, heard=progress.heard)
        if done.outcomes != Counter(state["counts"]):
            raise Conflict(CHANGED)
        operation = done.operations[-1]
        ImportedFile.objects.create(
            digest=_digest(source), name=state["name"], rows=done.outcomes.total(), imported_in_id=operation
        )
    staged.note(step="done", operation=operation, sample=[])
    for path in (source, target, staged.file(PREVIEW)):
        path.unlink(missing_ok=True)


def commit_as_seen(staged: Staged) -> None:
    """Stores what was previewed; when that is not what would happen now, previews it anew."""
    try:
        commit(staged)
    except Conflict as refusal:
        preview(staged)
        staged.note(problem=refusal.detail)


def previewed(staged: Staged) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(staged.file(PREVIEW).read_bytes())
    except FileNotFoundError:
        raise NotFound("this import is gone") from None
    return found


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
