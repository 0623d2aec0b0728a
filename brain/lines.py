"""A row of a file remembers, ends or retracts something, or breaks rules, each named with its column."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from brain import saying, time
from brain.errors import Invalid
from brain.saying import Saying
from brain.tabular import Columns, Problem, Row

REMEMBER, END, RETRACT, ERASED, WITHHELD = "remember", "end", "retract", "erased", "withheld"
OPS = (REMEMBER, END, RETRACT, ERASED, WITHHELD)
HOLES = (ERASED, WITHHELD)
KEY = ("scope", "subject", "predicate")
TEXTS = ("subject", "predicate", "value", "source", "written_by")
DERIVED = ("id", "superseded_by", "superseded_at", "importance", "operation", "contested", "status", "retracted_at")
OWN = ("learned_at", "expires_at", "temporary", "category", "source_kind", "confidence", "scope")
HISTORY = ("op", "fact", "recorded_at", "claim")
COLUMNS = Columns(frozenset(TEXTS + OWN + HISTORY + DERIVED), ("subject", "predicate"))
TRUE, FALSE = {"true", "yes", "1"}, {"false", "no", "0"}


@dataclass(frozen=True, slots=True)
class Line:
    """What one row asks for. `fact` is the fact's id in the brain that the file came from; an end, a retraction or a
    hole uses only the key and the instants of `saying`."""

    number: int
    op: str
    saying: Saying
    fact: int | None = None
    recorded_at: int | None = None
    claim: bool = False


@dataclass(frozen=True, slots=True)
class Defaults:
    """What a row says that names no source or no writer."""

    source: str | None = None
    written_by: str | None = None


def parse(row: Row, defaults: Defaults) -> Line | list[Problem]:
    """The line that a row is, checked as far as it can be without the brain; or every rule that it breaks."""
    cells, errors = row.cells, list[tuple[str, str]]()

    def read(column: str, convert: Callable[[object], Any], default: Any = None) -> Any:
        if column not in cells:
            return default
        try:
            return convert(cells[column])
        except ValueError as error:
            errors.append((column, str(error)))
            return default

    op = read("op", _op, REMEMBER)
    said = Saying(
        **{name: cells.get(name, getattr(defaults, name, None) or "") for name in TEXTS},  # type: ignore[arg-type]
        learned_at=read("learned_at", time.parse),
        expires_at=read("expires_at", time.parse),
        temporary=read("temporary", _flag, False),
        category=read("category", str, "knowledge"),
        source_kind=read("source_kind", str, "upsert"),
        confidence=read("confidence", _share, 1.0),
        scope=cells.get("scope", "/"),  # type: ignore[arg-type]
    )
    line = Line(
        number=row.line,
        op=op,
        saying=said,
        fact=read("fact", _number),
        recorded_at=read("recorded_at", time.parse),
        claim=read("claim", _flag, False),
    )
    errors += _unread(cells)
    return _checked(line, errors)


def _checked(line: Line, errors: list[tuple[str, str]]) -> Line | list[Problem]:
    """A new saying is checked when it is said; only where it has errors already, the others are named with them."""
    if line.op == REMEMBER and not errors:
        return line
    check = saying.check if line.op == REMEMBER else _check_key
    try:
        clean = check(line.saying)
    except Invalid as refusal:
        named = {column for column, _ in errors}
        errors += [(column, rule) for column, rule in refusal.errors if column not in named]
    if errors:
        return [Problem(line.number, column, rule) for column, rule in errors]
    return Line(line.number, line.op, clean, line.fact, line.recorded_at, line.claim)


def _check_key(said: Saying) -> Saying:
    """The saying with its key in stored form; nothing else of it is used."""
    placeholder = Saying(said.subject, said.predicate, "-", "-", "-", scope=said.scope)
    clean = saying.check(placeholder)
    return Saying(
        clean.subject,
        clean.predicate,
        "",
        "",
        "",
        learned_at=said.learned_at,
        expires_at=said.expires_at,
        temporary=said.temporary,
        scope=clean.scope,
    )


def _unread(cells: dict[str, object]) -> list[tuple[str, str]]:
    """A listing's row that does not stand must not be taught as if it did."""
    if cells.get("status") in {"retracted", "forgotten", "claim"}:
        return [("status", f"a {cells['status']} fact is not imported")]
    return [("retracted_at", "a retracted fact is not imported")] if cells.get("retracted_at") else []


def _op(value: object) -> str:
    if value not in OPS:
        raise ValueError(f"must be one of {', '.join(OPS[:3])}")
    return str(value)


def _flag(value: object) -> bool:
    text = str(value).strip().lower()
    if text not in TRUE | FALSE:
        raise ValueError("must be true or false")
    return text in TRUE


def _share(value: object) -> float:
    try:
        share = float(value) if isinstance(value, str | int | float) else math.nan
    except ValueError:
        share = math.nan
    if not 0 <= share <= 1:
        raise ValueError("must lie in 0 to 1")
    return share


def _number(value: object) -> int:
    text = str(value)
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise ValueError("must be a fact's id, a whole number")
    return int(text)
