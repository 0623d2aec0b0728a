"""What people type for from and until, and the instant that is meant."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django import forms
from django.utils import timezone

from brain import time
from dashboard import when
from dashboard.periods import Begins, Ends, end_in_words, typed_end

LONDON = ZoneInfo("Europe/London")


@pytest.fixture(autouse=True)
def _in_london(settings, db):
    settings.BRAIN_TIME_ZONE = "Europe/London"
    with timezone.override(LONDON):
        yield


def at(*parts: int) -> int:
    return time.from_datetime(datetime(*parts, tzinfo=LONDON))


def test_until_a_day_means_through_that_day() -> None:
    assert Ends().clean("30 June 2026") == at(2026, 7, 1)
    assert Ends().clean("2026-06-30") == at(2026, 7, 1)


def test_until_a_moment_means_that_moment() -> None:
    assert Ends().clean("30 Jun 2026, 14:30") == at(2026, 6, 30, 14, 30)


def test_an_end_is_typed_the_way_it_is_read() -> None:
    for instant in (at(2026, 7, 1), at(2026, 6, 30, 14, 30), at(2026, 3, 30)):
        assert Ends().clean(typed_end(instant)) == instant


def test_an_end_is_told_as_the_day_it_is_held_through() -> None:
    assert end_in_words(at(2026, 7, 1)) == "the end of 30 Jun 2026"
    assert end_in_words(at(2026, 6, 30, 14, 30)) == "30 Jun 2026, 14:30 BST"


def test_a_day_without_a_year_is_the_next_one() -> None:
    today = datetime.now(UTC).astimezone(LONDON)
    new_year = Begins().clean("1 January")
    assert new_year in (at(today.year + 1, 1, 1), at(today.year, 1, 1))
    assert new_year >= time.from_datetime(today.replace(hour=0, minute=0, second=0, microsecond=0))
    assert Begins().clean(f"{today:%-d %B}") == at(today.year, today.month, today.day)


def test_from_is_now_when_left_empty() -> None:
    assert Begins().clean("") is None
    assert Begins().clean("now") is None


def test_tomorrow_is_a_date() -> None:
    tomorrow = when.local(Begins().clean("tomorrow"), LONDON)
    assert (tomorrow.hour, tomorrow.minute) == (0, 0)
    assert tomorrow > datetime.now(UTC)


@pytest.mark.parametrize("text", ["03/04/2026", "31 Feb 2026", "soon", "1 Smarch", "1 Jan 1999"])
def test_what_is_no_date_or_two_dates_is_refused(text: str) -> None:
    with pytest.raises(forms.ValidationError):
        Begins().clean(text)
