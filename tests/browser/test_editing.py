"""Played as somebody who keeps prices would: by keyboard, without leaving the table, and with others at work."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from urllib.request import Request, urlopen

from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from brain import journal, tokens
from brain.models import Operation
from brain.recall import recall
from tests.browser.conftest import Visit, instant

TIER = "Tier 2 renewal"


def price(subject: str = TIER, at: int | None = None) -> str:
    return recall(subject, at=journal.resolve(at), predicate="list_price").facts[0].value


def to_row(page: Page, subject: str, predicate: str = "list_price") -> None:
    """By keyboard: down the table to the row."""
    page.locator("body").press("j")
    for _ in range(30):
        if page.evaluate("document.activeElement.closest('tr')?.innerText ?? ''").split("\n")[0].startswith(subject):
            row = page.evaluate("document.activeElement.closest('tr').innerText")
            if predicate in row:
                return
        page.keyboard.press("j")
    raise AssertionError(f"no row of {subject}")


def open_editor(page: Page, subject: str = TIER) -> None:
    to_row(page, subject)
    page.keyboard.press("e")
    expect(page.get_by_label("New value")).to_be_focused()


def tab_to(page: Page, label: str) -> None:
    for _ in range(8):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.labels?.[0]?.innerText ?? ''").strip() == label:
            return
    raise AssertionError(f"Tab does not lead to {label}")


def test_a_price_is_corrected_by_keyboard_alone(visit: Visit, told: None) -> None:
    page = visit("/", role="pricing")
    open_editor(page)
    page.keyboard.type("$3,700")
    expect(page.locator(".consequence")).to_contain_text("$3,600")
    expect(page.get_by_role("button", name="Change to $3,700")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("tr.editor")).to_have_count(0)
    row = page.locator("tr", has_text=TIER).filter(has_text="list_price")
    expect(row).to_contain_text("$3,700")
    expect(row.get_by_role("link", name="Edit")).to_be_focused()
    expect(page.get_by_role("status").filter(has_text="$3,700")).to_contain_text("Undo")
    assert price() == "$3,700"


def test_enter_before_the_preview_shows_it_and_saves_nothing(visit: Visit, told: None) -> None:
    page = visit("/", role="pricing")
    open_editor(page)
    page.keyboard.type("$3,700")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Change to $3,700")).to_be_visible()
    assert price() == "$3,600"
    expect(page.get_by_label("New value")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("tr.editor")).to_have_count(0)
    assert price() == "$3,700"


def test_escape_closes_without_saving_and_gives_the_focus_back(visit: Visit, told: None) -> None:
    page = visit("/", role="pricing")
    open_editor(page)
    page.keyboard.type("$1")
    page.keyboard.press("Escape")
    expect(page.locator("tr.editor")).to_have_count(0)
    expect(
        page.locator("tr", has_text=TIER).filter(has_text="list_price").get_by_role("link", name="Edit")
    ).to_be_focused()
    assert price() == "$3,600"


def test_a_price_is_scheduled_for_new_year(visit: Visit, told: None) -> None:
    page = visit("/", role="pricing")
    open_editor(page)
    page.keyboard.type("$3,900")
    tab_to(page, "From")
    page.keyboard.type("1 January")
    expect(page.locator(".consequence")).to_contain_text("Until then agents go on reading $3,600.")
    expect(page.get_by_role("button", name="Schedule $3,900")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("tr.editor")).to_have_count(0)
    row = page.locator("tr", has_text=TIER).filter(has_text="list_price")
    expect(row).to_contain_text("$3,600")
    expect(row).to_contain_text("$3,900 from 1 Jan")
    year = datetime.now(UTC).year + 1
    assert price(at=instant(f"{year}-01-01T12:00")) == "$3,900"
    assert price() == "$3,600"


def test_after_the_june_promotion_the_old_price_returns(visit: Visit, told: None) -> None:
    page = visit("/", role="pricing")
    open_editor(page)
    page.keyboard.type("$2,900")
    tab_to(page, "From")
    page.keyboard.type("1 June 2090")
    tab_to(page, "Until")
    page.keyboard.type("30 June 2090")
    expect(page.get_by_role("radio", name="$3,600 holds again")).to_be_checked()
    expect(page.locator(".consequence")).to_contain_text("until the end of 30 Jun 2090; then $3,600 holds again")
    page.keyboard.press("Enter")
    expect(page.locator("tr.editor")).to_have_count(0)
    days = {"2090-05-31": "$3,600", "2090-06-15": "$2,900", "2090-06-30T12:00": "$2,900", "2090-07-01T12:00": "$3,600"}
    assert {day: price(at=instant(day)) for day in days} == days


def test_undo_is_one_press_away(visit: Visit, told: None) -> None:
    page = visit("/", role="pricing")
    open_editor(page)
    page.keyboard.type("$36,000")
    expect(page.get_by_role("button", name="Change to $36,000")).to_be_visible()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Undo").click()
    row = page.locator("tr", has_text=TIER).filter(has_text="list_price")
    expect(row).to_contain_text("$3,600")
    assert price() == "$3,600"


def test_without_a_script_the_same_forms_are_pages(visit: Visit, told: None) -> None:
    page = visit("/", role="pricing", java_script_enabled=False)
    page.locator("tr", has_text=TIER).filter(has_text="list_price").get_by_role("link", name="Edit").click()
    page.get_by_label("New value").fill("$3,700")
    page.get_by_role("button", name="See what changes").click()
    expect(page.locator(".consequence")).to_contain_text("$3,600")
    page.get_by_role("button", name="Change to $3,700").click()
    expect(page.get_by_role("heading", name="Saved")).to_be_visible()
    assert price() == "$3,700"
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="Facts")).to_be_visible()
    assert price() == "$3,600"


# -- others at work


def told_by_json(server: LiveServer, value: str) -> None:
    _, token = tokens.issue("crm-sync", grants=["memory:read", "memory:write", "write:curated"])
    body = {"subject": TIER, "predicate": "list_price", "value": value, "source": "crm-export"}
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    sent = Request(f"{server.url}/api/v1/facts", json.dumps(body).encode(), headers, method="POST")
    with urlopen(sent) as answer:
        assert answer.status == 201


def test_a_change_by_json_comes_in_without_moving_focus_or_scroll(
    visit: Visit, told: None, live_server: LiveServer
) -> None:
    page = visit("/", role="pricing")
    page.set_viewport_size({"width": 1440, "height": 420})
    to_row(page, "Tier 1 renewal")
    page.evaluate("scrollTo(0, 150)")
    before = page.evaluate("[scrollY, document.activeElement.innerText]")
    page.locator("#typed").evaluate("field => field.value = 'half typed'")
    told_by_json(live_server, "$3,750")
    row = page.locator("tr", has_text=TIER).filter(has_text="list_price")
    expect(row).to_contain_text("$3,750", timeout=2_000)
    assert page.evaluate("[scrollY, document.activeElement.innerText]") == before
    assert page.locator("#typed").input_value() == "half typed"
    expect(page.get_by_role("status").filter(has_text="crm-sync")).to_contain_text("crm-sync changed 1 fact")


def test_an_edit_under_way_is_left_alone_and_told_of_the_change(
    visit: Visit, told: None, live_server: LiveServer
) -> None:
    page = visit("/", role="pricing")
    open_editor(page)
    page.keyboard.type("$3,7")
    told_by_json(live_server, "$3,750")
    expect(page.get_by_role("status").filter(has_text="crm-sync")).to_contain_text("Show them", timeout=3_000)
    page.keyboard.type("00")
    expect(page.get_by_label("New value")).to_have_value("$3,700")
    expect(page.get_by_label("New value")).to_be_focused()
    expect(page.get_by_text("Somebody else was there first.")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Somebody else was there first.")).to_be_visible()
    assert price() == "$3,750"
    page.get_by_role("button", name="Replace it with $3,700").click()
    expect(page.locator("tr.editor")).to_have_count(0)
    assert price() == "$3,700"
    assert Operation.objects.latest("id").actor == "pricing"


def test_a_fact_is_added_and_undone_on_pages_of_their_own(visit: Visit, told: None) -> None:
    page = visit("/", role="pricing")
    page.get_by_role("link", name="Add a fact").click()
    page.get_by_label("Subject").fill("tier 2 Renewal")
    page.get_by_label("Predicate").fill("list_price")
    page.get_by_label("Value", exact=True).fill("$3,650")
    expect(page.get_by_text("Similar.")).to_be_visible()
    page.get_by_label("Subject").fill("Tier 8 renewal")
    expect(page.get_by_text("Similar.")).to_have_count(0)
    page.get_by_role("button", name="Save $3,650").click()
    expect(page.get_by_role("heading", name="Saved")).to_be_visible()
    assert price("Tier 8 renewal") == "$3,650"
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="Facts")).to_be_visible()
    assert recall("Tier 8 renewal").facts == []
