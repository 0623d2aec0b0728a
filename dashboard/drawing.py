"""What is drawn on a scale on which one instant is read: that instant, now, and the stretches that were erased."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from functools import cached_property

from dashboard.charts import Axis, Scale, axis


@dataclass(frozen=True, slots=True)
class Stretch:
    x: str
    width: str
    end: str


@dataclass(frozen=True)
class Drawn:
    """`gaps` are the periods of which history was erased."""

    scale: Scale
    at: int
    now: int
    zone: tzinfo
    gaps: Sequence[tuple[int, int]]

    @property
    def axis_beside_flag(self) -> Axis:
        """The axis with room for the flag of the instant read."""
        near = self.scale.at(self.at)
        reach = (-9, 3) if self.flag_left else (-3, 9)
        return axis(self.scale, self.zone).without_labels(near + reach[0], near + reach[1])

    @cached_property
    def erased(self) -> list[Stretch]:
        on = self.scale
        gaps = [(start, end) for start, end in self.gaps if start < on.end and end > on.start]
        return [Stretch(on.x(start), on.span(start, end), on.x(end)) for start, end in gaps]

    @property
    def now_x(self) -> str:
        return self.scale.x(self.now)

    @property
    def future_width(self) -> str:
        return self.scale.span(self.now, self.scale.end)

    @property
    def read_x(self) -> str:
        return self.scale.x(self.at)

    @property
    def flag_left(self) -> bool:
        return self.scale.at(self.at) > 90
