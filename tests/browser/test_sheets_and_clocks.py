"""Played as a new user would: what changed in spring, a price that was backdated, a sheet with three bad rows."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from openpyxl import Workbook
from playwright.sync_api import Page, expect

from brain import journal, staging
from brain.models import Operation
from brain.remember import remember_many
from brain.saying import Saying
from tests.browser.conftest import Visit, instant
from tests.browser.test_editing import TIER, open_editor, price

CLOCKS = "/subjects/Tier%202%20renewal/clocks"


@pytest.fixture(autouse=True)
def _own_staging(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staging, "directory", lambda: tmp_path / "staging")


@pytest.fixture
def backdated(live_server: object) -> None:
    """$3,900 told as it happened; $4,200 told on 3 March, dated 12 January."""
    for at, value, since in (
        ("2025-11-14T09:00", "$3,900", "2025-11-14"),
        ("2026-03-03T10:00", "$4,200", "2026-01-12"),
        ("2026-03-03T10:05", "$3,600", "2026-03-03"),
    ):
        said = Saying(TIER, "list_price", value, "pricing-sheet", "pricing-team", instant(since))
        remember_many([said], actor="pricing-team", at=instant(at), reason="the price list")


def test_the_prices_that_changed_in_spring_are_found_and_exported(visit: Visit, told: None) -> None:
    page = visit("/compare", role="pricing")
    page.get_by_label("From").fill("1 Feb 2026")
    page.get_by_label("To", exact=True).fill("1 Apr 2026")
    page.get_by_label("Predicate").fill("list_price")
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_role("status").filter(has_text="changed")).to_contain_text(
        "0 facts added, 1 changed, 0 removed."
    )
    row = page.get_by_role("row", name=TIER)
    expect(row).to_contain_text("−600 (−14.3%)")
    assert "as_of=2026-02-01T00:00:00.000Z" in page.url
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV, verbatim").click()
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text())))
    assert [(row["subject"], row["before"], row["after"]) for row in rows] == [(TIER, "$4,200", "$3,600")]


def test_moving_the_slider_moves_the_left_side(visit: Visit, told: None) -> None:
    page = visit("/compare?as_of=2026-02-01T00:00:00.000Z", role="pricing")
    expect(page.get_by_role("row", name=TIER)).to_be_visible()
    page.keyboard.press("t")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Nothing changed")).to_be_visible()


def test_a_backdated_price_is_seen_on_two_clocks(visit: Visit, backdated: None) -> None:
    page = visit("/subjects/Tier%202%20renewal")
    page.get_by_role("link", name="Two clocks").click()
    expect(page.get_by_text("written 3 Mar 2026, dated 12 Jan 2026: 50 days back")).to_be_visible()
    page.goto(page.url + "?as_of=2026-02-09&known_at=2026-02-09")
    reads = page.locator(".reads")
    expect(reads).to_contain_text("$3,900")
    expect(reads).to_contain_text("22 days after the day itself")
    page.get_by_role("link", name="Read there").click()
    expect(page.locator(".reads output").first).to_have_text("$4,200")


def test_a_point_of_the_map_sets_both_clocks(visit: Visit, backdated: None) -> None:
    page = visit(CLOCKS)
    box = page.locator(".plot").bounding_box()
    assert box is not None
    page.locator(".plot").click(position={"x": box["width"] * 0.25, "y": box["height"] * 0.85})
    expect(page.locator(".reads output").first).to_have_text("$3,900")
    assert "as_of=" in page.url
    assert "known_at=" in page.url
    page.locator(".spot", has=page.locator("rect")).first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".reads output").first).to_have_text("$3,900")


def test_the_map_works_without_a_script(visit: Visit, backdated: None) -> None:
    page = visit(CLOCKS, java_script_enabled=False)
    page.locator(".strip .bar", has_text="$4,200").first.click()
    expect(page.locator(".reads output").first).to_have_text("$4,200")


def sheet(tmp_path: Path) -> Path:
    book = Workbook()
    for row in (
        ("Product", "list_price", "Valid from"),
        (TIER, "$3,650", "2026-08-01"),
        ("Tier 5 renewal", "3.600,00 €", "2026-08-01"),
        ("", "$9", "2026-08-01"),
        ("Tier 6 renewal", "$9", "soon"),
        ("Tier 7 renewal", None, "2026-08-01"),
    ):
        book.active.append(row)
    path = tmp_path / "prices.xlsx"
    book.save(path)
    return path


@pytest.mark.parametrize("scripted", [True, False])
def test_a_sheet_with_three_bad_rows_is_imported_without_them(
    visit: Visit, told: None, tmp_path: Path, scripted: bool
) -> None:
    page = visit("/import", role="pricing", java_script_enabled=scripted)
    page.get_by_label("A file").set_input_files(sheet(tmp_path))
    page.get_by_role("button", name="Look at its columns").click()
    expect(page.get_by_label("Product")).to_have_value("subject")
    page.get_by_role("button", name="Preview against the brain").click()
    bad = page.get_by_role("table", name="Rows that cannot be stored, by line")
    expect(bad.get_by_role("rowheader")).to_have_text(["line 4", "line 5", "line 6"])
    expect(page.get_by_role("row", name=TIER)).to_contain_text("$3,600")
    expect(page.get_by_role("row", name=TIER)).to_contain_text("$3,650")
    before = journal.last_id()
    page.get_by_label("Leave the 3 bad rows out").check()
    page.get_by_role("button", name="Store 2 facts").click()
    expect(page.get_by_role("heading", name="Stored: 2 facts")).to_be_visible()
    assert journal.last_id() == before + 1
    assert (price(), price("Tier 5 renewal")) == ("$3,650", "3.600,00 €")
    assert Operation.objects.latest("id").kind == "import"


# -- axe


def faults(page: Page, where: str) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{where}: {fault['id']}: {node['html'][:160]}" for fault in found for node in fault["nodes"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing_where_facts_are_changed(
    visit: Visit, told: None, tmp_path: Path, width: int, scheme: str
) -> None:
    page = visit("/", role="operator", width=width, color_scheme=scheme)
    origin = page.url.rstrip("/")
    open_editor(page)
    page.keyboard.type("$3,700")
    expect(page.get_by_role("button", name="Change to $3,700")).to_be_visible()
    found = faults(page, "editor")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    found += faults(page, "saved")
    fact = recall_id()
    for path in (
        "/facts/add",
        f"/facts/{fact}/edit",
        f"/facts/{fact}/saved",
        "/compare",
        "/compare?as_of=2026-02-01&to=2026-04-01",
        "/compare?as_of=2026-02-01&to=3/4/2026",
        CLOCKS,
        f"{CLOCKS}?as_of=2026-02-09&known_at=op:3",
        "/import",
    ):
        page.goto(origin + path)
        found += faults(page, path)
    page.goto(origin + "/subjects/Tier%202%20renewal")
    page.get_by_text("list_price as steps").click()
    found += faults(page, "steps")
    page.goto(origin + "/import")
    page.get_by_label("A file").set_input_files(sheet(tmp_path))
    page.get_by_role("button", name="Look at its columns").click()
    found += faults(page, "columns")
    page.get_by_role("button", name="Preview against the brain").click()
    found += faults(page, "preview")
    page.get_by_label("Leave the 3 bad rows out").check()
    page.get_by_role("button", name="Store 2 facts").click()
    found += faults(page, "stored")
    assert found == []


def recall_id() -> int:
    from brain.recall import recall

    return recall(TIER, predicate="list_price").facts[0].id


def test_axe_finds_nothing_on_a_fresh_brain(visit: Visit) -> None:
    assert faults(visit("/", role="operator"), "empty") == []
