"""The Facts page: what it shows at an instant, filtered, sorted, paged, counted."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from html import unescape
from urllib.parse import urlencode

import pytest
from django.test import Client

from tests.dashboard.conftest import queries, say

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
FILTERS = {
    "q": ["1", "seat", "sheet 2", "zzz"],
    "source": ["sheet 0", "sheet 1"],
    "value": ["5", "$1"],
    "order": ["-learned_at", "value", "-subject"],
    "status": ["current", "all", "superseded"],
}


def values(html: str) -> list[str]:
    return [unescape(text) for text in re.findall(r'<td class="value"><bdi>(.*?)</bdi>', html)]


def total(html: str) -> int:
    found = re.search(r"<output>([\d,]+|No) fact", html)
    assert found is not None, html
    return int(found[1].replace(",", "").replace("No", "0"))


def shown(client: Client, path: str, **headers: str) -> str:
    answer = client.get(path, headers=headers or None)
    assert answer.status_code == 200, (answer.status_code, path)
    return answer.content.decode()


def pages(client: Client, path: str) -> list[list[str]]:
    """The values of every page from this one on, following `next`."""
    found = []
    while True:
        html = shown(client, path)
        found.append(values(html))
        more = re.search(r'<a href="([^"]+)" rel="next"', html)
        if more is None:
            return found
        path = unescape(more[1])


@pytest.fixture
def tier_2() -> None:
    say("Tier 2 renewal", "list_price", "$3,900", "2025-11-14")
    say("Tier 2 renewal", "list_price", "$4,200", "2026-01-12")
    say("Tier 2 renewal", "list_price", "$3,600", "2026-03-03")


@pytest.mark.usefixtures("tier_2")
def test_the_page_shows_what_held_at_the_instant_and_what_holds_today(reader: Client) -> None:
    assert values(shown(reader, "/")) == ["$3,600"]
    then = shown(reader, "/?as_of=2026-02-09T00:00:00.000Z")
    assert values(then) == ["$4,200"]
    assert 'data-label="today"><bdi>$3,600</bdi>' in then
    assert 'data-tense="past"' in then
    assert "Facts as of 9 February 2026" in then


@pytest.mark.usefixtures("tier_2")
def test_an_instant_in_words_is_sent_on_to_its_address_in_utc(reader: Client) -> None:
    answer = reader.get("/?as_of=9 Feb 2026&q=tier&subject=")
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/?as_of=2026-02-09T00:00:00.000Z&q=tier"


@pytest.mark.usefixtures("tier_2")
def test_an_instant_that_is_not_understood_is_said_and_nothing_is_passed_off_as_it(reader: Client) -> None:
    answer = reader.get("/?as_of=03/04/2026")
    assert answer.status_code == 422
    assert "can be read two ways" in answer.content.decode()
    assert 'aria-invalid="true"' in answer.content.decode()


@pytest.mark.usefixtures("tier_2")
def test_htmx_gets_the_facts_and_what_changes_with_them_and_the_address_to_show(reader: Client) -> None:
    answer = reader.get("/?as_of=1770595200000", headers=HTMX)
    html = answer.content.decode()
    assert '<section id="facts"' in html
    assert "<html" not in html
    assert {"reading", "nav", "steps"} <= set(re.findall(r'id="(\w+)"[^>]*hx-swap-oob="true"', html))
    assert answer.headers["HX-Replace-Url"] == "/?as_of=2026-02-09T00:00:00.000Z"
    assert "HX-Request" in answer.headers["Vary"]
    assert "HX-Request" in reader.get("/").headers["Vary"]


def test_while_the_slider_is_held_the_answer_leaves_out_what_can_wait(reader: Client) -> None:
    for n in range(60):
        say(f"S{n:02}", "p", "1")
    resting, moving = shown(reader, "/", **HTMX), shown(reader, "/", **HTMX, **{"X-Moving": "1"})
    assert total(moving) == total(resting) >= 60
    assert 10 < len(values(moving)) < len(values(resting))
    assert values(resting)[: len(values(moving))] == values(moving)
    assert 'id="reading"' in moving
    assert 'id="nav"' in resting
    assert 'id="nav"' not in moving


def test_history_restored_by_htmx_gets_the_whole_page(reader: Client) -> None:
    answer = reader.get("/", headers=HTMX | {"HX-History-Restore-Request": "true"})
    assert "<html" in answer.content.decode()


@pytest.mark.usefixtures("tier_2")
def test_a_step_goes_to_the_next_change_and_now_is_a_stop_on_the_way(reader: Client) -> None:
    say("Tier 2 renewal", "list_price", "$3,750", "2096-01-01")
    steps = {
        "/?step=-1": "/?as_of=2026-03-03T00:00:00.000Z",
        "/?as_of=2026-03-03&step=-2": "/?as_of=2025-11-14T00:00:00.000Z",
        "/?as_of=2025-11-14&step=-1": "/?as_of=2025-11-14T00:00:00.000Z",
        "/?as_of=2026-03-03&step=1": "/",
        "/?as_of=2025-11-14&step=10": "/",
        "/?step=1": "/?as_of=2096-01-01T00:00:00.000Z",
        "/?as_of=2096-01-01&step=-1": "/",
    }
    for asked, arrived in steps.items():
        assert reader.get(asked).headers["Location"] == arrived, asked


@pytest.mark.usefixtures("tier_2")
def test_an_instant_that_is_drawn_near_to_a_change_is_that_change(reader: Client) -> None:
    near = reader.get("/?as_of=2026-03-02T21:00:00Z&snap=14400000")
    assert near.headers["Location"] == "/?as_of=2026-03-03T00:00:00.000Z"
    far = reader.get("/?as_of=2026-02-09T21:07:33Z&snap=14400000")
    assert far.headers["Location"] == "/?as_of=2026-02-09T21:00:00.000Z"


def test_states_are_said_in_chips(reader: Client) -> None:
    say("Seat", "list_price", "$36")
    say("Seat", "list_price", "$38", "2096-01-01")
    say("Seat", "list_price", "$30", source_kind="turn")
    html = shown(reader, "/")
    assert "contested</span>" in html
    assert "$38 from 1 Jan 2096</span>" in html
    then = shown(reader, "/?status=scheduled")
    assert "scheduled from 1 Jan 2096</span>" in then
    assert values(then) == ["$38"]


def test_a_value_recorded_after_the_instant_read_says_when(reader: Client) -> None:
    say("Seat", "list_price", "$36", "2025-02-01")
    assert re.search(r"written \d+ \w+ \d{4}</span>", shown(reader, "/?as_of=2025-02-09T00:00:00.000Z"))


def many(subjects: int) -> None:
    for number in range(subjects):
        say(f"Seat {number:03d}", "list_price", f"${number}", source=f"sheet {number % 3}")


def test_every_row_is_on_one_page_and_the_way_back_shows_the_same(reader: Client) -> None:
    many(120)
    found = pages(reader, "/")
    assert [len(part) for part in found] == [50, 50, 20]
    assert [value for part in found for value in part] == [f"${number}" for number in range(120)]
    path = "/"
    for _ in range(2):
        path = unescape(re.search(r'<a href="([^"]+)" rel="next"', shown(reader, path))[1])  # type: ignore[index]
    back = unescape(re.search(r'<a href="([^"]+)" rel="prev"', shown(reader, path))[1])  # type: ignore[index]
    html = shown(reader, back)
    assert values(html) == found[1]
    assert "Rows 51–100 of 120" in html


def test_later_pages_keep_the_instants_of_the_first(reader: Client) -> None:
    many(60)
    first = shown(reader, "/")
    say("Seat 999", "list_price", "$999")
    second = shown(reader, unescape(re.search(r'<a href="([^"]+)" rel="next"', first)[1]))  # type: ignore[index]
    assert "$999" not in values(second)
    assert total(second) == 60


@pytest.mark.parametrize("cursor", ["x", "after-1-2-3", "after-999-0-1770595200000-1", "after-1-0-1-1"])
def test_a_broken_page_link_is_said(reader: Client, cursor: str) -> None:
    many(3)
    answer = reader.get(f"/?cursor={cursor}")
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()


def test_a_page_link_edited_to_an_earlier_operation_is_broken(reader: Client) -> None:
    many(60)
    link = unescape(re.search(r'<a href="([^"]+)" rel="next"', shown(reader, "/"))[1])  # type: ignore[index]
    edited = re.sub(r"-(\d+)(%3A|:)", r"-1\2", link, count=1)
    assert edited != link
    assert reader.get(link).status_code == 200
    assert reader.get(edited).status_code == 422


@pytest.mark.parametrize("query", ["order=colour", "status=lost", "scope=/nowhere", "category=x", "subject=%01"])
def test_a_filter_that_there_is_not_is_refused_in_words(reader: Client, query: str) -> None:
    assert reader.get(f"/?{query}").status_code == 422


def test_counts_agree_with_the_rows_and_with_the_api_on_random_filters(reader: Client) -> None:
    many(70)
    chance = random.Random(7)
    for _ in range(20):
        query = urlencode({name: chance.choice(texts) for name, texts in FILTERS.items() if chance.random() < 0.5})
        listed = [value for part in pages(reader, f"/?{query}") for value in part]
        answer = reader.get(f"/api/v1/facts?{query}&limit=500&count=true").json()
        assert listed == [item["value"] for item in answer["items"]], query
        assert total(shown(reader, f"/?{query}")) == len(listed) == answer["total"], query


@pytest.mark.parametrize("path", ["/", "/?as_of=2096-01-01", "/?status=all&order=-learned_at"])
def test_ten_times_the_rows_take_no_more_queries(reader: Client, path: str) -> None:
    many(4)
    few = queries(reader, path, **HTMX)
    many(40)
    assert queries(reader, path, **HTMX) == few


def test_the_export_is_of_what_is_shown(reader: Client) -> None:
    many(5)
    html = shown(reader, "/?value=3")
    address = unescape(re.search(r'<a href="([^"]+)" download', html)[1])  # type: ignore[index]
    answer = reader.get(address)
    assert answer.status_code == 200
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
    assert content.count(b"Seat") == 1


def test_a_fresh_brain_says_what_it_is_for(reader: Client) -> None:
    assert "Nothing has been written yet" in shown(reader, "/")


def test_markup_in_a_value_is_text(reader: Client) -> None:
    say("<b>Seat</b>", "list_price", "<script>alert(1)</script>")
    html = shown(reader, "/")
    assert "<script>alert" not in html
    assert values(html) == ["<script>alert(1)</script>"]


def test_the_second_clock_is_for_auditors(signed_in: Callable[[str], Client]) -> None:
    say("Seat", "list_price", "$36", "2025-02-01")
    say("Seat", "list_price", "$38", "2025-02-01")
    assert values(shown(signed_in("auditor"), "/?known_at=op:1")) == ["$36"]
    refused = signed_in("reader").get("/?known_at=op:1")
    assert refused.status_code == 403
    assert "role of an auditor" in refused.content.decode()
    assert "Known at" not in shown(signed_in("reader"), "/")
    assert "Known at" in shown(signed_in("auditor"), "/")


def test_the_sentence_says_what_is_read(auditor: Client) -> None:
    say("Seat", "list_price", "$36", "2025-02-01")
    assert "What holds at this moment." in shown(auditor, "/")
    assert "What we now say held then. Editing is off." in shown(auditor, "/?as_of=2025-02-09T00:00:00.000Z")
    both = auditor.get("/?as_of=2025-02-09T00:00:00.000Z&known_at=as_of", follow=True).content.decode()
    assert "What the brain had been told by 9 Feb 2025, 00:00" in both
    assert "as far as anybody has said" in shown(auditor, "/?as_of=2096-02-09T00:00:00.000Z")
