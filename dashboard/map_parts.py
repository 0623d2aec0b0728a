"""What the map of two clocks is drawn of: positions are percentages of the field, as text."""

from __future__ import annotations

from dataclasses import dataclass, field

from dashboard.charts import percent


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in percent of the field."""

    x: float
    y: float
    width: float
    height: float

    @property
    def attributes(self) -> dict[str, str]:
        return {name: percent(getattr(self, name)) for name in ("x", "y", "width", "height")}


@dataclass(frozen=True, slots=True)
class Area:
    """All that is read of one saying; `path` in a box of 1000 by 1000."""

    tone: str
    path: str


@dataclass(frozen=True, slots=True)
class Spot:
    """A region that can be chosen: both clocks are set to a point in it."""

    box: dict[str, str]
    as_of: str
    known_at: str
    words: str


@dataclass(frozen=True, slots=True)
class Label:
    x: str
    y: str
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Arrow:
    """From when it was written to the day from which it holds; its text lies under where it begins."""

    x1: str
    x2: str
    y: str
    back: bool
    leftward: bool
    text: str


@dataclass(frozen=True, slots=True)
class Bar:
    x: str
    width: str
    text: str
    kind: str
    as_of: str
    words: str


@dataclass(frozen=True, slots=True)
class Tick:
    y: str
    label: str


@dataclass(slots=True)
class Map:
    areas: list[Area] = field(default_factory=list)
    withheld: list[dict[str, str]] = field(default_factory=list)
    erased: list[dict[str, str]] = field(default_factory=list)
    lines: str = ""
    dashes: str = ""
    spots: list[Spot] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    now: list[Bar] = field(default_factory=list)
    then: list[Bar] = field(default_factory=list)
    differ: list[tuple[str, str]] = field(default_factory=list)
    ticks: list[Tick] = field(default_factory=list)
    diagonal: tuple[str, str] = ("0%", "100%")
    read: tuple[str, str] = ("0%", "0%")
    start: int = 0
    end: int = 0


def meet(one: Box, other: Box) -> bool:
    across = one.x < other.x + other.width and other.x < one.x + one.width
    return across and one.y < other.y + other.height and other.y < one.y + one.height
