"""Supersession timelines: a lane per predicate, its bars what held from when until when; no two labels overlap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from unicodedata import east_asian_width

from dashboard.charts import Scale, percent
from dashboard.chips import shortened
from dashboard.versions import Version

FIELD = 860  # px, the narrowest field that lanes are drawn in: labels that are apart there are apart everywhere
SLIVER = 0.45  # %, narrower bars that follow each other are drawn as one run
THINNEST = 0.25  # %
MOST_LEVELS = 3
BARS_END, TAG_STEP, STRUCK_STEP = 46, 24, 20
WINDOW = (0.0, 100.0)


@dataclass(frozen=True, slots=True)
class Bar:
    """A stretch in which one version held. `ahead` is the share of it, in percent, that lies after now; `cut`: it began
    before what is drawn."""

    version: Version
    x: str
    width: str
    kind: str
    ahead: str = ""
    ahead_width: str = ""
    label_x: str = "0%"
    label_width: str = "100%"
    cap: bool = False
    cut: bool = False
    selected: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """Versions too short to be drawn one by one; `path` has a stroke for each place where one begins, in 0 … 1000."""

    first: Version
    count: int
    x: str
    width: str
    path: str
    period: str


@dataclass(frozen=True, slots=True)
class Tag:
    """A claim, or a mistake with its rectangle: text beside a place, on a level where it touches no other."""

    version: Version
    x: str
    width: str
    text: str
    y: int
    leftward: bool
    text_x: str = ""
    body: int = 0


@dataclass(slots=True)
class Lane:
    predicate: str
    scope: str
    versions: list[Version]
    held: Version | None = None
    bars: list[Bar] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    claims: list[Tag] = field(default_factory=list)
    struck: list[Tag] = field(default_factory=list)
    earlier: int = 0
    later: int = 0
    unlabelled: int = 0
    height: int = 48

    @property
    def chain(self) -> list[Version]:
        """The versions that count: neither unsaid nor claims."""
        return [version for version in self.versions if version.fact.status not in ("retracted", "claim")]

    @property
    def name(self) -> str:
        return self.predicate if self.scope == "/" else f"{self.predicate} in {self.scope}"


@dataclass(frozen=True, slots=True)
class Segment:
    version: Version
    start: float
    end: float
    last: bool
    cut: bool

    @property
    def width(self) -> float:
        return self.end - self.start


def lanes(found: Sequence[Version], on: Scale, *, horizon: int, selected: int | None) -> list[Lane]:
    """`horizon` is the instant after which nothing has happened yet, as far as the reading knows."""

    def key(version: Version) -> tuple[str, str]:
        return version.fact.predicate, version.fact.scope

    grouped = groupby(sorted(found, key=key), key)
    return [_drawn(Lane(*name, list(group)), on, horizon, selected) for name, group in grouped]


def _drawn(lane: Lane, on: Scale, horizon: int, selected: int | None) -> Lane:
    chain = lane.chain
    lane.held = next((v for v in chain if v.fact.status == "current"), None)
    for group in _runs(sorted(stretches(chain, on), key=lambda segment: (segment.start, segment.end))):
        if len(group) > 1:
            lane.runs.append(_run(group))
            group = [segment for segment in group if segment.version in (lane.held,)]
        lane.bars += [_bar(segment, on, horizon, selected) for segment in group]
    claims, mistakes = _on_the_scale(lane, on)
    lane.claims, more = _stacked([_claim(v, on) for v in claims], BARS_END, TAG_STEP)
    below = BARS_END + TAG_STEP * _levels(lane.claims, TAG_STEP)
    lane.struck, most = _stacked([_mistake(v, on) for v in mistakes], below + 2, STRUCK_STEP)
    lane.unlabelled = more + most
    lane.height = below + STRUCK_STEP * _levels(lane.struck, STRUCK_STEP) + 2
    return lane


def _on_the_scale(lane: Lane, on: Scale) -> tuple[list[Version], list[Version]]:
    """The claims and the mistakes that are to be seen; what lies before and after the scale is counted."""
    claims = [v for v in lane.versions if v.fact.status == "claim"]
    mistakes = [v for v in lane.versions if v.mistaken]
    sides = {v.row.pk: _side(v, on) for v in (*lane.chain, *claims, *mistakes)}
    lane.earlier, lane.later = (sum(side == way for side in sides.values()) for way in (-1, 1))
    return [v for v in claims if not sides[v.row.pk]], [v for v in mistakes if not sides[v.row.pk]]


def _side(version: Version, on: Scale) -> int:
    """-1 for what ends before the scale, 1 for what begins after it; a claim is seen where it begins, a mistake until
    it was unsaid."""
    end = version.end
    if version.fact.status == "claim" or version.mistaken:
        end = max(version.fact.retracted_at or 0, version.start + 1)
    return -1 if end is not None and end <= on.start else int(version.start >= on.end)


def stretches(chain: Iterable[Version], on: Scale) -> Iterator[Segment]:
    """What held: standing values give way while a temporary one lies over them, and show again after it."""
    chain = list(chain)
    over = [(v.start, v.end or on.end) for v in chain if v.fact.temporary]
    for version in chain:
        end = on.end if version.end is None else version.end
        pieces = [(version.start, end)] if version.fact.temporary else list(_without(version.start, end, over))
        for n, (start, stop) in enumerate(pieces):
            if stop > on.start and start < on.end:
                last = n == len(pieces) - 1 and stop == end
                yield Segment(version, on.at(start), on.at(stop), last, cut=start < on.start)


def _without(start: int, end: int, over: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for begins, ends in sorted(over):
        if ends <= start or begins >= end:
            continue
        if begins > start:
            yield start, begins
        start = max(start, ends)
    if start < end:
        yield start, end


def _runs(segments: Iterable[Segment]) -> Iterator[list[Segment]]:
    """Slivers that follow each other come together, everything else alone."""
    for sliver, group in groupby(segments, lambda segment: segment.width < SLIVER):
        if sliver:
            yield list(group)
        else:
            yield from ([segment] for segment in group)


def _run(group: Sequence[Segment]) -> Run:
    start, end = group[0].start, max(segment.end for segment in group)
    width = max(end - start, THINNEST)
    places = sorted({round(1000 * (segment.start - start) / width) for segment in group})
    strokes = "".join(f"M{place} 0V30" for place in places)
    first, last = group[0].version, group[-1].version
    period = f"{first.begins} to {last.ends}" if last.ends else f"from {first.begins}"
    return Run(first, len({s.version.fact.id for s in group}), percent(start), percent(width), strokes, period)


def _bar(segment: Segment, on: Scale, horizon: int, selected: int | None) -> Bar:
    version, width = segment.version, max(segment.width, THINNEST)
    now = on.at(horizon)
    ahead = (segment.end - max(now, segment.start)) / width * 100 if segment.end > now > segment.start else 0.0
    kind, room = _kind(version, horizon, segment, on), (0.0, 100.0)
    if ahead and "is-held" in kind:
        kind, room = _label_room(version, kind, width, ahead)
    return Bar(
        version,
        percent(segment.start),
        percent(width),
        kind,
        percent(100 - ahead) if ahead else "",
        percent(ahead) if ahead else "",
        percent(room[0]),
        percent(room[1]),
        cap=version.runs_out and segment.last and segment.end < 100,
        cut=segment.cut,
        selected=version.fact.id == selected,
    )


def _kind(version: Version, horizon: int, segment: Segment, on: Scale) -> str:
    kinds = []
    if version.withheld:
        kinds.append("is-withheld")
    elif version.fact.status == "current" and segment.start <= on.at(version.reading.at.as_of) <= segment.end:
        kinds.append("is-held")
    if version.start > horizon:
        kinds.append("is-scheduled")
    if version.fact.temporary:
        kinds.append("is-temporary")
    if segment.width < SLIVER:
        kinds.append("is-thin")
    return " ".join(kinds)


def _label_room(version: Version, kind: str, width: float, ahead: float) -> tuple[str, tuple[float, float]]:
    """The label of what holds stands in the filled part; where that is too short for it, in the part after now."""
    filled, text = 100 - ahead, 100 * (pixels(version.label) + 20) / FIELD
    if filled * width / 100 >= text or filled >= ahead:
        return kind, (0.0, filled)
    return f"{kind} is-labelled-ahead", (filled, ahead)


def _claim(version: Version, on: Scale) -> tuple[Tag, tuple[float, float]]:
    text = f"claim: {shortened(version.label, 24)}"
    place, body = on.at(version.start), round(pixels(text)) + 18
    width, leftward = 100 * (body + 6) / FIELD, place > 40
    extent = (place - width, place) if leftward else (place, place + width)
    return Tag(version, percent(place), "", text, 0, leftward, body=body), extent


def _mistake(version: Version, on: Scale) -> tuple[Tag, tuple[float, float]]:
    start, text = on.at(version.start), shortened(version.label, 24)
    end = max(on.at(version.fact.retracted_at or version.start), start + 1.2)
    label = 100 * (pixels(f"{text} written by mistake") + 20) / FIELD
    leftward = end + label > WINDOW[1]
    if leftward and start < label:  # no room on either side: inside, over its own line
        return Tag(version, percent(start), percent(end - start), text, 0, False, percent(start)), (start, end)
    extent = (start - label, end) if leftward else (start, end + label)
    place = percent(start if leftward else end)
    return Tag(version, percent(start), percent(end - start), text, 0, leftward, place), extent


def pixels(text: str) -> float:
    """A generous width of text at 12 px."""
    return sum(12.5 if east_asian_width(letter) in "WF" else 7.0 for letter in text)


def _stacked(tags: Sequence[tuple[Tag, tuple[float, float]]], top: int, step: int) -> tuple[list[Tag], int]:
    """The tags on levels from `top` down, and how many found no room on MOST_LEVELS of them."""
    ends = [float("-inf")] * MOST_LEVELS
    placed, without_room = [], 0
    for tag, (start, end) in sorted(tags, key=lambda item: item[1]):
        level = next((n for n, taken in enumerate(ends) if taken <= start), None)
        if level is None:
            without_room += 1
            continue
        ends[level] = end + 0.6
        placed.append(_moved(tag, top + step * level))
    return placed, without_room


def _moved(tag: Tag, y: int) -> Tag:
    return Tag(tag.version, tag.x, tag.width, tag.text, y, tag.leftward, tag.text_x, tag.body)


def _levels(tags: Sequence[Tag], step: int) -> int:
    return (max(tag.y for tag in tags) - min(tag.y for tag in tags)) // step + 1 if tags else 0
