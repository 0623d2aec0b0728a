"""The first screen of a fresh brain, and the list as a sheet."""

from __future__ import annotations

import csv
import io

import pytest

from brain import journal
from brain.recall import recall
from tests.dashboard.conftest import say
from tests.editing.test_change import words


def test_a_fresh_brain_offers_import_adding_and_the_sample(signed_in, db) -> None:
    told = words(signed_in("operator").get("/"))
    assert "Nothing has been written yet" in told
    assert all(way in told for way in ("Import a price list", "Add a fact", "Load the sample brain"))


def test_each_role_is_offered_what_it_may_do(signed_in, db) -> None:
    pricing, reader = words(signed_in("pricing").get("/")), words(signed_in("reader").get("/"))
    assert ("Import a price list" in pricing, "Load the sample brain" in pricing) == (True, False)
    assert "Import a price list" not in reader
    assert signed_in("pricing").post("/sample").status_code == 403


def test_the_sample_is_loaded_once_into_an_empty_brain_only(signed_in, db) -> None:
    operator = signed_in("operator")
    page = operator.post("/sample", follow=True)
    assert "The sample brain is here." in words(page)
    assert recall("Tier 2 renewal", predicate="list_price").facts[0].value == "$3,600"
    last = journal.last_id()
    assert "not empty any more" in words(operator.post("/sample", follow=True))
    assert journal.last_id() == last


def rows_of(answer) -> list[dict[str, str]]:
    text = b"".join(answer.streaming_content).decode()
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def test_the_list_shown_is_downloaded_with_formulas_made_harmless(signed_in, db) -> None:
    say("Trap", "value", "=HYPERLINK(1)", "2026-03-01")
    say("Tier 2 renewal", "list_price", "$3,600", "2026-03-03")
    reader = signed_in("reader")
    assert "formulas made harmless" in words(reader.get("/"))
    assert [row["Value"] for row in rows_of(reader.get("/facts/sheet"))] == ["$3,600", "'=HYPERLINK(1)"]
    assert [row["Subject"] for row in rows_of(reader.get("/facts/sheet?q=trap"))] == ["Trap"]


@pytest.mark.parametrize("query", ["order=nothing", "scope=/nowhere", "status=nonsense"])
def test_a_list_that_there_is_not_leads_back_to_the_page(signed_in, db, query) -> None:
    assert signed_in("reader").get(f"/facts/sheet?{query}").status_code == 302


# -- live


def asked(client, path: str = "/", **query: object):
    return client.get("/live", query, headers={"HX-Request": "true", "HX-Current-URL": f"http://testserver{path}"})


def test_nothing_new_is_an_empty_answer(signed_in, db) -> None:
    say("A", "p", "1", "2026-03-01")
    assert asked(signed_in("reader"), opened=1, shown=1, told=1).status_code == 204


def test_what_others_changed_is_told_and_the_list_refreshed(signed_in, db) -> None:
    say("A", "p", "1", "2026-03-01")
    say("B", "p", "1", "2026-03-01")
    say("C", "p", "1", "2026-03-01")
    answer = asked(signed_in("reader"), opened=1, shown=1, told=1)
    assert "pricing-team changed 2 facts since you opened this page." in words(answer)
    assert "brain-changed" in answer["HX-Trigger-After-Swap"]


def test_during_an_edit_the_list_stays_and_the_change_is_told_once(signed_in, db) -> None:
    say("A", "p", "1", "2026-03-01")
    say("B", "p", "1", "2026-03-01")
    reader = signed_in("reader")
    answer = asked(reader, "/?q=x", opened=1, shown=1, told=1, editing=1)
    assert "Show them" in words(answer)
    assert "HX-Trigger-After-Swap" not in answer
    assert 'href="/?q=x"' in answer.content.decode()
    assert asked(reader, opened=1, shown=1, told=2, editing=1).status_code == 204


def test_a_page_that_reads_the_past_is_evidence_and_stays(signed_in, db) -> None:
    say("A", "p", "1", "2026-03-01")
    answer = asked(signed_in("reader"), "/?as_of=2026-02-09T00:00:00.000Z", opened=0, shown=0, told=0)
    assert answer.status_code == 204
