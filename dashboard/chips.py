"""A chip is a small drawing of a bar and a word: the state of a fact that its value does not show."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.conf import settings

from brain.describe import FactAt
from brain.models import Fact
from brain.time import DAY
from dashboard import when
from dashboard.reading import Reading

SOON = 60 * DAY


@dataclass(frozen=True, slots=True)
class Chip:
    """`mark` is the class of its drawing (m-scheduled, m-contested, …)."""

    mark: str
    text: str


def until(instant: int, zone: ZoneInfo) -> str:
    """The last day of a period that ends at midnight, as forms take it; else the day in which it ends."""
    brain_zone = ZoneInfo(settings.BRAIN_TIME_ZONE)
    end = when.local(instant, brain_zone)
    if (end.hour, end.minute, end.second, end.microsecond) == (0, 0, 0, 0):
        return when.day(instant - 1, brain_zone)
    return when.day(instant, zone)


def end_of(fact: FactAt) -> int | None:
    """Where the fact's period ends, as known at the reading's K."""
    return min((end for end in (fact.expires_at, fact.superseded_at) if end is not None), default=None)


def next_values(facts: Iterable[FactAt], reading: Reading) -> dict[int, str]:
    """Fact id → value, of those that follow the facts given and begin after the instant read."""
    ids = {fact.superseded_by for fact in facts if fact.superseded_by is not None}
    rows = Fact.objects.told_by(reading.at).visible(reading.at, audit=reading.reader.audit).filter(origin__in=ids)
    return dict(rows.order_by().values_list("origin_id", "value"))


def chips(fact: FactAt, reading: Reading, following: dict[int, str]) -> list[Chip]:
    """What is to be said of a fact in a list read at this instant."""
    if fact.status == "scheduled" and fact.learned_at <= reading.now:
        return [Chip("m-was", f"began {when.day(fact.learned_at, reading.zone)}")]
    if say := STATES.get(fact.status):
        return [say(fact, reading)]
    said = []
    if fact.contested:
        said.append(Chip("m-contested", "contested"))
    if reading.tense == "now" and (value := following.get(fact.superseded_by or 0)) and fact.superseded_at:
        said.append(Chip("m-scheduled", f"{shortened(value)} from {when.day(fact.superseded_at, reading.zone)}"))
    if expiry := _expiry(fact, reading):
        said.append(expiry)
    if fact.temporary:
        said.append(Chip("m-over", "for a time"))
    if fact.recorded_at is not None and fact.recorded_at > reading.at.as_of:
        said.append(Chip("m-late", f"written {when.day(fact.recorded_at, reading.zone)}"))
    return said


def _expiry(fact: FactAt, reading: Reading) -> Chip | None:
    end = fact.expires_at
    if end is None or end_of(fact) != end or not 0 < end - reading.at.as_of <= SOON:
        return None
    if reading.tense == "past" and end <= reading.now:
        return Chip("m-expires", f"ran out {_days(end - reading.at.as_of)} later")
    return Chip("m-expires", f"runs out in {_days(end - reading.at.as_of)}")


def _days(length: int) -> str:
    if length < DAY:
        hours = max(length // 3_600_000, 1)
        return f"{hours} hour{'s' * (hours != 1)}"
    return f"{length // DAY} day{'s' * (length // DAY != 1)}"


def shortened(text: str, most: int = 40) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _with_day(mark: str, word: str, field: str) -> Callable[[FactAt, Reading], Chip]:
    """A chip whose word is followed by the day of one of the fact's instants, where it has one."""

    def say(fact: FactAt, reading: Reading) -> Chip:
        instant = getattr(fact, field)
        return Chip(mark, word if instant is None else f"{word} {when.day(instant, reading.zone)}")

    return say


STATES: dict[str, Callable[[FactAt, Reading], Chip]] = {
    "scheduled": _with_day("m-scheduled", "scheduled from", "learned_at"),
    "claim": _with_day("m-contested", "claim of", "learned_at"),
    "covered": lambda fact, reading: Chip("m-covered", "under a temporary value"),
    "superseded": _with_day("m-was", "replaced", "superseded_at"),
    "expired": _with_day("m-expires", "ran out", "expires_at"),
    "retracted": _with_day("m-mistake", "written by mistake, unsaid", "retracted_at"),
    "forgotten": lambda fact, reading: Chip("m-withheld", "withheld"),
}
