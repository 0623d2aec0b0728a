"""The keyboard's short ways, and filters that narrow the list while one types."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit

pytestmark = pytest.mark.usefixtures("told")


def test_keys_lead_to_search_time_and_rows(visit: Visit) -> None:
    page = visit("/")
    page.keyboard.press("/")
    expect(page.locator("#find")).to_be_focused()
    page.keyboard.type("jk?t")
    expect(page.locator("#find")).to_have_value("jk?t")
    page.locator("h1").click()
    page.keyboard.press("t")
    expect(page.locator("#instant")).to_be_focused()
    page.keyboard.press("j")
    expect(page.locator("tbody th a").nth(0)).to_be_focused()
    page.keyboard.press("j")
    expect(page.locator("tbody th a").nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(page.locator("tbody th a").nth(0)).to_be_focused()


def test_the_list_of_keys_opens_and_closes(visit: Visit) -> None:
    page = visit("/")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()


def test_a_filter_narrows_while_one_types_and_stays_in_the_address(visit: Visit) -> None:
    page = visit("/?as_of=2026-02-09")
    page.locator("#filters-form [name=q]").fill("tier 1")
    expect(page.locator("output", has_text="fact held then and fits the filter")).to_be_visible()
    expect(page).to_have_url(re.compile(r"as_of=2026-02-09T00:00:00.000Z&q=tier%201$|q=tier%201&as_of="))
    page.locator("#instant").focus()
    page.keyboard.press("End")
    expect(page.locator(".tense")).to_have_text("Now")
    expect(page.locator("tbody tr")).to_have_count(1)
    page.click("text=remove")
    expect(page.locator("tbody tr")).to_have_count(3)


def test_sorting_keeps_the_focus_on_its_column(visit: Visit) -> None:
    page = visit("/")
    page.locator("#by-value").focus()
    page.keyboard.press("Enter")
    expect(page.locator("th[aria-sort=ascending]")).to_have_text(re.compile("^Value"))
    expect(page.locator("#by-value")).to_be_focused()
    expect(page.locator("td.value").first).to_have_text("$1,800")


def test_signing_in_and_out(visit: Visit) -> None:
    page = visit("/", role="reader")
    page.click("text=Sign out")
    expect(page.locator("h1")).to_have_text("Sign in")
