"""Operators and auditors at work in a real browser, as somebody who has not read a manual."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from brain import approvals, holds, journal, receipts, scopes, tokens
from brain.approvals import Asker
from brain.forget import forget
from brain.models import Fact, Job, Operation, Receipt
from brain.reader import EVERYTHING, Reader
from brain.recall import recall
from brain.selectors import Selector
from brain.time import DAY
from tests.browser.conftest import Visit, instant
from tests.operations.conftest import PRICES, bad_afternoon, own_spool, right_prices, write

__all__ = ["own_spool"]


def held(subject: str) -> str | None:
    facts = recall(subject, reader=Reader()).facts
    return facts[0].value if facts else None


def answered(subject: str, said: str, day: str | None = None) -> str:
    at = journal.resolve(instant(day) if day else None)
    facts = [fact.id for fact in recall(subject, at=at, reader=Reader()).facts]
    query = {"kind": "recall", "subject": subject}
    receipt = receipts.leave(agent="brief-writer", scope="/", query=query, at=at, fact_ids=facts)
    assert receipt is not None
    receipts.answer(receipt, said, agent="brief-writer")
    if day:
        Receipt.objects.filter(pk=receipt).update(at=instant(f"{day}T14:02"))
    return receipt


def rows(page: Page, heading: str) -> list[str]:
    """The rows under a heading, in words."""
    section = page.locator("section", has=page.get_by_role("heading", name=heading))
    return [" ".join(row.split()) for row in section.locator("tbody tr").all_inner_texts()]


# -- one agent's bad afternoon: four wrong prices among thirty good writes by others


def confirm(page: Page, count: str, reason: str) -> None:
    page.get_by_label("Reason").fill(reason)
    page.get_by_label(re.compile("^Type")).fill(count)
    page.locator("[data-commit]").click()


@pytest.mark.parametrize("script", [True, False])
def test_a_bad_afternoon_is_undone_from_the_journal(live_server: LiveServer, visit: Visit, script: bool) -> None:
    right_prices()
    bad_afternoon()
    page = visit("/", role="operator", java_script_enabled=script)
    page.get_by_role("link", name="Journal").click()
    page.get_by_role("row").get_by_role("link", name="crm-sync", exact=True).first.click()
    expect(page.locator("output")).to_have_text("4 operations fit the filter.")
    page.get_by_role("link", name="Undo everything crm-sync did since…").click()
    page.get_by_role("link", name="and what followed it").last.click()
    assert rows(page, "4 values change") == [f"{subject} list_price $1 → $100" for subject in PRICES]
    assert [held(subject) for subject in PRICES] == ["$1"] * 4
    confirm(page, "4", "Wrong column mapped in the afternoon’s sync")
    expect(page.get_by_role("heading", level=1)).to_have_text("Done")
    assert [held(subject) for subject in PRICES] == ["$100"] * 4
    assert held("Product 0") == "$0"
    assert Operation.objects.filter(kind="rewind").count() == 1


def test_chosen_operations_are_undone_from_the_journal(live_server: LiveServer, visit: Visit) -> None:
    right_prices()
    bad_afternoon()
    page = visit("/journal", role="operator")
    for row in page.get_by_role("row", name="crm-sync").all():
        row.get_by_role("checkbox").check()
    page.get_by_role("button", name="Undo the selected…").click()
    assert rows(page, "4 values change") == [f"{subject} list_price $1 → $100" for subject in PRICES]


def test_the_button_waits_for_the_count_and_the_reason(live_server: LiveServer, visit: Visit) -> None:
    right_prices()
    before = bad_afternoon()
    page = visit(f"/rewind?actor=crm-sync&to=op:{before}", role="operator")
    button = page.get_by_role("button", name="Rewind 4 rows")
    expect(button).to_be_disabled()
    page.get_by_label("Reason").fill("Wrong column")
    page.get_by_label(re.compile("^Type")).fill("5")
    expect(button).to_be_disabled()
    page.get_by_label(re.compile("^Type")).fill("4")
    expect(button).to_be_enabled()


def test_the_journal_is_filtered_while_typing_and_the_address_follows(live_server: LiveServer, visit: Visit) -> None:
    right_prices()
    bad_afternoon()
    page = visit("/journal", role="auditor")
    page.get_by_label("Who").fill("crm-sync")
    expect(page.locator("#journal output")).to_have_text("4 operations fit the filter.")
    assert "actor=crm-sync" in page.url
    assert page.evaluate("document.activeElement.name") == "actor"
    page.go_back()
    expect(page.locator("#journal output")).to_contain_text("38 operations, newest first")


def test_an_operation_made_elsewhere_shows_up_in_an_open_journal(live_server: LiveServer, visit: Visit) -> None:
    write("Seats", "$100")
    page = visit("/journal", role="auditor")
    page.get_by_label("Who").focus()
    write("Seats", "$120", by="crm-sync")
    expect(page.locator("#news")).to_contain_text("1 new operation.")
    assert page.evaluate("document.activeElement.name") == "actor"
    page.get_by_role("link", name="Show it").click()
    expect(page.locator("#journal output")).to_contain_text("2 operations")
    expect(page.locator("#news")).to_be_empty()


# -- forget


def test_a_fact_is_erased_and_the_receipt_says_that_its_bytes_are_gone(live_server: LiveServer, visit: Visit) -> None:
    write("Beta GmbH", "ZQX-PURGE-7731", predicate="contact")
    page = visit("/journal", role="operator")
    page.get_by_role("link", name="Forget", exact=True).click()
    page.get_by_role("link", name="Erase facts…").click()
    page.get_by_label("Subject").fill("Beta GmbH")
    page.get_by_role("button", name="Preview").click()
    assert rows(page, "1 current value goes") == ["Beta GmbH contact ZQX-PURGE-7731 → no record"]
    confirm(page, "1", "Erasure request 14")
    expect(page.get_by_text("The bytes are gone from the database’s files.")).to_be_visible()
    assert not Fact.objects.filter(value__contains="ZQX").exists()


def test_long_work_is_watched_to_its_end(live_server: LiveServer, visit: Visit) -> None:
    write("Seats", "$1")
    job = Job.objects.create(kind="purge", actor="olga", total=40_000, done=9_000, created_at=0, updated_at=0)
    page = visit(f"/jobs/{job.pk}", role="operator")
    expect(page.get_by_role("progressbar")).to_have_js_property("value", 9_000)
    Job.objects.filter(pk=job.pk).update(done=40_000, state=Job.DONE, result={"storage": "erased"})
    expect(page.get_by_role("heading", level=1)).to_have_text("Finished")
    expect(page.get_by_text("The bytes are gone")).to_be_visible()


def test_a_long_rewind_is_watched_by_its_time(live_server: LiveServer, visit: Visit) -> None:
    began = journal.now() - 5_000
    job = Job.objects.create(
        kind="rewind", actor="olga", total=40_000, request={"took": 3_600.0}, created_at=began, updated_at=began
    )
    page = visit(f"/jobs/{job.pk}", role="operator")
    bar = page.get_by_role("progressbar", name="40,000 rows, about 3600 seconds")
    first = bar.evaluate("bar => bar.value")
    expect(bar).not_to_have_js_property("value", first)
    Job.objects.filter(pk=job.pk).update(state=Job.STOPPED, result={"reason": "The scope /emea is frozen."})
    expect(page.get_by_role("alert")).to_have_text("Nothing was changed. The scope /emea is frozen.")


# -- review


def test_a_claim_is_resolved_by_keyboard_alone(live_server: LiveServer, visit: Visit) -> None:
    write("Seats", "$100")
    write("Seats", "$90", by="brief-writer", source_kind="turn", confidence=0.6)
    page = visit("/", role="pricing")
    page.get_by_role("link", name="Review 1 waiting").press("Enter")
    page.wait_for_url("**/review")
    page.wait_for_load_state()
    page.locator(".card").focus()
    page.keyboard.press("a")
    expect(page.locator(".card [name=reason]")).to_be_focused()
    page.keyboard.type("The contract says so")
    page.keyboard.press("Enter")
    expect(page.locator(".card")).to_contain_text("Accepted: it holds now")
    expect(page.get_by_role("link", name="Review", exact=True)).to_be_visible()
    assert held("Seats") == "$90"


def test_a_claim_is_resolved_without_the_script(live_server: LiveServer, visit: Visit) -> None:
    write("Seats", "$100")
    write("Seats", "$90", by="brief-writer", source_kind="turn", confidence=0.6)
    page = visit("/review", role="pricing", java_script_enabled=False)
    page.get_by_label("Reason").fill("A misunderstanding")
    page.get_by_role("button", name="Reject it").click()
    expect(page.get_by_role("status")).to_contain_text("Rejected: what held goes on holding")
    assert held("Seats") == "$100"


# -- answers


def test_an_auditor_explains_an_answer_knowing_its_day_and_its_amount(live_server: LiveServer, visit: Visit) -> None:
    write("Tier 2 renewal", "$4,200", learned_at=instant("2026-01-12"))
    for n in range(60):
        write(f"Product {n}", f"${n}", learned_at=instant("2026-01-01"))
        answered(f"Product {n}", f"It is ${n}.", "2026-02-09" if n % 2 else None)
    answered("Tier 2 renewal", "A Tier 2 renewal is $4,200.", "2026-02-09")
    write("Tier 2 renewal", "$3,600", learned_at=instant("2026-03-03"))
    page = visit("/", role="auditor")
    page.get_by_role("link", name="Answers").click()
    page.get_by_label("Asked, served or said").fill("$4,200")
    page.get_by_label("From").fill("9 Feb 2026")
    page.get_by_label("Through").fill("9 Feb 2026")
    expect(page.locator("#answers output")).to_have_text("1 answer fits the filter.")
    page.get_by_role("row").get_by_role("link", name="Tier 2 renewal").click()
    expect(page.locator("blockquote")).to_contain_text("brief-writer was told $4,200, learned 12 Jan 2026")
    expect(page.locator("blockquote")).to_contain_text("It has been $3,600 since 3 Mar 2026.")
    expect(page.locator(".verdict")).to_contain_text("Replaced since")


# -- agents


def test_a_token_is_handed_out_and_revoked(live_server: LiveServer, visit: Visit) -> None:
    page = visit("/agents", role="operator")
    page.get_by_role("link", name="Hand out the first token…").click()
    page.get_by_role("textbox", name="Name").fill("brief-writer")
    page.get_by_role("button", name="Make the token").click()
    plain = page.locator("#token").inner_text()
    assert tokens.authenticate(plain) is not None
    page.get_by_role("link", name="I have it").click()
    page.get_by_text("Revoke…").click()
    page.get_by_role("button", name="Revoke brief-writer").click()
    expect(page.get_by_role("status")).to_contain_text("its token opens nothing any more")
    assert tokens.authenticate(plain) is None


# -- axe


@pytest.fixture
def lively(live_server: LiveServer, own_spool: Path) -> list[str]:
    """Something on every page; the addresses of them all."""
    now = journal.now()
    tokens.issue("brief-writer", grants=["memory:read", "memory:write"], scope="/")
    right_prices()
    bad_afternoon()
    write("Seats", "$90", by="brief-writer", source_kind="turn", confidence=0.6)
    write("Promo", "2 for 1", learned_at=now - DAY, expires_at=now + 2 * DAY)
    write("seats", "$2", scope="/")
    write("Gamma", "Call on Friday", by="brief-writer")
    asked = Fact.objects.latest("pk").origin_id
    approvals.delete(asked, asker=Asker("brief-writer", frozenset({"memory:write"})), reason="They asked us to")
    receipt = answered("Seats", "It is $1.")
    forget(Selector(subject="Product 0"), actor="olga", reason="a name", reader=EVERYTHING)
    withheld = Fact.objects.filter(forgotten_in__isnull=False).first()
    assert withheld is not None
    holds.place(Selector(subject="Product 1"), actor="olga", reason="dispute", reader=EVERYTHING)
    scopes.freeze("/apac", actor="olga", reason="audit")
    long = {"actor": "olga", "total": 40_000, "created_at": now, "updated_at": now}
    Job.objects.create(kind="purge", done=9_000, **long)
    Job.objects.create(kind="rewind", request={"took": 3_600.0}, **long)
    Job.objects.create(kind="rewind", state=Job.STOPPED, result={"reason": "The scope /apac is frozen."}, **long)
    return [
        *("/journal", "/journal?actor=crm-sync&kind=remember", "/journal?start=3/4/2026", "/journal?actor=nobody"),
        *("/journal/10", "/rewind", "/rewind?actor=crm-sync", "/rewind?actor=crm-sync&to=op:4", "/rewind?to=x"),
        *("/rewind?operations=5", "/rewind?to=op:0&actor=nobody"),
        *("/forget", "/forget/withhold", "/forget/erase?written_by=crm-sync", "/forget/age", "/forget/scope"),
        *("/forget/age?before=2027-01-01T00:00:00.000Z&basis=learned_at", "/forget/withheld", "/forget/erase?ids=x"),
        *(f"/facts/{withheld.pk}/restore", "/facts/1/end", "/facts/1/end?at=1+Jan+2099", "/facts/1/retract"),
        *("/jobs", "/jobs/1", "/jobs/2", "/jobs/3"),
        *("/scopes", "/holds", "/holds?subject=Seats", "/review", "/review/alike"),
        *("/answers", "/answers?q=nowhere", f"/answers/{receipt}"),
        *("/agents", "/agents/new", "/agents/named/brief-writer"),
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing(visit: Visit, lively: list[str], scheme: str, width: int) -> None:
    axe, page = Axe(), visit("/", role="operator", width=width, color_scheme=scheme)
    origin, found = page.url.rstrip("/"), []
    for path in lively:
        page.goto(origin + path)
        for details in page.locator("main details.act").all():
            details.evaluate("element => { element.open = true; }")
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append(f"{path}: wider than the window")
        found += [f"{path}: {fault['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
                  for fault in axe.run(page).response["violations"] for node in fault["nodes"]]  # fmt: skip
    assert found == []
