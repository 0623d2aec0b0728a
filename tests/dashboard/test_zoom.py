"""A stretch of a subject's history, drawn larger: what lies on it, what lies beside it in words, and its address."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from brain.time import EARLIEST, LATEST
from dashboard.charts import Scale
from dashboard.drawing import Drawn
from dashboard.zoom import SPANS, zoomed
from tests.dashboard.conftest import queries, say
from tests.dashboard.test_charts import NOW, ZONES
from tests.dashboard.test_subjects import bars, shown

pytestmark = pytest.mark.django_db
SEAT = "/subjects/Seat"
APRIL = "as_of=2026-04-10T00:00:00.000Z"


@pytest.fixture
def prices() -> None:
    for month in range(1, 8):
        say("Seat", "list_price", f"${month}", f"2026-0{month}-01")
    say("Seat", "discount", "5%", "2026-01-01")


def drawn(html: str) -> list[str]:
    return [words.split(",")[0] for _, words in bars(html)]


def beside(html: str) -> list[str]:
    return re.findall(r'<span class="outside">(.*?)</span>', html)


@pytest.mark.usefixtures("prices")
def test_a_stretch_goes_with_the_instant_and_the_rest_is_counted_in_words(reader: Client) -> None:
    month = shown(reader, f"{SEAT}?{APRIL}&span=month")
    assert drawn(month) == ["5%", "$3", "$4"]
    assert beside(month) == ["2 earlier, 3 later"]
    assert "20 Mar 2026 to 20 Apr 2026" in month
    quarter = shown(reader, f"{SEAT}?{APRIL}&span=quarter")
    assert drawn(quarter) == ["5%", "$2", "$3", "$4", "$5"]
    assert beside(quarter) == ["1 earlier, 2 later"]
    assert beside(shown(reader, SEAT)) == []


@pytest.mark.usefixtures("prices")
def test_what_is_scheduled_beyond_the_scale_is_counted_too(reader: Client) -> None:
    say("Seat", "list_price", "$99", "2096-01-01")
    assert beside(shown(reader, SEAT)) == ["1 later"]


@pytest.mark.usefixtures("prices")
def test_claims_and_mistakes_outside_are_counted_and_not_drawn_at_the_edge(reader: Client) -> None:
    say("Seat", "list_price", "$33", "2026-02-15", source_kind="turn")
    assert "claim: $33" in shown(reader, f"{SEAT}?{APRIL}&span=quarter")
    month = shown(reader, f"{SEAT}?{APRIL}&span=month")
    assert "claim: $33" not in month
    assert beside(month) == ["3 earlier, 3 later"]


@pytest.mark.usefixtures("prices")
def test_every_link_of_the_timeline_keeps_the_stretch(reader: Client) -> None:
    html = shown(reader, f"{SEAT}?{APRIL}&span=month")
    links = [unescape(link) for link in re.findall(r'<a class="bar[^>]* href="([^"]+)"', html)]
    assert links
    assert all("span=month" in link for link in links)
    step = re.search(r'id="earlier" href="([^"]+)"', html)
    assert step is not None
    assert "span=month" in reader.get(unescape(step[1])).headers["Location"]
    spans = dict(re.findall(r'id="span-([\w-]+)" href="([^"]+)"', html))
    assert list(spans) == ["all", "10-years", "year", "quarter", "month"]
    assert "span" not in spans["all"]


def test_a_bar_that_began_before_the_stretch_has_no_edge_where_it_is_cut(reader: Client) -> None:
    say("Seat", "list_price", "$1", "2025-01-01")
    assert 'class="edge"' in shown(reader, SEAT)
    assert 'class="edge"' not in shown(reader, f"{SEAT}?{APRIL}&span=month")


def test_a_row_too_short_to_be_drawn_alone_is_drawn_in_a_shorter_stretch(reader: Client) -> None:
    for day in range(1, 31):
        say("Seat", "list_price", f"${day}", f"2025-04-{day:02d}")
    say("Seat", "list_price", "$0", "2015-01-01")
    assert "$7" not in drawn(shown(reader, SEAT))
    assert "$7" in drawn(shown(reader, f"{SEAT}?as_of=2025-04-10T00:00:00.000Z&span=month"))


@pytest.mark.usefixtures("prices")
def test_a_stretch_that_there_is_not_is_refused_in_words(reader: Client) -> None:
    answer = reader.get(f"{SEAT}?span=week")
    assert answer.status_code == 422
    assert "no such stretch" in answer.content.decode()
    assert drawn(shown(reader, f"{SEAT}?span=all")) == drawn(shown(reader, SEAT))


@given(st.integers(EARLIEST, LATEST), st.sampled_from(list(SPANS)))
def test_the_instant_read_lies_on_every_stretch(instant: int, span: str) -> None:
    whole = Drawn(Scale(EARLIEST, LATEST, 1, ""), instant, NOW, ZONES[0], [])
    found = zoomed(whole, span).drawn.scale
    assert EARLIEST <= found.start <= instant <= found.end <= LATEST
    assert found.start < found.end


def test_ten_times_the_rows_take_no_more_queries(reader: Client) -> None:
    for number in range(4):
        say("Seat", f"price {number % 2}", f"${number}", f"2026-04-0{number + 1}")
    few = queries(reader, f"{SEAT}?{APRIL}&span=quarter")
    for number in range(40):
        say("Seat", f"price {number % 4}", f"${number}", f"2026-03-{number % 28 + 1:02d}")
    assert queries(reader, f"{SEAT}?{APRIL}&span=quarter") == few
