"""Instants in people's words: shown in the reader's zone with the zone named, read back from what people type."""

from __future__ import annotations

import re
from datetime import datetime, time, tzinfo
from zoneinfo import ZoneInfo

from brain import time as instants

HOW = "Write a date, or a date and a time: 9 Feb 2026, 14:32"
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
CLOCK = r"(?:[,\sT]\s*(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?)?"
WEEKDAY = r"(?:[a-z]{3,9},?\s+)?"
SHAPES = [
    re.compile(rf"(?P<year>\d{{4}})-(?P<month>\d{{1,2}})-(?P<day>\d{{1,2}}){CLOCK}"),
    re.compile(rf"(?P<day>\d{{1,2}})\.\s?(?P<month>\d{{1,2}})\.\s?(?P<year>\d{{4}}){CLOCK}"),
    re.compile(rf"{WEEKDAY}(?P<day>\d{{1,2}})\.?\s+(?P<name>[a-z]{{3,9}})\.?,?\s+(?P<year>\d{{4}}){CLOCK}"),
    re.compile(rf"{WEEKDAY}(?P<name>[a-z]{{3,9}})\.?\s+(?P<day>\d{{1,2}}),?\s+(?P<year>\d{{4}}){CLOCK}"),
]
SLASHES = re.compile(r"\d{1,2}/\d{1,2}/\d{2,4}\b.*")


def local(instant: int, zone: tzinfo) -> datetime:
    return instants.to_datetime(instant).astimezone(zone)


def day(instant: int, zone: tzinfo) -> str:
    """12 Jan 2026"""
    moment = local(instant, zone)
    return f"{moment.day} {moment:%b %Y}"


def minute(instant: int, zone: tzinfo) -> str:
    """12 Jan 2026, 09:05"""
    moment = local(instant, zone)
    return f"{moment.day} {moment:%b %Y}, {moment:%H:%M}"


def exact(instant: int, zone: tzinfo) -> str:
    """12 Jan 2026, 09:05:17, in the form that `typed` reads back; without seconds where there are none."""
    seconds = local(instant, zone).second
    return f"{minute(instant, zone)}:{seconds:02d}" if seconds else minute(instant, zone)


def moment(instant: int, zone: tzinfo) -> str:
    """12 Jan 2026, 09:05 GMT"""
    return f"{minute(instant, zone)} {zone_then(instant, zone)}"


def full(instant: int, zone: tzinfo) -> str:
    """Mon 12 Jan 2026, 09:05 GMT"""
    return f"{local(instant, zone):%a} {moment(instant, zone)}"


def heading(instant: int, zone: tzinfo) -> str:
    """9 February 2026, and the time where it is not midnight."""
    then = local(instant, zone)
    date = f"{then.day} {then:%B %Y}"
    return date if then.time() == time() else f"{date}, {moment(instant, zone).rpartition(', ')[2]}"


def zone_then(instant: int, zone: tzinfo) -> str:
    """The zone's name at that instant: BST, UTC, or UTC+5:30 where it has none."""
    name = local(instant, zone).tzname() or "UTC"
    if name[0] not in "+-":
        return name
    hours, minutes = name[1:3].lstrip("0") or "0", name[3:5]
    return f"UTC{name[0].replace('-', '−')}{hours}{':' + minutes if minutes.strip('0') else ''}"


def zone_name(zone: ZoneInfo) -> str:
    """London, for Europe/London."""
    return zone.key.rpartition("/")[2].replace("_", " ")


def typed(text: str, zone: ZoneInfo, brain_zone: ZoneInfo) -> int:
    """The instant that a person typed: a date alone is midnight in the brain's zone, a clock time without an offset
    is in the reader's. ValueError says what was not understood and how to write it."""
    text = " ".join(text.split())
    for shape in SHAPES:
        if found := shape.fullmatch(text.lower() if "name" in shape.groupindex else text):
            return _instant(found.groupdict(), zone, brain_zone)
    if SLASHES.fullmatch(text):
        raise ValueError(f"{text} can be read two ways. Write the month as a word: 3 Apr 2026")
    try:
        return instants.parse(text)
    except ValueError:
        raise ValueError(f"“{text}” is not a date that we can read. {HOW}") from None


def _instant(parts: dict[str, str | None], zone: ZoneInfo, brain_zone: ZoneInfo) -> int:
    number = {name: int(text) for name, text in parts.items() if text and text.isdigit()}
    if name := parts.get("name"):
        if name[:3] not in MONTHS:
            raise ValueError(f"“{name}” is not a month. {HOW}")
        number["month"] = MONTHS.index(name[:3]) + 1
    clocked = "hour" in number
    try:
        moment = datetime(**number, tzinfo=zone if clocked else brain_zone)
        instant = instants.from_datetime(moment)
    except (ValueError, OverflowError):
        raise ValueError(f"There is no such day or time. {HOW}") from None
    if not instants.in_range(instant):
        raise ValueError("The brain keeps instants from the year 2000 to 9999")
    return instant
