"""The time bar's slider: by mouse, by keyboard, and without JavaScript."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Visit, instant

pytestmark = pytest.mark.usefixtures("told")
TIER_2 = "tr:has-text('Tier 2 renewal'):has-text('list_price') td.value"


def place_of(page: Page, moment: str) -> tuple[float, float]:
    """Where on the slider an instant lies, in pixels of the page."""
    slider = page.locator("#instant")
    box = slider.bounding_box()
    assert box is not None
    low, high = float(slider.get_attribute("min") or 0), float(slider.get_attribute("max") or 0)
    thumb = 24
    share = (instant(moment) - low) / (high - low)
    return box["x"] + thumb / 2 + share * (box["width"] - thumb), box["y"] + box["height"] / 2


def test_dragging_swaps_the_facts_while_it_moves_and_names_the_instant_in_the_address(visit: Visit) -> None:
    page = visit("/")
    expect(page.locator(TIER_2)).to_have_text("$3,600")
    page.mouse.move(*place_of(page, page.locator("#reading time").get_attribute("datetime") or ""))
    page.mouse.down()
    page.mouse.move(*place_of(page, "2026-02-09"), steps=8)
    expect(page.locator(TIER_2)).to_have_text("$4,200")
    expect(page.locator("html")).to_have_attribute("data-tense", "past")
    page.mouse.up()
    expect(page.locator(".tense")).to_have_text("Past")
    expect(page.locator("#facts-h")).to_contain_text("February 2026")
    expect(page).to_have_url(re.compile(r"\?as_of=2026-02-0\dT\d\d:00:00.000Z$"))
    expect(page.locator("#nav a", has_text="Compare")).to_have_attribute("href", re.compile("as_of=2026-02-0"))


def test_what_is_dragged_near_to_a_change_snaps_to_it(visit: Visit) -> None:
    page = visit("/?as_of=2026-02-09")
    page.mouse.move(*place_of(page, "2026-02-09"))
    page.mouse.down()
    x, y = place_of(page, "2026-03-03")
    page.mouse.move(x + 2, y, steps=4)
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"as_of=2026-03-03T00:00:00.000Z"))
    expect(page.locator("#instant")).to_have_value(str(instant("2026-03-03")))


def test_keys_step_from_change_to_change(visit: Visit) -> None:
    page = visit("/")
    page.keyboard.press("t")
    slider = page.locator("#instant")
    expect(slider).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_attribute("aria-valuetext", "Past: Tue 3 Mar 2026, 00:00 GMT")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_attribute("aria-valuetext", "Past: Mon 12 Jan 2026, 00:00 GMT")
    expect(page.locator(TIER_2)).to_have_text("$4,200")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"as_of=2026-01-15T00:00:00.000Z"))
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile(r"as_of=2025-11-14T00:00:00.000Z"))
    page.keyboard.press("End")
    expect(page.locator(".tense")).to_have_text("Now")
    expect(page).not_to_have_url(re.compile("as_of"))
    expect(slider).to_be_focused()


def test_page_keys_step_by_ten(visit: Visit) -> None:
    page = visit("/")
    page.locator("#instant").focus()
    page.keyboard.press("PageDown")
    expect(page).to_have_url(re.compile(r"as_of=2025-11-14T00:00:00.000Z"))
    page.keyboard.press("PageUp")
    expect(page.locator(".tense")).to_have_text("Now")


def test_fast_keys_are_all_counted(visit: Visit) -> None:
    page = visit("/")
    page.locator("#instant").focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft", delay=0)
    expect(page).to_have_url(re.compile(r"as_of=2026-01-12T00:00:00.000Z"))


def test_the_newest_position_wins_over_an_older_answer_that_comes_late(visit: Visit) -> None:
    page = visit("/")
    late: list[Route] = []
    page.route(lambda url: str(instant("2025-11-14")) in url, lambda route: late.append(route))
    page.locator("#instant").focus()
    page.keyboard.press("Home")
    page.wait_for_function("flights.size === 1")
    with page.expect_response(lambda answer: "as_of" not in answer.url and "/?" in answer.url):
        page.keyboard.press("End")
    assert len(late) == 1
    late[0].abort()  # the browser has given it up already
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"as_of=2026-03-03"))
    expect(page.locator(TIER_2)).to_have_text("$3,600")


def test_a_step_counts_from_where_one_is_going_even_before_the_answer(visit: Visit) -> None:
    page = visit("/")
    page.locator("#instant").focus()
    for key in ("Home", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect(page).to_have_url(re.compile(r"as_of=2026-01-15T00:00:00.000Z"))


def test_one_click_returns_to_now(visit: Visit) -> None:
    page = visit("/?as_of=2026-02-09&q=tier")
    page.click("text=Return to now")
    expect(page.locator(".tense")).to_have_text("Now")
    expect(page).to_have_url(re.compile(r"\?q=tier$"))


def test_without_javascript_links_and_forms_do_the_same(visit: Visit) -> None:
    page = visit("/", java_script_enabled=False)
    page.fill("#typed", "9 Feb 2026")
    page.click("#go")
    expect(page.locator(TIER_2)).to_have_text("$4,200")
    expect(page.locator(".tense")).to_have_text("Past")
    expect(page).to_have_url(re.compile(r"as_of=2026-02-09T00:00:00.000Z"))
    page.click("#earlier")
    expect(page).to_have_url(re.compile(r"as_of=2026-01-15T00:00:00.000Z"))
    page.locator("#instant").focus()
    page.keyboard.press("Home")
    page.click("text=Read at the slider")
    expect(page).to_have_url(re.compile(r"as_of=2025-11-"))
    expect(page.locator(".tense")).to_have_text("Past")
    page.click("text=Return to now")
    expect(page.locator(TIER_2)).to_have_text("$3,600")


SHUFFLED = """
const real = window.fetch, waits = [420, 0, 330, 20, 390, 10, 0, 300];
window.asked = []; window.shown = [];
window.fetch = (url, options) => {
  const mine = window.asked.push(url) - 1;  // deaf to being given up, so that late answers do come
  const late = new Promise((done) => setTimeout(done, waits[mine % waits.length]));
  return Promise.all([real(url, { headers: options.headers }), late]).then(([answer]) => answer);
};
document.addEventListener("htmx:afterSwap", () => {
  const at = document.querySelector("#reading").dataset.at;
  if (window.shown.at(-1) !== at) window.shown.push(at);
});
"""


def test_answers_that_come_in_another_order_are_never_shown_after_a_newer_one(visit: Visit) -> None:
    page = visit("/")
    page.evaluate(SHUFFLED)
    page.mouse.move(*place_of(page, "2026-11-01"))
    page.mouse.down()
    for n in range(24):
        page.mouse.move(*place_of(page, f"{2025 + (n < 12)}-{12 - n % 12:02}-20"))
        page.wait_for_timeout(45)
    page.mouse.up()
    page.wait_for_timeout(900)
    shown = [int(at) for at in page.evaluate("shown")]
    assert len(page.evaluate("asked")) > len(shown) > 2, "some answers came too late to be shown"
    assert shown == sorted(shown, reverse=True), "the pointer went back in time all the way"
    expect(page.locator("#instant")).to_have_value(str(shown[-1]))
    expect(page.locator("#facts-h")).to_contain_text("2025")
