"""Values that are amounts of one currency, drawn as steps over time: positions in percent, values as written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise

from dashboard.charts import percent
from dashboard.money import Amount, parse

FIELD, HEIGHT = 860, 96  # px, the narrowest field, and the drawing's height
TOP, BOTTOM = 24.0, 90.0  # px between which the amounts lie
LETTER = 7.2  # px, a generous width at 12 px


@dataclass(frozen=True, slots=True)
class Stretch:
    """A value from one place to another, in percent of the field. `ahead`: it begins after now."""

    start: float
    end: float
    text: str
    ahead: bool = False
    held: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    x: str
    y: str
    text: str
    held: bool


@dataclass(frozen=True, slots=True)
class Line:
    x1: str
    x2: str
    y1: str
    y2: str
    kind: str


@dataclass(slots=True)
class Steps:
    lines: list[Line] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    lowest: str = ""
    highest: str = ""
    height: int = HEIGHT


def steps(stretches: Iterable[Stretch]) -> Steps | None:
    """None where the values are not all amounts of one currency and unit, or there is nothing to compare."""
    drawn = sorted(stretches, key=lambda one: one.start)
    amounts = [parse(one.text) for one in drawn]
    known = [amount for amount in amounts if amount is not None]
    if len(known) < len(drawn) or not _comparable(known):
        return None
    low, high = min(one.number for one in known), max(one.number for one in known)
    heights = [_y(one.number, low, high) for one in known]
    chart = Steps(
        lowest=next(one.text for one, amount in zip(drawn, known, strict=True) if amount.number == low),
        highest=next(one.text for one, amount in zip(drawn, known, strict=True) if amount.number == high),
    )
    for one, y in zip(drawn, heights, strict=True):
        kind = "is-held" if one.held else "is-scheduled" if one.ahead else ""
        chart.lines.append(Line(percent(one.start), percent(one.end), f"{y:.1f}", f"{y:.1f}", kind))
    for (one, y), (following, next_y) in pairwise(zip(drawn, heights, strict=True)):
        if abs(one.end - following.start) < 0.05 and y != next_y:
            x, kind = percent(following.start), "is-scheduled" if following.ahead else ""
            chart.lines.append(Line(x, x, f"{y:.1f}", f"{next_y:.1f}", kind))
    chart.labels = _labels(drawn, heights)
    return chart


def _comparable(amounts: Sequence[Amount]) -> bool:
    if len({amount.number for amount in amounts}) < 2:
        return False
    return all(amount.comparable(amounts[0]) for amount in amounts)


def _y(number: Decimal, low: Decimal, high: Decimal) -> float:
    return BOTTOM - (BOTTOM - TOP) * float((number - low) / (high - low))


def _labels(drawn: Sequence[Stretch], heights: Sequence[float]) -> list[Label]:
    """Each value over its step, where it meets no other label: the ones that hold first, then the widest."""
    order = sorted(range(len(drawn)), key=lambda n: (not drawn[n].held, drawn[n].start - drawn[n].end))
    taken: list[tuple[float, float, float]] = []
    labels: list[tuple[int, Label]] = []
    for n in order:
        one, y, width = drawn[n], heights[n], 100 * (LETTER * len(drawn[n].text) + 8) / FIELD
        if len(one.text) > 24 or width > max(one.end - one.start, 4) or one.start + width > 100:
            continue
        if any(one.start < x + w and x < one.start + width and abs(y - other) < 15 for x, w, other in taken):
            continue
        taken.append((one.start, width, y))
        labels.append((n, Label(percent(one.start), f"{y - 6:.1f}", one.text, one.held)))
    return [label for _, label in sorted(labels, key=lambda pair: pair[0])]
