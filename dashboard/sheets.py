"""A mapped sheet becomes lines that the brain imports: values as written, dates as instants, bad rows by their line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from brain import time as instants
from brain.tabular import Problem, Row
from dashboard import when
from dashboard.columns import DAY_FIRST, NUMERIC, OWN, TELLING, each_row

DATES = ("learned_at", "expires_at")
NOT_HERE = "only new sayings are imported here; ends and retractions are for manage.py import_facts"


@dataclass(frozen=True, slots=True)
class Plan:
    """What each column is taken for, what goes for columns that are not there, and how dates are meant: `orders` names
    the columns whose 03/04/2026 is known to be written day or month first, `through` says that a day named as an end is
    held through."""

    meanings: dict[str, str]
    predicate: str = ""
    source: str = ""
    scope: str = "/"
    orders: dict[str, str] = field(default_factory=dict)
    through: bool = True
    zone: str = "UTC"
    brain_zone: str = "UTC"

    def as_state(self) -> dict[str, Any]:
        return asdict(self)

    def column(self, meaning: str) -> str:
        """The sheet's name of what the brain calls `meaning`."""
        return next((name for name, taken in self.meanings.items() if taken == meaning), meaning)


@dataclass(slots=True)
class Converted:
    """`lines[n]` is the sheet's line of the n-th fact."""

    lines: list[int] = field(default_factory=list)
    bad: int = 0


def convert(source: Path, header: list[str], plan: Plan, target: Path, report: Callable[[Problem], None]) -> Converted:
    """Writes the sheet's facts to `target` as NDJSON, a line each."""
    done = Converted()
    with target.open("w", encoding="utf-8") as file:
        for item in each_row(source, header):
            found = [item] if isinstance(item, Problem) else list(_facts(item, plan))
            problems = [part for part in found if isinstance(part, Problem)]
            if problems:
                done.bad += 1
                for problem in problems:
                    report(problem)
                continue
            for fact in found:
                file.write(json.dumps(fact, ensure_ascii=False) + "\n")
                done.lines.append(item.line)
    return done


def _facts(row: Row, plan: Plan) -> Iterator[dict[str, Any] | Problem]:
    if str(row.cells.get("op", "remember")) != "remember":
        yield Problem(row.line, "op", NOT_HERE)
        return
    said: dict[str, Any] = {"predicate": plan.predicate, "source": plan.source, "scope": plan.scope}
    own: list[tuple[str, object]] = []
    for name, cell in row.cells.items():
        meaning = plan.meanings.get(name, "")
        if meaning == OWN:
            own.append((name, cell))
        elif meaning in DATES:
            found = _instant(row.line, name, cell, plan, ends=meaning == "expires_at")
            if isinstance(found, Problem):
                yield found
                return
            said[meaning] = found
        elif meaning or name in TELLING:
            said[meaning or name] = cell
    if own:
        yield from ({**said, "predicate": name, "value": cell} for name, cell in own)
    elif OWN in plan.meanings.values() and "value" not in said:
        yield Problem(row.line, "", "holds no value in any of its columns")
    if "value" in said or OWN not in plan.meanings.values():
        yield said


def _instant(line: int, name: str, cell: object, plan: Plan, *, ends: bool) -> object:
    if not isinstance(cell, str):
        return cell
    try:
        instant = instant_of(cell, plan, plan.orders.get(name, ""))
    except ValueError as rule:
        return Problem(line, name, str(rule))
    if ends and plan.through and ":" not in cell and not cell.strip().isdigit():
        day = when.local(instant, ZoneInfo(plan.brain_zone)) + timedelta(days=1)
        instant = instants.from_datetime(day)
    return instants.to_text(instant)


def instant_of(text: str, plan: Plan, order: str) -> int:
    """Raises ValueError with the rule."""
    found, zone, brain_zone = NUMERIC.fullmatch(text.strip()), ZoneInfo(plan.zone), ZoneInfo(plan.brain_zone)
    if found is None:
        return when.typed(text, zone, brain_zone)
    one, two = int(found["one"]), int(found["two"])
    day_first = one > 12 or (two <= 12 and order == DAY_FIRST)
    if one <= 12 and two <= 12 and one != two and not order:
        raise ValueError(f"{text.strip()} can be read two ways")
    day, month = (one, two) if day_first else (two, one)
    return when.typed(f"{found['year']}-{month}-{day}{found['rest'] or ''}", zone, brain_zone)
