"""The map of two clocks as geometry in percent: valid time across, recorded time up, a region for each value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import tzinfo
from itertools import pairwise

from brain.clocks import (
    ERASED,
    VALUE,
    WITHHELD,
    Band,
    Clocks,
    Region,
    Segment,
    borders,
    diagonal,
    differences,
    regions,
)
from brain.time import DAY, to_text
from dashboard import when
from dashboard.charts import Scale, axis, percent
from dashboard.chips import shortened
from dashboard.lanes import pixels
from dashboard.map_parts import Area, Arrow, Bar, Box, Label, Map, Spot, Tick, meet

TONES = 3
MOST_SPOTS = 300  # regions that are links; the table has the others
WIDTH, HEIGHT = 860, 528  # px, the narrowest field: labels that are apart there are apart everywhere
LEAST_SPAN = 60_000  # ms that the recorded clock shows at least
LINE = 18  # px
SEEN = 0.12  # %, narrower stretches are told in the table only


class Drawing:
    """One map under way: what is drawn, on which scales, and for which point that is read."""

    def __init__(self, clocks: Clocks, across: Scale, *, now: int, read: tuple[int, int], zone: tzinfo) -> None:
        self.clocks, self.across, self.now, self.zone = clocks, across, now, zone
        self.read_at, self.read_known = read
        first = min(clocks.instants.values(), default=now)
        span = max(now - first, LEAST_SPAN)
        self.up = Scale(now - span - span // 12, now, 1, "")
        order = sorted(clocks.rows.values(), key=lambda row: (row.learned_at, row.pk))
        self.tones = {row.pk: f"t{n % TONES + 1}" for n, row in enumerate(order)}

    # -- where things are

    def x(self, instant: int) -> float:
        return self.across.at(instant)

    def y(self, operation: int | None) -> float:
        return self.y_at(self.now if operation is None else self.clocks.instants[operation])

    def y_at(self, instant: int) -> float:
        return 100 - self.up.at(instant)

    def box(self, segment: Segment, known: int, until: int | None) -> Box:
        left, right, top, bottom = self.x(segment.start), self.x(segment.end), self.y(until), self.y(known)
        return Box(left, top, right - left, bottom - top)

    def text(self, segment: Segment) -> str:
        if segment.state != VALUE:
            return segment.state
        return shortened(" ".join(self.clocks.rows[segment.row].value.split()), 40)

    # -- the whole

    def drawn(self) -> Map:
        found = regions(self.clocks.bands)
        drawing = Map(start=self.up.start, end=self.up.end)
        drawing.areas = self._areas()
        for region in found:
            box = self.box(region.segment, region.known, region.until).attributes
            {WITHHELD: drawing.withheld, ERASED: drawing.erased}.get(region.segment.state, []).append(box)
        drawing.lines, drawing.dashes = self._edges()
        drawing.spots = [self._spot(region) for region in self._largest(found)]
        drawing.labels, taken = self._labels(found)
        drawing.arrows = self._arrows(taken)
        said = diagonal(self.clocks.bands, self.clocks.instants, self.now)
        top = self.clocks.bands[-1].segments if self.clocks.bands else ()
        drawing.now, drawing.then = self._strip(top), self._strip(said)
        drawing.differ = [(percent(self.x(a)), percent(self.x(b) - self.x(a))) for a, b in self._differ(top, said)]
        drawing.ticks = [Tick(percent(100 - float(t.x[:-1])), t.label) for t in axis(self.up, self.zone).major]
        corner = max(self.up.start, self.across.start)
        drawing.diagonal = (percent(self.x(corner)), percent(self.y_at(corner)))
        drawing.read = (percent(self.x(self.read_at)), percent(self.y_at(self.read_known)))
        return drawing

    # -- regions

    def _areas(self) -> list[Area]:
        paths: dict[int, list[str]] = {}
        for band in self.clocks.bands:
            for segment in band.segments:
                if segment.state == VALUE:
                    box = self.box(segment, band.known, band.until)
                    x, y, width, height = (10 * side for side in (box.x, box.y, box.width, box.height))
                    path = f"M{x:.2f} {y:.2f}h{width:.2f}v{height:.2f}h{-width:.2f}z"
                    paths.setdefault(segment.row, []).append(path)
        read = self._read()
        return [Area("is-read" if row == read else self.tones[row], "".join(path)) for row, path in paths.items()]

    def _read(self) -> int | None:
        """The row of the point that is read."""
        band = _at(self.clocks, self.read_known)
        found = [s.row for s in band.segments if s.start <= self.read_at < s.end] if band else []
        return found[0] if found else None

    def _edges(self) -> tuple[str, str]:
        """Lines wherever what is read changes; dashed where that is still to come."""
        solid: list[str] = []
        dashed: list[str] = []
        for band in self.clocks.bands:
            top, bottom = self.y(band.until) * 10, self.y(band.known) * 10
            for instant in (cut for cut in borders(band) if self.across.start <= cut < self.across.end):
                path = f"M{self.x(instant) * 10:.2f} {top:.2f}V{bottom:.2f}"
                (dashed if instant > self.now else solid).append(path)
        for below, above in pairwise([None, *self.clocks.bands]):
            assert above is not None
            y = self.y(above.known) * 10
            for start, end in differences(below.segments if below else (), above.segments):
                path = f"M{self.x(start) * 10:.2f} {y:.2f}H{self.x(end) * 10:.2f}"
                (dashed if start > self.now else solid).append(path)
        return "".join(solid), "".join(dashed)

    def _largest(self, found: Sequence[Region]) -> list[Region]:
        def size(region: Region) -> float:
            box = self.box(region.segment, region.known, region.until)
            return box.width * box.height

        kept = sorted(found, key=size, reverse=True)[:MOST_SPOTS]
        return sorted(kept, key=lambda region: (region.known, region.segment.start))

    def _spot(self, region: Region) -> Spot:
        segment = region.segment
        inside = segment.start <= self.read_at < segment.end
        at = self.read_at if inside else max(segment.start, self.across.start)
        told = self.clocks.instants[region.known]
        until = None if region.until is None else self.clocks.instants[region.until]
        words = f"{self.text(segment)}: {self._period(segment)}, told since {when.moment(told, self.zone)}"
        words += "" if until is None else f" and until {when.moment(until, self.zone)}"
        box = self.box(segment, region.known, region.until).attributes
        return Spot(box, to_text(at), "" if region.until is None else f"op:{region.known}", words)

    def _period(self, segment: Segment) -> str:
        begins = f"from {when.day(segment.start, self.zone)}"
        return begins if segment.end > self.across.end else f"{begins} to {when.day(segment.end - 1, self.zone)}"

    # -- texts

    def _labels(self, found: Sequence[Region]) -> tuple[list[Label], list[Box]]:
        """The value in the largest region of each saying, where there is room for it."""
        best: dict[int, Box] = {}
        texts: dict[int, str] = {}
        for region in found:
            box = self.box(region.segment, region.known, region.until)
            held = best.get(region.segment.row)
            if held is None or box.width * box.height > held.width * held.height:
                best[region.segment.row], texts[region.segment.row] = box, self.text(region.segment)
        x, y = self.x(self.read_at), self.y_at(self.read_known)
        labels, taken = [], [Box(x - 1, y - 2.5, 2, 5)]
        hairs = [Box(0, y - 0.5, 100, 1), Box(x - 0.2, 0, 0.4, 100)]  # kept free where there is another place
        for row, box in best.items():
            width = 100 * (pixels(texts[row]) * 1.15 + 16) / WIDTH
            places = [Box(left, middle - 3, width, 5) for left, middle in _places(box, width)]
            if room := _free(places, [*taken, *hairs]) or _free(places, taken):
                labels.append(Label(percent(room.x), percent(room.y + 3), texts[row]))
                taken.append(room)
        return labels, taken

    def _arrows(self, taken: list[Box]) -> list[Arrow]:
        """How far the day of a saying lies from the day it was written, where that is far enough to be seen."""
        drawn = []
        for row in sorted(self.clocks.rows.values(), key=lambda row: row.recorded_in.at):
            told, dated = row.recorded_in.at, row.learned_at
            if row.erasure or abs(told - dated) < DAY or abs(self.x(told) - self.x(dated)) < 1:
                continue
            named = f"written {when.day(told, self.zone)}, dated {when.day(dated, self.zone)}: {distance(told, dated)}"
            room, leftward = self._beside(self.x(told), self.y_at(told), named)
            fits = room.x > 0 and not any(meet(room, other) for other in taken)
            taken += [room, Box(min(self.x(told), self.x(dated)), room.y - 1, abs(self.x(told) - self.x(dated)), 1)]
            ends = (percent(self.x(told)), percent(self.x(dated)), percent(self.y_at(told)))
            drawn.append(Arrow(*ends, dated < told, leftward, named if fits else ""))
        return drawn

    def _beside(self, x: float, y: float, text: str) -> tuple[Box, bool]:
        """The room of a text under an arrow's beginning: to its right, else to its left."""
        width = 100 * (pixels(text) + 14) / WIDTH
        leftward = x + width > 100
        return Box(x - width if leftward else x, y + 0.6, width, 4), leftward

    # -- the two strips

    def _strip(self, segments: Iterable[Segment]) -> list[Bar]:
        bars = []
        for segment in segments:
            left, right = self.x(segment.start), self.x(segment.end)
            if right - left > SEEN:
                held = "is-held" if segment.start <= self.read_at < segment.end else ""
                kind = "is-withheld" if segment.state == WITHHELD else "is-gap" if segment.state == ERASED else held
                kind += " is-scheduled" if segment.start > self.now else ""
                at = self.read_at if held else max(segment.start, self.across.start)
                words = f"{self.text(segment)}, {self._period(segment)}"
                bars.append(Bar(percent(left), percent(right - left), self.text(segment), kind, to_text(at), words))
        return bars

    def _differ(self, top: Sequence[Segment], said: Sequence[Segment]) -> Iterator[tuple[int, int]]:
        """Where what we say now and what was said then are two values, up to now."""

        def value(segment: Segment | None) -> str | None:
            return None if segment is None else segment.state if segment.state != VALUE else self._value(segment.row)

        for start, end in differences(top, said, says=value):
            if start < self.now and self.x(end) - self.x(start) > SEEN:
                yield start, min(end, self.now)

    def _value(self, row: int) -> str:
        return str(self.clocks.rows[row].value)


def _free(places: Iterable[Box], taken: Sequence[Box]) -> Box | None:
    return next((place for place in places if not any(meet(place, other) for other in taken)), None)


def _places(box: Box, width: float) -> Iterator[tuple[float, float]]:
    """Where a text may stand in a region, the best place first; nowhere in one that it does not fit into."""
    if width > box.width or box.height * HEIGHT / 100 < LINE + 4:
        return
    pad = min(box.width * 0.08, 1.5, box.width - width)
    for share in (0, 0.5, 1):
        for y in (box.y + min(box.height / 2, 12), box.y + box.height / 2, box.y + box.height - 3.5):
            yield box.x + pad + share * (box.width - width - pad), y


def distance(told: int, dated: int) -> str:
    """50 days back; 14 days ahead; as it happened."""
    days = abs(told - dated) // DAY
    if not days:
        return "as it happened"
    return f"{days} day{'s' * (days != 1)} {'back' if dated < told else 'ahead'}"


def _at(clocks: Clocks, instant: int) -> Band | None:
    """The band that had been told at an instant."""
    told = [band for band in clocks.bands if clocks.instants[band.known] <= instant]
    return told[-1] if told else None
