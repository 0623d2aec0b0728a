"""An existing brain's SQLite file: its `fact` table is read, never written; its links are checked, not believed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brain import saying, time
from brain.errors import Invalid
from brain.saying import Saying
from brain.tabular import Problem

COLUMNS = ("id", "subject", "predicate", "value", "source", "written_by", "learned_at", "expires_at", "superseded_by")
TEXTS = COLUMNS[1:6]
MAGIC = b"SQLite format 3\0"
ROWS = f"""
SELECT {", ".join(COLUMNS)},
    LEAD(id) OVER (PARTITION BY subject, predicate ORDER BY learned_at, id)
FROM fact ORDER BY learned_at, id
"""


@dataclass(frozen=True, slots=True)
class SeedFact:
    """A row of the seed's table. `follower` is the next of its key by (learned_at, id), which `superseded_by` ought to
    name."""

    id: int
    saying: Saying
    superseded_by: int | None
    follower: int | None


def read(path: Path) -> Iterator[SeedFact | list[Problem]]:
    """The facts, oldest first; a bad row is its problems, with its id as the line. Raises Invalid for a file that is
    no SQLite database or holds no such table."""
    _refuse_other_files(path)
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            connection.text_factory = _text
            _refuse_other_tables(connection)
            for row in connection.execute(ROWS):
                yield _fact(row)
    except sqlite3.Error as error:
        raise Invalid.field("file", f"{path.name} cannot be read as a brain: {error}") from error


def _refuse_other_files(path: Path) -> None:
    try:
        with path.open("rb") as file:
            begins = file.read(len(MAGIC))
    except OSError as error:
        raise Invalid.field("file", f"{path} cannot be read: {error.strerror}") from error
    if begins != MAGIC:
        raise Invalid.field("file", f"{path.name} is no SQLite database")


def _refuse_other_tables(connection: sqlite3.Connection) -> None:
    found = {row[1] for row in connection.execute("PRAGMA table_info(fact)")}
    if not found:
        raise Invalid.field("file", "holds no table named fact")
    if missing := [name for name in COLUMNS if name not in found]:
        raise Invalid.field("file", f"its table fact lacks the columns {', '.join(missing)}")


def _text(raw: bytes) -> str | bytes:
    """Text that is no UTF-8 stays bytes, so that its row can be named."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def _fact(row: tuple[Any, ...]) -> SeedFact | list[Problem]:
    cells = dict(zip(COLUMNS, row, strict=False))
    errors = [
        (name, rule)
        for name in ("learned_at", "expires_at")
        if (rule := _bad_instant(cells[name], needed=name == "learned_at"))
    ]
    learned_at, expires_at = (None, None) if errors else (cells["learned_at"], cells["expires_at"])
    said = Saying(**{name: cells[name] for name in TEXTS}, learned_at=learned_at, expires_at=expires_at)
    try:
        said = saying.check(said)
    except Invalid as refusal:
        errors += refusal.errors
    if errors:
        return [Problem(cells["id"], column, rule) for column, rule in errors]
    return SeedFact(cells["id"], said, cells["superseded_by"], row[-1])


def _bad_instant(value: object, *, needed: bool) -> str:
    if value is None:
        return "must be given" if needed else ""
    if not isinstance(value, int):
        return "must be epoch milliseconds"
    return "" if time.in_range(value) else "must lie in 2000-01-01 to 9999-12-31 (epoch milliseconds)"
