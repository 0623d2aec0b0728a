"""The supersession timeline as drawn: labels that never touch, whatever the history, and bars reachable by keyboard."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Page, expect

from brain.reader import EVERYTHING
from brain.remember import remember
from brain.retire import retract
from brain.saying import Saying
from tests.browser.conftest import Visit, instant

DAY = 86_400_000
START = instant("2025-01-01")

LABELS = """() => [...document.querySelectorAll(".lane-svg")].map((lane) => {
  const shown = (e) => e.getClientRects().length && getComputedStyle(e).visibility !== "hidden";
  const clip = (e) => {
    const r = e.getBoundingClientRect(), b = e.closest(".bar-box")?.getBoundingClientRect();
    return [Math.max(r.left, b?.left ?? r.left), r.top, Math.min(r.right, b?.right ?? r.right), r.bottom];
  };
  return [...lane.querySelectorAll("text, .bar-label span")].filter(shown)
    .map((e) => [e.textContent, ...clip(e)]).filter(([, left, , right]) => right - left > 1);
})"""


def touching(page: Page) -> list[tuple[str, str]]:
    found = []
    for lane in page.evaluate(LABELS):
        for n, (text, left, top, right, bottom) in enumerate(lane):
            for other, left_2, top_2, right_2, bottom_2 in lane[n + 1 :]:
                if left < right_2 - 1 and left_2 < right - 1 and top < bottom_2 - 2 and top_2 < bottom - 2:
                    found.append((text, other))
    return found


def tell(chance: random.Random, versions: int) -> None:
    """A history with long and short values, periods of hours and of months, claims, mistakes and temporary values."""
    for number in range(versions):
        predicate = chance.choice(["list_price", "discount", "terms"])
        value = chance.choice([f"${number}", f"{number} per seat and month, billed yearly, " * chance.choice([1, 6])])
        since = START + chance.choice([chance.randrange(700) * DAY, 300 * DAY + chance.randrange(5000) * 60_000])
        kind = chance.choice(["upsert", "upsert", "upsert", "turn"])
        temporary = kind == "upsert" and chance.random() < 0.2
        said = Saying(
            "Seat",
            predicate,
            value,
            "sheet",
            "ann",
            learned_at=since,
            source_kind=kind,
            temporary=temporary,
            expires_at=since + chance.randrange(1, 90) * DAY if temporary else None,
        )
        told = remember(said, actor="ann", reason="as told")
        if kind == "upsert" and chance.random() < 0.2:
            retract(told.fact.origin_id, actor="ann", reason="a mistake", reader=EVERYTHING)


@pytest.mark.parametrize(("seed", "versions"), [(1, 1), (2, 12), (3, 60), (4, 120)])
def test_no_two_labels_touch(visit: Visit, seed: int, versions: int) -> None:
    tell(random.Random(seed), versions)
    page = visit("/subjects/Seat")
    for width in (390, 1152, 1440, 2560):
        page.set_viewport_size({"width": width, "height": 900})
        assert touching(page) == [], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("seed", "versions"), [(5, 1), (6, 400)])
def test_no_two_labels_touch_in_a_stretch(visit: Visit, seed: int, versions: int) -> None:
    tell(random.Random(seed), versions)
    for span in ("10-years", "year", "quarter", "month"):
        page = visit(f"/subjects/Seat?as_of=2025-10-30&span={span}")
        for width in (390, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            assert touching(page) == [], (span, width)
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_stretch_goes_with_the_slider_and_its_cursor_stays(visit: Visit, told: None) -> None:
    page = visit("/subjects/Tier%202%20renewal")
    page.get_by_role("link", name="1 month").click()
    expect(page.locator("#span-month")).to_have_attribute("aria-current", "true")
    expect(page.locator("#span-month")).to_be_focused()
    expect(page).to_have_url(re.compile(r"\?span=month$"))
    place = page.locator("line.cursor").first.get_attribute("x1")
    page.locator("#instant").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("text.cursor-flag")).to_have_text("3 Mar 2026")
    expect(page.locator("a.bar", has_text="$4,200")).to_be_visible()
    expect(page.locator("line.cursor").first).to_have_attribute("x1", place or "")
    expect(page).to_have_url(re.compile(r"span=month"))


def test_a_bar_tells_its_story_to_whoever_steps_to_it(visit: Visit, told: None) -> None:
    page = visit("/subjects/Tier%202%20renewal")
    bar = page.locator("a.bar", has_text="$4,200")
    bar.focus()
    expect(page.locator("#hint")).to_contain_text("Written by pricing-team, from pricing-sheet")
    page.keyboard.press("Enter")
    expect(page.locator("#detail .big")).to_have_text("$4,200")
    expect(page).to_have_url(re.compile(r"\?fact=\d+$"))
    expect(page.locator("a.bar[aria-current]")).to_have_text("$4,200")


def test_dragging_fills_the_bar_that_held(visit: Visit, told: None) -> None:
    page = visit("/subjects/Tier%202%20renewal")
    page.locator("#instant").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("a.bar.is-held", has_text="$4,200")).to_be_visible()
    expect(page.locator("text.cursor-flag")).to_have_text("15 Jan 2026")


@pytest.mark.parametrize("view", ["", "/clocks"])
def test_on_a_small_screen_a_drawing_opens_at_the_instant_read(visit: Visit, told: None, view: str) -> None:
    for when in ("2025-12-01", ""):
        page = visit(f"/subjects/Tier%202%20renewal{view}?as_of={when}", width=390)
        cursor = page.locator(":is(.timeline, .map) line.cursor").first.bounding_box()
        assert cursor is not None
        assert 0 <= cursor["x"] <= 390, when
