"""Instants in words and back."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.time import EARLIEST, LATEST, SECOND
from dashboard import when
from dashboard.chips import until
from tests.dashboard.conftest import on

LONDON, UTC, KOLKATA = ZoneInfo("Europe/London"), ZoneInfo("UTC"), ZoneInfo("Asia/Kolkata")


@pytest.mark.parametrize(
    "text",
    [
        "2026-07-09",
        "9 Jul 2026",
        "9 July 2026",
        "Thu 9 Jul 2026",
        "July 9, 2026",
        "9.7.2026",
        " 9  jul  2026 ",
        "2026-07-09T00:00:00.000Z",
        "1783555200000",
    ],
)
def test_a_date_is_midnight_in_the_brains_zone(text: str) -> None:
    assert when.typed(text, LONDON, UTC) == on("2026-07-09")


@pytest.mark.parametrize("text", ["9 Jul 2026, 14:32", "2026-07-09 14:32", "2026-07-09T14:32:00", "9 Jul 2026 14:32"])
def test_a_time_without_an_offset_is_in_the_readers_zone(text: str) -> None:
    assert when.typed(text, LONDON, UTC) == on("2026-07-09T13:32")


def test_a_date_is_midnight_where_the_brain_is_whoever_reads() -> None:
    assert when.typed("9 Jul 2026", UTC, KOLKATA) == on("2026-07-08T18:30")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("03/04/2026", "can be read two ways"),
        ("31 Feb 2026", "no such day"),
        ("9 Foo 2026", "not a month"),
        ("25:61", "not a date that we can read"),
        ("9 Jul 1999", "from the year 2000"),
        ("1783555200", "not a date that we can read"),
        ("\x00", "not a date that we can read"),
    ],
)
def test_what_is_not_understood_is_said_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        when.typed(text, LONDON, UTC)


@given(st.integers(EARLIEST // SECOND, LATEST // SECOND - 86_400), st.sampled_from([UTC, KOLKATA]))
def test_what_the_field_shows_is_read_back_as_the_same_instant(second: int, zone: ZoneInfo) -> None:
    assert when.typed(when.exact(second * SECOND, zone), zone, UTC) == second * SECOND


def test_clock_times_name_their_zone() -> None:
    assert when.full(on("2026-07-09T13:32"), LONDON) == "Thu 9 Jul 2026, 14:32 BST"
    assert when.moment(on("2026-07-09T13:32"), KOLKATA) == "9 Jul 2026, 19:02 IST"
    assert when.moment(on("2026-07-09T13:32"), ZoneInfo("America/Sao_Paulo")).endswith("10:32 UTC−3")
    assert when.moment(on("2026-07-09T13:32"), ZoneInfo("Asia/Kathmandu")).endswith("UTC+5:45")


def test_a_period_that_ends_at_midnight_is_shown_through_the_day_before() -> None:
    assert until(on("2026-07-01"), UTC) == "30 Jun 2026"
    assert until(on("2026-07-01T00:01"), UTC) == "1 Jul 2026"
