"""Changing a value in its row: previewed as old → new, saved as what was previewed, and nobody's work overwritten."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client

from brain import journal, time
from brain.models import Fact, Operation
from brain.recall import recall
from brain.retire import retract
from brain.scopes import freeze
from tests.dashboard.conftest import on, say
from tests.editing.conftest import fields

TIER = "Tier 3 renewal"


def price() -> str | None:
    facts = recall(TIER, predicate="list_price").facts
    return facts[0].value if facts else None


def words(answer) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def edit(client: Client, fact: Fact, **typed: str):
    """Opens the form, types and looks at the preview."""
    sent = fields(client.get(f"/facts/{fact.origin_id}/edit").content.decode()) | typed
    return client.post(f"/facts/{fact.origin_id}/edit", sent | {"step": "preview"})


def save(client: Client, fact: Fact, preview, **more: str):
    return client.post(f"/facts/{fact.origin_id}/edit", fields(preview.content.decode()) | {"step": "save"} | more)


@pytest.fixture
def fact(db) -> Fact:
    return say(TIER, "list_price", "$7,900", "2026-07-01").fact


def test_a_change_is_shown_as_old_and_new_before_it_is_saved(pricing, fact) -> None:
    preview = edit(pricing, fact, value="$8,250")
    assert "<del><bdi>$7,900</bdi></del>" in preview.content.decode()
    assert "<ins><bdi>$8,250</bdi></ins>" in preview.content.decode()
    assert "+350 (+4.4%)" in words(preview)
    assert "Change to $8,250" in words(preview)
    assert price() == "$7,900"


def test_saving_stores_what_was_previewed_with_its_reason(pricing, fact) -> None:
    saved = save(pricing, fact, edit(pricing, fact, value="$8,250", reason="Autumn round"))
    assert saved.status_code == 302
    assert "$7,900" in words(pricing.get(saved["Location"]))
    assert price() == "$8,250"
    told = Operation.objects.latest("id")
    assert (told.reason, told.actor) == ("Autumn round", "pricing")
    row = Fact.objects.get(value="$8,250")
    assert (row.written_by, row.source, row.source_kind) == ("pricing", "dashboard", "upsert")


def test_what_was_not_previewed_is_not_saved(pricing, fact) -> None:
    preview = edit(pricing, fact, value="$8,250")
    again = save(pricing, fact, preview, value="$82,500")
    assert again.status_code == 200
    assert "<ins><bdi>$82,500</bdi></ins>" in again.content.decode()
    assert price() == "$7,900"


def test_a_future_day_schedules(pricing, fact) -> None:
    preview = edit(pricing, fact, value="$8,250", learned_at="1 Jan 2090")
    assert "on 1 Jan 2090, 00:00 UTC" in words(preview)
    assert "Until then agents go on reading $7,900." in words(preview)
    assert "Schedule $8,250" in words(preview)
    save(pricing, fact, preview)
    assert price() == "$7,900"
    assert recall(TIER, at=journal.resolve(on("2090-01-01"))).facts[0].value == "$8,250"


def test_after_an_end_the_present_price_returns_or_nothing_holds(pricing, fact) -> None:
    typed = {"value": "$5,000", "learned_at": "1 June 2090", "expires_at": "30 June 2090"}
    returns = edit(pricing, fact, **typed, after="returns")
    assert "It holds until the end of 30 Jun 2090; then $7,900 holds again." in words(returns)
    nothing = edit(pricing, fact, **typed, after="nothing")
    assert "then nothing holds" in words(nothing)
    save(pricing, fact, returns)
    row = Fact.objects.get(value="$5,000")
    assert (row.temporary, row.expires_at) == (True, on("2090-07-01"))
    assert recall(TIER, at=journal.resolve(on("2090-07-02"))).facts[0].value == "$7,900"


def test_a_past_day_backdates_and_says_what_stays(pricing, fact) -> None:
    preview = edit(pricing, fact, value="$7,000", learned_at="1 Feb 2026")
    assert "as of 1 Feb 2026" in words(preview)
    assert "What holds now, $7,900, stays." in words(preview)
    assert "Backdate $7,000" in words(preview)


def test_the_value_that_holds_already_is_not_saved_again(pricing, fact) -> None:
    preview = edit(pricing, fact, value=" $7,900 ")
    assert "That is what holds already" in words(preview)
    assert "There is nothing to save" in words(preview)
    before = journal.last_id()
    save(pricing, fact, preview)
    assert price() == "$7,900"
    assert Fact.objects.count() == 1
    assert journal.last_id() <= before + 1  # at most noted as affirmed


def test_somebody_who_was_first_is_shown_beside_and_not_overwritten(pricing, fact) -> None:
    opened = fields(pricing.get(f"/facts/{fact.origin_id}/edit").content.decode())
    say(TIER, "list_price", "$8,000", written_by="crm-sync")
    answer = pricing.post(f"/facts/{fact.origin_id}/edit", opened | {"value": "$8,250", "step": "preview"})
    assert answer.status_code == 422
    told = words(answer)
    assert "Somebody else was there first." in told
    assert all(value in told for value in ("$7,900", "$8,000", "$8,250"))
    assert "crm-sync" in told
    pressed_enter = pricing.post(f"/facts/{fact.origin_id}/edit", fields(answer.content.decode()) | {"step": "save"})
    assert pressed_enter.status_code == 422
    assert price() == "$8,000"


def test_theirs_is_replaced_only_by_the_button_that_says_so(pricing, fact) -> None:
    opened = fields(pricing.get(f"/facts/{fact.origin_id}/edit").content.decode())
    say(TIER, "list_price", "$8,000", written_by="crm-sync")
    answer = pricing.post(f"/facts/{fact.origin_id}/edit", opened | {"value": "$8,250", "step": "preview"})
    over = re.search(r'name="over" value="(\d+)"', answer.content.decode())
    assert over is not None
    say(TIER, "list_price", "$8,100", written_by="crm-sync")
    too_late = pricing.post(f"/facts/{fact.origin_id}/edit", fields(answer.content.decode()) | {"over": over[1]})
    assert too_late.status_code == 422
    assert price() == "$8,100"
    newer = re.search(r'name="over" value="(\d+)"', too_late.content.decode())
    assert newer is not None
    pricing.post(f"/facts/{fact.origin_id}/edit", fields(too_late.content.decode()) | {"over": newer[1]})
    assert price() == "$8,250"


def test_a_change_elsewhere_in_time_is_no_conflict(pricing, fact) -> None:
    opened = fields(pricing.get(f"/facts/{fact.origin_id}/edit").content.decode())
    say(TIER, "list_price", "$9,000", "2090-01-01")
    answer = pricing.post(f"/facts/{fact.origin_id}/edit", opened | {"value": "$8,250", "step": "preview"})
    assert answer.status_code == 200
    assert "On 1 Jan 2090, 00:00 UTC $9,000 takes over, as it is scheduled." in words(answer)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"value": "  "}, "Say what the value becomes."),
        ({"value": "a\x07b"}, "control character"),
        ({"value": "$1", "learned_at": "03/04/2026"}, "can be read two ways"),
        ({"value": "$1", "learned_at": "1 Jun 2090", "expires_at": "31 May 2090"}, "It must end after it begins."),
        ({"value": "$1", "expires_at": "1 Jan 2001"}, "later than learned_at"),
        ({"value": "$1", "source": ""}, "Say where it comes from."),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_saved(pricing, fact, typed, told) -> None:
    answer = edit(pricing, fact, **typed)
    assert answer.status_code == 422
    assert told in words(answer)
    assert price() == "$7,900"


def test_a_frozen_scope_is_named_before_anything_is_saved(pricing, fact) -> None:
    freeze("/", actor="ann", reason="audit")
    answer = edit(pricing, fact, value="$8,250")
    assert "frozen" in words(answer)
    assert answer.status_code == 422


@pytest.mark.parametrize("role", ["reader", "auditor"])
def test_roles_that_do_not_write_are_refused(signed_in, fact, role) -> None:
    client = signed_in(role)
    assert client.get(f"/facts/{fact.origin_id}/edit").status_code == 403
    assert client.post(f"/facts/{fact.origin_id}/edit", {"value": "$1", "seen": "1"}).status_code == 403
    assert client.post(f"/facts/{fact.origin_id}/undo").status_code == 403
    assert client.get("/facts/add").status_code == 403
    assert "edits" not in client.get("/").content.decode()


def test_undo_brings_the_value_before_back(pricing, fact) -> None:
    save(pricing, fact, edit(pricing, fact, value="$8,250"))
    changed = Fact.objects.get(value="$8,250")
    assert pricing.post(f"/facts/{changed.origin_id}/undo", {"next": "/?q=tier"})["Location"] == "/?q=tier"
    assert price() == "$7,900"
    assert Operation.objects.latest("id").reason == "Undone right after it was saved"


def test_what_somebody_else_wrote_is_not_undone_by_people_who_keep_prices(pricing, fact) -> None:
    assert pricing.post(f"/facts/{fact.origin_id}/undo").status_code == 403
    assert price() == "$7,900"


def test_a_link_back_leads_nowhere_else(pricing, fact) -> None:
    changed = save(pricing, fact, edit(pricing, fact, value="$8,250"), next="https://elsewhere.example/")
    assert "elsewhere" not in changed["Location"]


def test_a_value_that_holds_no_more_is_not_edited(pricing, fact) -> None:
    retract(fact.origin_id, actor="ann", reason="mistake")
    answer = pricing.get(f"/facts/{fact.origin_id}/edit")
    assert "does not hold any more" in words(answer)
    assert pricing.get("/facts/999999/edit").status_code == 404


def test_a_scheduled_value_keeps_its_day_when_it_is_edited(pricing, fact) -> None:
    ahead = say(TIER, "list_price", "$9,000", "2090-01-01").fact
    opened = fields(pricing.get(f"/facts/{ahead.origin_id}/edit").content.decode())
    assert opened["learned_at"] == "1 Jan 2090, 00:00"
    save(pricing, ahead, edit(pricing, ahead, value="$9,100"))
    assert recall(TIER, at=journal.resolve(time.parse("2090-01-02"))).facts[0].value == "$9,100"


def test_a_temporary_value_keeps_its_end_when_it_is_edited(pricing, fact) -> None:
    promotion = say(TIER, "list_price", "$5,000", None, expires_at=on("2090-07-01"), temporary=True).fact
    opened = fields(pricing.get(f"/facts/{promotion.origin_id}/edit").content.decode())
    assert (opened["expires_at"], opened["after"]) == ("30 Jun 2090", "returns")


def test_a_long_value_is_edited_in_several_lines(pricing, db) -> None:
    long = say("Terms", "summary", "One line.\n" * 3).fact
    page = pricing.get(f"/facts/{long.origin_id}/edit").content.decode()
    assert "<textarea" in page
    assert fields(page)["value"].startswith("One line.")


# -- in the row, with htmx


HTMX = {"HX-Request": "true"}


def test_the_form_opens_beneath_its_row(pricing, fact) -> None:
    answer = pricing.get(f"/facts/{fact.origin_id}/edit", headers=HTMX)
    assert answer.content.decode().startswith(f'<tr class="editor" id="editor-{fact.origin_id}">')


def test_while_somebody_types_only_the_preview_changes(pricing, fact) -> None:
    opened = fields(pricing.get(f"/facts/{fact.origin_id}/edit", headers=HTMX).content.decode())
    sent = opened | {"value": "$8,250", "step": "live"}
    answer = pricing.post(f"/facts/{fact.origin_id}/edit", sent, headers=HTMX)
    assert "<form" not in answer.content.decode()
    assert "Change to $8,250" in words(answer)


def test_saving_swaps_the_row_and_offers_to_undo(pricing, fact) -> None:
    opened = fields(pricing.get(f"/facts/{fact.origin_id}/edit", headers=HTMX).content.decode())
    sent = opened | {"value": "$8,250"}
    preview = pricing.post(f"/facts/{fact.origin_id}/edit", sent | {"step": "live"}, headers=HTMX)
    mark = re.search(r'name="shown" value="(\w+)"', preview.content.decode())
    saved = pricing.post(f"/facts/{fact.origin_id}/edit", sent | {"step": "save", "shown": mark[1]}, headers=HTMX)
    now = Fact.objects.get(value="$8,250").origin_id
    assert (saved["HX-Retarget"], saved["HX-Reswap"]) == (f"#editor-{fact.origin_id}", "delete")
    html_ = saved.content.decode()
    assert f'<tr id="row-{now}" hx-swap-oob="outerHTML:#row-{fact.origin_id}"' in html_
    assert "$8,250" in html_
    assert f'action="/facts/{now}/undo"' in html_
    undone = pricing.post(f"/facts/{now}/undo", headers=HTMX).content.decode()
    assert f'<tr id="row-{fact.origin_id}" hx-swap-oob="outerHTML:#row-{now}"' in undone
