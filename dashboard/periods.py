"""From and until as people type them: a day without a year is the next one, an end is held through its day."""

from __future__ import annotations

import re
from datetime import timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone

from brain import time as instants
from brain.journal import now
from dashboard import when
from dashboard.fields import Instant, Through

DAY_AND_MONTH = re.compile(r"(?:[A-Za-z]{3,9},?\s+)?(?:\d{1,2}\.?\s+[A-Za-z]{3,9}|[A-Za-z]{3,9}\.?\s+\d{1,2})")
NEAR = {"today": 0, "tomorrow": 1, "yesterday": -1}


def zone() -> ZoneInfo:
    return timezone.get_current_timezone()


def brain_zone() -> ZoneInfo:
    return ZoneInfo(settings.BRAIN_TIME_ZONE)


def completed(text: str) -> str:
    """The text with what people leave out: "1 Jan" becomes the next 1 January, "tomorrow" its date."""
    today = when.local(now(), brain_zone())
    if text.lower() in NEAR:
        near = today + timedelta(days=NEAR[text.lower()])
        return f"{near:%Y-%m-%d}"
    if not DAY_AND_MONTH.fullmatch(text):
        return text
    try:
        this_year = when.typed(f"{text} {today.year}", zone(), brain_zone())
    except ValueError:
        return f"{text} {today.year + 1}"  # 29 Feb, perhaps; what is no date at all is refused where it is read
    midnight = today.replace(hour=0, minute=0, second=0, microsecond=0)
    return f"{text} {today.year + (this_year < instants.from_datetime(midnight))}"


class Begins(Instant):
    """From when; None means from now on."""

    def clean(self, value: object) -> int | None:
        return None if str(value or "").strip().lower() == "now" else super().clean(value)

    def read(self, text: str) -> int:
        return super().read(completed(text))


class Ends(Through):
    """Until when; None means until it is replaced."""

    def read(self, text: str) -> int:
        return super().read(completed(text))


def typed_end(instant: int) -> str:
    """How `Ends` is told of this instant: the last day of a period that ends at midnight, else the moment."""
    end = when.local(instant, brain_zone())
    if (end.hour, end.minute, end.second, end.microsecond) == (0, 0, 0, 0):
        return when.day(instant - 1, brain_zone())
    return when.minute(instant, zone())


def end_in_words(instant: int) -> str:
    """30 Jun 2026 for a period held through that day, else 30 Jun 2026, 14:30 BST."""
    typed = typed_end(instant)
    return f"the end of {typed}" if ":" not in typed else when.moment(instant, zone())
