"""The time scale: what lies on it, and that its labels never touch."""

from __future__ import annotations

from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.time import DAY, EARLIEST
from brain.timeline import Bucket
from dashboard.charts import BASE, MOST_BUCKETS, NARROW, WIDE, Tick, axis, histogram, scale
from tests.dashboard.conftest import on

ZONES = [ZoneInfo(name) for name in ("UTC", "Europe/London", "America/St_Johns", "Pacific/Apia")]
NOW = on("2026-08-27T13:32")


def extent(tick: Tick, field: int) -> tuple[float, float]:
    width, place = 100 * 7 * len(tick.label) / field, float(tick.x.rstrip("%"))
    start = place - {"start": 0.0, "middle": width / 2, "end": width}[tick.anchor]
    return start, start + width


@given(st.integers(0, 8000 * DAY), st.integers(-DAY, 4000 * DAY), st.sampled_from(ZONES))
def test_labels_never_touch_from_a_minute_to_centuries(before: int, ahead: int, zone: ZoneInfo) -> None:
    on_scale = scale(max(NOW - before, EARLIEST), NOW + ahead, NOW, zone)
    ticks = axis(on_scale, zone).major
    for field, shown in ((WIDE, ticks), (NARROW, [tick for tick in ticks if not tick.second])):
        extents = [extent(tick, field) for tick in shown if tick.label]
        assert all(one[1] <= other[0] for one, other in pairwise(extents))


@given(st.integers(0, 8000 * DAY), st.integers(-DAY, 4000 * DAY), st.sampled_from(ZONES))
def test_the_scale_holds_the_first_change_and_now_and_has_few_bars(before: int, ahead: int, zone: ZoneInfo) -> None:
    first = max(NOW - before, EARLIEST)
    found = scale(first, NOW + ahead, NOW, zone)
    assert found.start <= first <= NOW < found.end
    assert found.buckets <= MOST_BUCKETS + 8  # a scale of hours begins at midnight
    assert axis(found, zone).major


def test_something_scheduled_far_ahead_does_not_squeeze_the_past() -> None:
    found = scale(on("2025-10-01"), on("2090-01-01"), NOW, ZONES[0])
    assert found.at(NOW) > 55


@pytest.mark.parametrize("shown", ["2001-01-01", "2040-06-01"])
def test_the_instant_read_is_on_the_scale(shown: str) -> None:
    found = scale(on("2025-10-01"), NOW, NOW, ZONES[0], shown=on(shown))
    assert found.start <= on(shown) <= found.end


def test_a_bar_stands_on_the_line_and_an_ended_one_hangs_below_it() -> None:
    found = scale(on("2026-08-01"), NOW, NOW, ZONES[0])
    both, none = Bucket(found.start, found.start + found.width, 4, 1), Bucket(found.start, found.end, 0, 0)
    (bar,) = histogram([both, none], found, NOW)
    assert bar.up_y + bar.up == BASE
    assert 0 < bar.down < bar.up
