"""One time scale for slider, lanes and map, as geometry in percent: pure numbers that the templates draw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from math import sqrt

from brain import time as instants
from brain.time import DAY
from brain.timeline import Bucket
from dashboard import when

MINUTE, HOUR, WEEK = 60_000, 3_600_000, 7 * DAY
MOST_BUCKETS, MOST_LABELS, MOST_MINOR = 110, 8, 60
WIDE, NARROW = 860, 340  # px, the least width of the scale beside the gutter, and on a phone
BASE, TALLEST, DEEPEST = 48, 40, 13

WIDTHS = [
    (MINUTE, "a minute"),
    (5 * MINUTE, "every 5 minutes"),
    (15 * MINUTE, "every quarter of an hour"),
    (HOUR, "an hour"),
    (3 * HOUR, "every 3 hours"),
    (6 * HOUR, "every 6 hours"),
    (12 * HOUR, "every 12 hours"),
    (DAY, "a day"),
    (2 * DAY, "every 2 days"),
    (WEEK, "a week"),
    (2 * WEEK, "every 2 weeks"),
    (4 * WEEK, "every 4 weeks"),
    (13 * WEEK, "every 13 weeks"),
    (52 * WEEK, "a year"),
    (520 * WEEK, "every 10 years"),
    (5200 * WEEK, "every 100 years"),
]
STEPS = [
    *(("minute", n) for n in (1, 5, 15, 30)),
    *(("hour", n) for n in (1, 3, 6, 12)),
    *(("day", n) for n in (1, 2)),
    ("week", 1),
    *(("month", n) for n in (1, 3)),
    *(("year", n) for n in (1, 2, 5, 10, 25, 50, 100, 500, 1000)),
]


@dataclass(frozen=True, slots=True)
class Scale:
    """[start, end) drawn from 0% to 100%; `width` milliseconds are one bar of the histogram."""

    start: int
    end: int
    width: int
    width_in_words: str

    def at(self, instant: int) -> float:
        """The percentage of an instant, held within the scale."""
        return 100 * (min(max(instant, self.start), self.end) - self.start) / (self.end - self.start)

    def x(self, instant: int) -> str:
        return percent(self.at(instant))

    def span(self, start: int, end: int) -> str:
        return percent(self.at(end) - self.at(start))

    @property
    def buckets(self) -> int:
        return -(-(self.end - self.start) // self.width)


def percent(number: float) -> str:
    return f"{number:.3f}%"


def scale(first: int | None, last: int | None, now: int, zone: tzinfo, *, shown: int | None = None) -> Scale:
    """From the first change to a little after now; further where something is scheduled, but never so far that the
    past has less than about two thirds. `shown` is an instant that must be on it."""
    begin = min(instant for instant in (first, shown, now - DAY) if instant is not None)
    ahead = max(now, min(last or now, now + max(now - begin, 30 * DAY) // 2), shown or now)
    end = min(ahead + (ahead - begin) // 25, instants.LATEST)
    width, words = next(((w, text) for w, text in WIDTHS if (end - begin) / w <= MOST_BUCKETS), WIDTHS[-1])
    start = max(_floor(begin, width, zone), instants.EARLIEST)
    return Scale(start, start + -(-(end - start) // width) * width, width, words)


def _floor(instant: int, width: int, zone: tzinfo) -> int:
    """The start of the local minute, hour, day or week in which the first bar begins."""
    moment = when.local(instant, zone).replace(second=0, microsecond=0)
    if width >= HOUR:
        moment = moment.replace(minute=0)
    if width >= 3 * HOUR:
        moment = moment.replace(hour=0)
    if width >= WEEK:
        moment -= timedelta(days=moment.weekday())
    return instants.from_datetime(moment)


@dataclass(frozen=True, slots=True)
class Bar:
    """A bucket: learned above the line, ended below it."""

    x: str
    width: str
    up: int
    up_y: int
    down: int
    later: bool


def histogram(buckets: list[Bucket], on: Scale, read: int) -> list[Bar]:
    """Heights grow with the square root, so that one import does not flatten the rest."""
    most = max((max(bucket.learned, bucket.ended) for bucket in buckets), default=0)
    width = percent(min(0.5, 45 / max(on.buckets, 1)))
    bars = []
    for bucket in buckets:
        if bucket.learned or bucket.ended:
            up, down = _height(bucket.learned, most, TALLEST), _height(bucket.ended, most, DEEPEST)
            bars.append(Bar(on.x(bucket.start), width, up, BASE - up, down, bucket.start > read))
    return bars


def _height(count: int, most: int, tallest: int) -> int:
    return max(2, round(tallest * sqrt(count / most))) if count else 0


@dataclass(frozen=True, slots=True)
class Tick:
    x: str
    label: str
    anchor: str
    second: bool


@dataclass(frozen=True, slots=True)
class Axis:
    major: list[Tick]
    minor: list[str]

    def without_labels(self, start: float, end: float) -> Axis:
        """Without the labels between two percentages."""
        taken = [start < float(tick.x.rstrip("%")) < end for tick in self.major]
        bare = [replace(tick, label="") if there else tick for tick, there in zip(self.major, taken, strict=True)]
        return Axis(bare, self.minor)


def axis(on: Scale, zone: tzinfo) -> Axis:
    """Round local times, at most MOST_LABELS of them named; `second` marks the ones that a narrow page drops."""
    for n, step in enumerate(STEPS):
        marks = list(_marks(on, *step, zone, MOST_LABELS + 1))
        if len(marks) <= MOST_LABELS:
            finer = list(_marks(on, *STEPS[n - 1], zone, MOST_MINOR + 1)) if n else []
            minor = [on.x(instant) for instant in finer if instant not in marks] if len(finer) <= MOST_MINOR else []
            return Axis(_ticks(on, marks, step[0], zone), minor)
    return Axis([], [])


def _ticks(on: Scale, marks: list[int], unit: str, zone: tzinfo) -> list[Tick]:
    """Labels that would touch the one before are left out, those that would touch only on a narrow page are marked."""
    moments = [when.local(instant, zone) for instant in marks]
    ends = {WIDE: -1.0, NARROW: -1.0}
    ticks = []
    for instant, moment, before in zip(marks, moments, [None, *moments], strict=False):
        label, place = _label(moment, before, unit), on.at(instant)
        anchor = "start" if place < 4 else "end" if place > 96 else "middle"
        room = {field: _takes(label, place, anchor, field, ends) for field in ends}
        ticks.append(Tick(percent(place), label if room[WIDE] else "", anchor, not room[NARROW]))
    return ticks


def _takes(label: str, place: float, anchor: str, field: int, ends: dict[int, float]) -> bool:
    """Whether the label has room behind the last one in a field of so many pixels; then it takes it."""
    width = 100 * (7 * len(label) + 8) / field
    start = place - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
    if start < ends[field]:
        return False
    ends[field] = start + width
    return True


def _label(moment: datetime, before: datetime | None, unit: str) -> str:
    if unit == "year":
        return f"{moment.year}"
    if unit == "month":
        return f"{moment:%b %Y}" if before is None or before.year != moment.year else f"{moment:%b}"
    date = f"{moment.day} {moment:%b}"
    if unit in ("day", "week"):
        return f"{date} {moment.year}" if before is None or before.year != moment.year else date
    return f"{date}, {moment:%H:%M}" if before is None or before.date() != moment.date() else f"{moment:%H:%M}"


def _marks(on: Scale, unit: str, n: int, zone: tzinfo, most: int) -> Iterator[int]:
    """At most `most` round local times of [start, end]."""
    moment = _round_down(when.local(on.start, zone).replace(tzinfo=None, second=0, microsecond=0), unit, n)
    for _ in range(most + 1):
        instant = instants.from_datetime(moment.replace(tzinfo=zone))
        if instant > on.end:
            return
        if instant >= on.start:
            yield instant
        if moment.year + n > 9999:
            return
        moment = _next(moment, unit, n)


def _round_down(moment: datetime, unit: str, n: int) -> datetime:
    if unit == "minute":
        return moment.replace(minute=moment.minute // n * n)
    moment = moment.replace(minute=0)
    if unit == "hour":
        return moment.replace(hour=moment.hour // n * n)
    moment = moment.replace(hour=0)
    if unit == "day":
        return moment
    if unit == "week":
        return moment - timedelta(days=moment.weekday())
    if unit == "month":
        return moment.replace(day=1, month=(moment.month - 1) // n * n + 1)
    return moment.replace(day=1, month=1, year=max(moment.year // n * n, 1))


def _next(moment: datetime, unit: str, n: int) -> datetime:
    if unit == "month":
        months = moment.year * 12 + moment.month - 1 + n
        return moment.replace(year=months // 12, month=months % 12 + 1)
    if unit == "year":
        return moment.replace(year=moment.year + n)
    return moment + timedelta(**{f"{unit}s": n})
