"""The filters for what asks for somebody's care: contested values, and values that run out soon."""

from __future__ import annotations

import csv
import io
import re
from html import unescape
from urllib.parse import urlencode

import pytest
from django.test import Client

from brain import journal
from brain.time import DAY
from tests.dashboard.conftest import on, queries, say
from tests.dashboard.test_facts import HTMX, pages, shown, total, values

pytestmark = pytest.mark.django_db
JUNE = "2026-06-01T00:00:00.000Z"


def contest(subject: str, value: str, since: str = "2026-05-20") -> None:
    say(subject, "list_price", value, since, source_kind="turn")


@pytest.fixture
def prices() -> None:
    say("Calm", "list_price", "$1", "2026-05-01")
    say("Ends on 4 June", "list_price", "$2", "2026-05-01", expires_at=on("2026-06-05"))
    say("Ends within the month", "list_price", "$3", "2026-05-01", expires_at=on("2026-06-20"))
    say("Disputed", "list_price", "$4", "2026-05-01")
    say("Disputed and ending", "list_price", "$5", "2026-05-01", expires_at=on("2026-06-08"))
    say("Ended", "list_price", "$6", "2026-05-01", expires_at=on("2026-06-01"))
    contest("Disputed", "$40")
    contest("Disputed and ending", "$50")
    contest("Calm", "$10", "2026-06-02")


def links(html: str) -> dict[str, str]:
    """What the list could be narrowed to: the words and where they lead."""
    found = re.search(r'<div class="further" id="further">.*?</div>', html, re.S)
    parts = re.findall(r'<a class="chip" href="([^"]+)">.*?</span>(.*?)</a>', found[0] if found else "")
    return {text: unescape(link) for link, text in parts}


def test_what_runs_out_this_week_is_one_click_from_the_first_page(reader: Client) -> None:
    tomorrow = journal.now() + DAY
    say("Ends", "list_price", "$2", expires_at=tomorrow)
    say("Stays", "list_price", "$3")
    offered = links(shown(reader, "/"))
    assert list(offered) == ["1 runs out within 7 days"]
    html = shown(reader, offered["1 runs out within 7 days"])
    assert (values(html), total(html)) == (["$2"], 1)
    assert "1 fact holds now and fits the filter." in html
    assert links(html) == {}


@pytest.mark.usefixtures("prices")
def test_what_is_offered_counts_what_its_link_shows(reader: Client) -> None:
    for path in (f"/?as_of={JUNE}", f"/?as_of={JUNE}&q=disputed", f"/?as_of={JUNE}&status=all", "/"):
        for text, link in links(shown(reader, path)).items():
            listed = [value for page in pages(reader, link) for value in page]
            assert int(text.split()[0]) == len(listed) == total(shown(reader, link)), (path, text)


@pytest.mark.usefixtures("prices")
def test_what_is_offered_is_counted_when_the_slider_rests(reader: Client) -> None:
    path = f"/?as_of={JUNE}"
    moving = shown(reader, path, **HTMX)
    asks = re.search(r'<div class="further" id="further" hx-get="([^"]+)" hx-trigger="load delay', moving)
    assert asks is not None
    resting = reader.get(unescape(asks[1]), headers=HTMX | {"HX-Trigger": "further"})
    assert links(resting.content.decode()) == links(shown(reader, path)) != {}
    assert "hx-swap-oob" not in resting.content.decode()


@pytest.mark.usefixtures("prices")
def test_a_filter_in_use_is_said_and_can_be_taken_away(reader: Client) -> None:
    html = shown(reader, f"/?as_of={JUNE}&contested=true&runs_out_within=7")
    assert values(html) == ["$5"]
    said = re.findall(r'<span class="token">(.*?) <a href="([^"]+)"', html)
    assert [text for text, _ in said] == ["contested", "runs out within 7 days"]
    assert values(shown(reader, unescape(said[0][1]))) == ["$5", "$2"]
    assert 'value="true" selected' in html


@pytest.mark.usefixtures("prices")
def test_both_downloads_hold_what_is_shown(reader: Client) -> None:
    html = shown(reader, f"/?as_of={JUNE}&runs_out_within=7&contested=true")
    for address in re.findall(r'<a href="([^"]+)" download', html):
        answer = reader.get(unescape(address))
        text = b"".join(answer.streaming_content).decode("utf-8-sig")  # type: ignore[attr-defined]
        rows = list(csv.DictReader(io.StringIO(text)))
        assert [row.get("subject") or row.get("Subject") for row in rows] == ["Disputed and ending"]


@pytest.mark.usefixtures("prices")
def test_the_api_filters_alike(reader: Client) -> None:
    query = urlencode({"as_of": JUNE, "contested": "true", "runs_out_within": 7, "count": "true"})
    answer = reader.get(f"/api/v1/facts?{query}").json()
    assert ([item["value"] for item in answer["items"]], answer["total"]) == (["$5"], 1)
    assert reader.get("/api/v1/facts?runs_out_within=0").status_code == 422


@pytest.mark.parametrize("query", ["contested=maybe", "runs_out_within=8", "runs_out_within=x"])
def test_a_choice_that_there_is_not_is_refused(reader: Client, query: str) -> None:
    assert reader.get(f"/?{query}").status_code == 422


def test_later_pages_go_on_within_the_filter(reader: Client) -> None:
    for number in range(120):
        say(f"Seat {number:03d}", "list_price", f"${number}", expires_at=journal.now() + (1 + number % 2 * 20) * DAY)
    found = pages(reader, "/?runs_out_within=7&order=-learned_at")
    assert [len(page) for page in found] == [50, 10]
    assert len({value for page in found for value in page}) == 60


@pytest.mark.parametrize("path", ["/", "/?contested=true", "/?runs_out_within=7&status=all", f"/?as_of={JUNE}"])
def test_ten_times_the_rows_take_no_more_queries(reader: Client, path: str) -> None:
    def tell(first: int, last: int) -> None:
        for number in range(first, last):
            say(f"Seat {number:03d}", "list_price", "$1", "2026-05-01", expires_at=journal.now() + DAY)
            contest(f"Seat {number:03d}", "$2")

    tell(0, 4)
    few = queries(reader, path)
    tell(4, 44)
    assert queries(reader, path) == few
