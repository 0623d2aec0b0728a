"""The rows that a forget would take, as a sheet: all of them, what is on hold marked, and nothing is done."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client

from brain import holds, journal
from brain.forget import forget
from brain.reader import EVERYTHING
from brain.retire import end
from brain.scopes import freeze
from brain.selectors import Selector
from tests.operations.conftest import on, say, text, write

pytestmark = pytest.mark.django_db


def rows(client: Client, path: str) -> list[dict[str, str]]:
    answer = client.get(path)
    assert answer.status_code == 200, path
    content = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]
    assert content.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(content.removeprefix("\ufeff"))))


def link(client: Client, path: str) -> str:
    """The download that the preview offers."""
    found = re.search(r'<a href="(/forget/[^"]+/rows[^"]*)" download', client.get(path, follow=True).content.decode())
    assert found is not None
    return unescape(found[1])


def test_the_preview_offers_every_row_with_what_is_on_hold_marked(signed_in: Callable[[str], Client]) -> None:
    say("Acme", "contact", "Jane", "2026-01-01")
    say("Acme", "contact", "Joan", "2026-02-01")
    say("Acme", "manager", "Tom", "2026-01-01")
    say("Else", "contact", "Ann")
    holds.place(Selector(predicate="manager"), actor="olga", reason="dispute", reader=EVERYTHING)
    client, before = signed_in("operator"), journal.last_id()
    path = link(client, "/forget/erase?subject=Acme")
    found = [(row["Predicate"], row["Value"], row["On hold"]) for row in rows(client, path)]
    assert found == [("contact", "Jane", ""), ("contact", "Joan", ""), ("manager", "Tom", "yes")]
    assert "what is on hold is marked" in text(client.get("/forget/erase?subject=Acme"))
    assert journal.last_id() == before


def test_versions_of_a_fact_go_with_it_and_are_in_the_sheet(signed_in: Callable[[str], Client]) -> None:
    fact = say("Acme", "contact", "Jane", "2026-01-01").fact.origin_id
    end(fact, at=on("2026-05-01"), actor="ann", reason="left")
    found = rows(signed_in("operator"), f"/forget/erase/rows?ids={fact}")
    assert [(row["Fact"], row["Status"], row["Until"]) for row in found] == [
        (str(fact), "retracted", ""),
        (str(fact), "expired", "2026-05-01T00:00:00.000Z"),
    ]


def test_what_is_withheld_already_is_not_among_what_will_be(signed_in: Callable[[str], Client]) -> None:
    gone = say("Acme", "contact", "Jane").fact.origin_id
    say("Acme", "manager", "Tom")
    forget(Selector(ids=(gone,)), actor="olga", reason="asked", reader=EVERYTHING)
    client = signed_in("operator")
    assert [row["Value"] for row in rows(client, "/forget/withhold/rows?subject=Acme")] == ["Tom"]
    erased = rows(client, "/forget/erase/rows?subject=Acme")
    assert [(row["Value"], row["Status"]) for row in erased] == [("Jane", "forgotten"), ("Tom", "current")]


def test_each_form_has_its_sheet(signed_in: Callable[[str], Client]) -> None:
    say("Seat", "list_price", "$1", "2025-01-01", scope="/emea")
    say("Seat", "list_price", "$2", "2025-06-01", scope="/emea")
    client = signed_in("operator")
    old = link(client, "/forget/age?before=2026-01-01T00:00:00.000Z")
    assert [row["Value"] for row in rows(client, old)] == ["$1"]
    assert [row["Value"] for row in rows(client, link(client, "/forget/scope?scope=/emea"))] == ["$1", "$2"]


def test_formulas_are_made_harmless(signed_in: Callable[[str], Client]) -> None:
    write("Acme", "=HYPERLINK(1)")
    assert rows(signed_in("operator"), "/forget/erase/rows?subject=Acme")[0]["Value"] == "'=HYPERLINK(1)"


def test_what_would_be_refused_gives_no_sheet(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("operator")
    assert client.get("/forget/erase/rows").headers["Location"] == "/forget/erase?"
    assert client.get("/forget/lost/rows?subject=Acme").status_code == 404
    write("Acme", "Jane", scope="/emea")
    freeze("/emea", actor="olga", reason="audit")
    assert client.get("/forget/erase/rows?subject=Acme").status_code == 409
