"""The Subject page: lanes of bars, one version in full, and the same as a table."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from brain.reader import EVERYTHING
from brain.retire import end, retract
from dashboard.paths import Subject
from tests.dashboard.conftest import on, queries, say

pytestmark = pytest.mark.django_db
T2 = "/subjects/Tier%202%20renewal"


def shown(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, (answer.status_code, path)
    return answer.content.decode()


def bars(html: str) -> list[tuple[set[str], str]]:
    """Kind and spoken words of each bar, in the order drawn."""
    found = re.findall(r'<a class="bar ([^"]*)"[^>]*aria-label="([^"]+)"', html)
    return [(set(kind.split()), unescape(words)) for kind, words in found]


def held(html: str) -> list[str]:
    return [words.split(",")[0] for kind, words in bars(html) if "is-held" in kind]


@pytest.fixture
def tier_2() -> None:
    say("Tier 2 renewal", "list_price", "$3,900", "2025-11-14")
    say("Tier 2 renewal", "list_price", "$4200", "2026-01-12")
    say("Tier 2 renewal", "list_price", "$3600", "2026-03-03")
    say("Tier 2 renewal", "discount", "12%", "2026-01-15")


@pytest.mark.usefixtures("tier_2")
def test_the_bar_that_holds_at_the_instant_read_is_filled_one_a_lane(reader: Client) -> None:
    assert held(shown(reader, T2)) == ["12%", "$3600"]
    assert held(shown(reader, f"{T2}?as_of=2026-01-13T00:00:00.000Z")) == ["$4200"]
    assert held(shown(reader, f"{T2}?as_of=2025-01-01T00:00:00.000Z")) == []


@pytest.mark.usefixtures("tier_2")
def test_bars_say_value_period_and_state(reader: Client) -> None:
    words = [said for _, said in bars(shown(reader, T2))]
    assert "$4200, 12 Jan 2026 to 2 Mar 2026, replaced" in words
    assert "$3600, from 3 Mar 2026, holds now" in words


def test_a_temporary_value_lies_over_the_standing_one_that_shows_again(reader: Client) -> None:
    say("Seat", "list_price", "$36", "2025-01-01")
    say("Seat", "list_price", "$30", "2025-06-01", temporary=True, expires_at=on("2025-07-01"))
    drawn = [words.split(",")[0] for _, words in bars(shown(reader, "/subjects/Seat"))]
    assert drawn == ["$36", "$30", "$36"]
    assert held(shown(reader, "/subjects/Seat?as_of=2025-06-09T00:00:00.000Z")) == ["$30"]


def test_a_mistake_is_struck_and_a_moved_end_is_not_a_mistake(reader: Client) -> None:
    say("Seat", "list_price", "$36", "2025-01-01")
    wrong = say("Seat", "list_price", "$3,600").fact.origin_id
    retract(wrong, actor="ann", reason="two noughts too many", reader=EVERYTHING)
    moved = say("Seat", "discount", "5%", "2025-01-01").fact.origin_id
    end(moved, at=on("2096-01-01"), actor="ann", reason="until then", reader=EVERYTHING)
    html = shown(reader, "/subjects/Seat")
    assert re.findall(r'<tspan class="was">(.*?)</tspan>', html) == ["$3,600"]
    assert "<del><bdi>$3,600</bdi></del>" in html
    assert "said again</span>" in html


def test_claims_hang_and_scheduled_values_are_dashed(reader: Client) -> None:
    say("Seat", "list_price", "$36", "2015-01-01")
    say("Seat", "list_price", "$38", "2030-01-01")
    say("Seat", "list_price", "$33", source_kind="turn")
    html = shown(reader, "/subjects/Seat")
    assert '<text class="tag-text"' in html
    assert "claim: $33" in html
    assert "$38, from 1 Jan 2030, scheduled" in [words for kind, words in bars(html) if "is-scheduled" in kind]
    assert "contested" in html


@pytest.mark.usefixtures("tier_2")
def test_one_version_is_told_in_full(reader: Client) -> None:
    number = re.search(r'\?fact=(\d+)#detail"[^>]*aria-label="\$4200', shown(reader, T2))
    assert number is not None
    html = shown(reader, f"{T2}?fact={number[1]}")
    detail = html[html.index('id="detail"') :]
    assert "version 2 of 3" in detail
    assert "then replaced by" in detail
    assert "pricing-team wrote it" in detail
    assert "“as told”" in detail
    assert "written down" in detail


def words(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split()).replace(" ,", ",")


def test_an_expiry_that_lies_ahead_is_told_as_one_that_will_come(reader: Client) -> None:
    fact = say("Seat", "discount", "5%", "2025-01-01", expires_at=on("2096-07-01")).fact.origin_id
    html = shown(reader, f"/subjects/Seat?fact={fact}")
    assert "5%, from 1 Jan 2025 until 30 Jun 2096, then it runs out, holds now" in [said for _, said in bars(html)]
    assert words(html).count("30 Jun 2096, then it runs out") == 3  # beside the lane, in full, in the table
    assert "Held from 1 Jan 2025, 00:00 UTC until the end of 30 Jun 2096, then it runs out" in words(html)
    assert "then it ran out" not in html
    after = words(shown(reader, f"/subjects/Seat?fact={fact}&as_of=2096-08-01T00:00:00.000Z"))
    assert "until the end of 30 Jun 2096, then it ran out" in after


def test_an_expiry_in_the_past_is_told_as_one_that_came(reader: Client) -> None:
    say("Seat", "discount", "5%", "2025-01-01", expires_at=on("2025-07-01"))
    for path in ("/subjects/Seat", "/subjects/Seat?as_of=2025-02-01T00:00:00.000Z"):
        html = shown(reader, path)
        assert "until the end of 30 Jun 2025, then it ran out" in words(html)
        assert "it runs out" not in html


def test_what_was_unsaid_neither_runs_out_nor_held(reader: Client) -> None:
    wrong = say("Seat", "discount", "5%", "2025-01-01", expires_at=on("2096-07-01")).fact.origin_id
    retract(wrong, actor="ann", reason="a mistake", reader=EVERYTHING)
    html = shown(reader, f"/subjects/Seat?fact={wrong}")
    assert "Was said to hold from 1 Jan 2025" in words(html)
    assert "it runs out" not in html
    say("Seat", "price", "$3", "2096-01-01")
    ahead = say("Seat", "price", "$3", "2096-01-01").fact.origin_id
    assert "Will hold from 1 Jan 2096" in words(shown(reader, f"/subjects/Seat?fact={ahead}"))


def editors(html: str) -> list[str]:
    return re.findall(r'aria-label="Edit ([^"]+)"', html)


@pytest.mark.usefixtures("tier_2")
def test_who_may_write_edits_what_holds_now_from_its_lane(signed_in: Callable[[str], Client]) -> None:
    pricing, reader = signed_in("pricing"), signed_in("reader")
    say("Tier 2 renewal", "terms", "net 30", "2096-01-01")
    assert editors(shown(pricing, T2)) == ["Tier 2 renewal, discount", "Tier 2 renewal, list_price"]
    assert editors(shown(pricing, f"{T2}?as_of=2026-02-01T00:00:00.000Z")) == []
    assert editors(shown(reader, T2)) == []


@pytest.mark.usefixtures("tier_2")
def test_the_editor_leads_back_to_the_subject(signed_in: Callable[[str], Client]) -> None:
    pricing = signed_in("pricing")
    link = re.search(r'href="([^"]+)" aria-label="Edit Tier 2 renewal, list_price"', shown(pricing, T2))
    assert link is not None
    html = shown(pricing, unescape(link[1]))
    assert "<output><bdi>$3600</bdi></output>" in html
    assert f'<a class="button" href="{T2}" data-cancel>Cancel</a>' in html
    assert '<li><a href="/">Facts</a></li>' in html


@pytest.mark.usefixtures("tier_2")
def test_the_table_holds_every_version(reader: Client) -> None:
    html = shown(reader, T2)
    table = html[html.index('id="same-h"') :]
    assert re.findall(r'<td class="value"><bdi>(.*?)</bdi>', table) == ["12%", "$3,900", "$4200", "$3600"]


def test_four_hundred_versions_are_drawn_as_a_run_and_told_page_by_page(reader: Client) -> None:
    first = on("2025-01-01")
    for number in range(150):
        say("Spot", "price", f"${number}", None, learned_at=first + number * 3_600_000)
    say("Spot", "price", "$last", "2025-12-01")
    html = shown(reader, "/subjects/Spot")
    assert re.search(r"\d+ versions, 1 Jan 2025", html)
    assert len(bars(html)) < 10
    assert "Rows 1–100 of 151" in html
    older = unescape(re.search(r'<a href="([^"]+)" rel="next"', html)[1])  # type: ignore[index]
    assert "Rows 101–151 of 151" in shown(reader, older)
    assert held(shown(reader, "/subjects/Spot?as_of=2025-01-02T00:30:00.000Z")) == ["$24"]


def test_ten_times_the_rows_take_no_more_queries(reader: Client) -> None:
    for number in range(4):
        say("Seat", f"price {number % 2}", f"${number}", f"2025-01-0{number + 1}")
    few = queries(reader, "/subjects/Seat")
    for number in range(40):
        say("Seat", f"price {number % 4}", f"${number}", f"2025-02-{number % 28 + 1:02d}")
    assert queries(reader, "/subjects/Seat") == few


def test_a_subject_that_nobody_wrote_of_is_not_found_and_look_alikes_are_named(reader: Client) -> None:
    say("Tier 2 renewal", "list_price", "$36")
    answer = reader.get("/subjects/tier%202%20RENEWAL")
    assert answer.status_code == 404
    assert 'href="/subjects/Tier%202%20renewal"' in answer.content.decode()


@pytest.mark.parametrize("name", ["openai/gpt-5.6", "a~b~1", "..", ".", "100%?", "#1 & <b>", "naïve 🚀", "عرض"])
def test_every_subject_has_an_address_of_its_own(reader: Client, name: str) -> None:
    say(name, "list_price", "$36")
    link = re.search(r'<th scope="row"[^>]*><a[^>]* href="([^"]+)"', reader.get("/").content.decode())
    assert link is not None
    assert held(shown(reader, unescape(link[1]))) == ["$36"]


@pytest.mark.parametrize("name", ["100%?", "#1 & <b>", "naïve 🚀", "50% off"])
def test_links_on_a_subjects_page_stay_on_it(reader: Client, name: str) -> None:
    fact = say(name, "list_price", "$36").fact.origin_id
    link = re.search(r'<th scope="row"[^>]*><a[^>]* href="([^"]+)"', reader.get("/").content.decode())
    assert link is not None
    html = shown(reader, unescape(link[1]))
    version = re.search(rf'<a class="bar[^>]* href="([^"]+fact={fact})#detail"', html)
    assert version is not None
    assert held(shown(reader, unescape(version[1]))) == ["$36"]
    typed = reader.get(unescape(link[1]), {"as_of": "9 Feb 2090"}, follow=True)
    assert (typed.status_code, typed.redirect_chain[-1][1]) == (200, 302)
    assert held(typed.content.decode()) == ["$36"]


@given(st.text(min_size=1).filter(lambda text: "~2" not in text))
def test_a_subject_survives_its_address(name: str) -> None:
    segment = Subject().to_url(name)
    assert "/" not in segment
    assert segment not in (".", "..")
    assert Subject().to_python(segment) == name


def test_withheld_rows_are_for_auditors(signed_in: Callable[[str], Client]) -> None:
    forget = pytest.importorskip("brain.forget")
    gone = say("Seat", "list_price", "$36 for Globex", "2025-01-01").fact.origin_id
    say("Seat", "list_price", "$38", "2025-06-01")
    forget.forget(forget.Selector(ids=[gone]), actor="ann", reason="named a customer", reader=EVERYTHING)
    assert "Globex" not in shown(signed_in("reader"), "/subjects/Seat")
    assert "is-withheld" in shown(signed_in("auditor"), "/subjects/Seat")
