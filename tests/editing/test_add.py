"""Adding a fact: one thing keeps one name, and what is added is previewed like a change."""

from __future__ import annotations

import pytest

from brain import journal
from brain.models import Fact
from brain.recall import recall
from tests.dashboard.conftest import on, say
from tests.editing.conftest import fields
from tests.editing.test_change import HTMX, words

FACT = {"subject": "Tier 4 renewal", "predicate": "list_price", "value": "$12,000"}


def tried(client, **typed: str):
    sent = fields(client.get("/facts/add").content.decode()) | FACT | typed
    return client.post("/facts/add", sent | {"step": "preview"})


def added(client, preview, **more: str):
    return client.post("/facts/add", fields(preview.content.decode()) | {"step": "save"} | more)


def test_a_fact_is_previewed_and_then_added(pricing) -> None:
    preview = tried(pricing, reason="New tier")
    assert "Save $12,000" in words(preview)
    assert added(pricing, preview, category="knowledge").status_code == 302
    fact = recall("Tier 4 renewal").facts[0]
    assert (fact.value, fact.written_by, fact.source, fact.scope) == ("$12,000", "pricing", "dashboard", "/")


def test_a_look_alike_is_flagged_before_it_is_saved(pricing) -> None:
    say("Tier 4 Renewal", "list_price", "$11,000", "2026-07-01")
    preview = tried(pricing)
    assert "Similar. There is already “ Tier 4 Renewal ”." in words(preview)
    assert "$11,000" not in words(preview)


def test_a_key_that_says_something_already_shows_old_and_new(pricing) -> None:
    say("Tier 4 renewal", "list_price", "$11,000", "2026-07-01")
    preview = tried(pricing)
    assert "<del><bdi>$11,000</bdi></del>" in preview.content.decode()


def test_scope_category_and_end_are_kept(pricing) -> None:
    preview = tried(pricing, scope="/emea", category="identity", expires_at="30 June 2090", after="nothing")
    added(pricing, preview, category="identity")
    row = Fact.objects.get()
    assert (row.key.scope, row.category, row.expires_at) == ("/emea", "identity", on("2090-07-01"))
    assert not row.temporary


@pytest.mark.parametrize("missing", ["subject", "predicate", "value"])
def test_what_is_missing_is_named(pricing, missing) -> None:
    answer = tried(pricing, **{missing: " "})
    assert answer.status_code == 422
    assert "Say w" in words(answer)
    assert journal.last_id() == 0


def test_a_bad_scope_is_named(pricing) -> None:
    assert tried(pricing, scope="EMEA").status_code == 422


def test_while_somebody_types_what_is_not_there_yet_is_no_error(pricing) -> None:
    sent = fields(pricing.get("/facts/add").content.decode()) | {"subject": "Tier", "step": "live"}
    answer = pricing.post("/facts/add", sent, headers=HTMX)
    assert answer.status_code == 200
    assert "Say w" not in words(answer)


def test_existing_names_are_suggested_the_subjects_own_predicates_first(pricing) -> None:
    say("Tier 2 renewal", "discount", "12%", "2026-07-01")
    say("Seat", "a_price", "$38", "2026-07-01")
    subjects = pricing.get("/facts/suggest", {"field": "subject", "subject": "ti"}).content.decode()
    assert "Tier 2 renewal" in subjects
    assert "Seat" not in subjects
    query = {"field": "predicate", "subject": "Tier 2 renewal", "predicate": ""}
    predicates = pricing.get("/facts/suggest", query).content.decode()
    assert predicates.index("discount") < predicates.index("a_price")
    assert pricing.get("/facts/suggest", {"field": "value"}).status_code == 404


def test_what_was_withheld_is_not_suggested(pricing) -> None:
    from brain.forget import forget
    from brain.reader import EVERYTHING
    from brain.selectors import parse

    said = say("Secret project", "name", "x", "2026-07-01").fact
    forget(parse({"ids": [said.origin_id]}), actor="ann", reason="r", reader=EVERYTHING)
    assert "Secret" not in pricing.get("/facts/suggest", {"field": "subject", "subject": "sec"}).content.decode()
