"""How much of a subject's history is drawn: all that the time bar shows, or a stretch that goes with its instant."""

from __future__ import annotations

from dataclasses import dataclass, replace

from brain import time as instants
from brain.errors import Invalid
from brain.time import DAY
from dashboard import when
from dashboard.charts import Scale
from dashboard.drawing import Drawn

SPANS = {
    "": ("all", 0),
    "10-years": ("10 years", 3_653 * DAY),
    "year": ("1 year", 366 * DAY),
    "quarter": ("1 quarter", 92 * DAY),
    "month": ("1 month", 31 * DAY),
}


@dataclass(frozen=True, slots=True)
class Zoom:
    """`span` is a name of SPANS, `drawn` what its lanes are drawn on."""

    span: str
    drawn: Drawn

    @property
    def choices(self) -> list[tuple[str, str]]:
        return [(name, label) for name, (label, _) in SPANS.items()]

    @property
    def words(self) -> str:
        """12 Feb 2025 to 12 Feb 2026, for a stretch."""
        if not self.span:
            return ""
        on, zone = self.drawn.scale, self.drawn.zone
        return f"{when.day(on.start, zone)} to {when.day(on.end, zone)}"


def zoomed(whole: Drawn, asked: str) -> Zoom:
    """Raises Invalid for a span that there is not."""
    span = "" if asked == "all" else asked
    if span not in SPANS:
        raise Invalid.field("span", "There is no such stretch of time to draw.")
    return Zoom(span, replace(whole, scale=_around(whole.at, SPANS[span][1])) if span else whole)


def _around(instant: int, length: int) -> Scale:
    """Two thirds of the length before the instant and a third after it, as far as there are instants."""
    start = max(instant - length * 2 // 3, instants.EARLIEST)
    return Scale(start, min(start + length, instants.LATEST), DAY, "a day")
