"""Journal: every operation, newest first, in words, with its facts and the way to undo it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from brain.forget import forget
from brain.models import Operation
from brain.reader import EVERYTHING
from brain.retire import end, retract
from brain.selectors import Selector
from tests.operations.conftest import bad_afternoon, on, queries, right_prices, say, text, write

pytestmark = pytest.mark.django_db


def test_an_operation_is_told_with_who_what_and_why(signed_in: Callable[[str], Client]) -> None:
    write("Seats", "$100")
    write("Seats", "$120", by="crm-sync")
    page = text(signed_in("auditor").get("/journal"))
    assert "2 operations, newest first" in page
    assert "op 2" in page
    assert "crm-sync replaced a value" in page
    assert "Seats list_price $100 → became $120 crm-sync at work" in page
    assert page.index("op 2") < page.index("op 1")


def test_the_four_ways_of_retiring_are_told_apart(signed_in: Callable[[str], Client]) -> None:
    ids = [say(name, "list_price", "$36", "2026-01-01").fact.origin_id for name in ("A", "B", "C", "D")]
    retract(ids[0], actor="olga", reason="typing error")
    end(ids[1], at=on("2026-06-30"), actor="olga", reason="discontinued")
    forget(Selector(ids=(ids[2],)), actor="olga", reason="a name", reader=EVERYTHING)
    forget(Selector(ids=(ids[3],)), actor="olga", reason="request", reader=EVERYTHING, purge=True)
    page = text(signed_in("auditor").get("/journal"))
    for words in (
        "said that a fact was written by mistake",
        "set until when a fact holds",
        "withheld 1 fact",
        "erased 1 fact",
    ):
        assert f"olga {words}" in page


def test_erased_content_is_nowhere_in_the_journal(signed_in: Callable[[str], Client]) -> None:
    fact = say("Beta GmbH", "contact", "ZQX-PURGE-7731").fact
    forget(Selector(ids=(fact.origin_id,)), actor="olga", reason="request", reader=EVERYTHING, purge=True)
    client = signed_in("auditor")
    for path in ("/journal", "/journal/1", "/journal/2"):
        page = text(client.get(path))
        assert "ZQX" not in page
        assert "Beta GmbH" not in page
    assert "1 row that it touched has been erased since" in text(client.get("/journal/1"))


def test_filters_narrow_by_actor_kind_and_day(signed_in: Callable[[str], Client]) -> None:
    right_prices()
    bad_afternoon()
    client = signed_in("operator")
    page = text(client.get("/journal?actor=crm-sync"))
    assert "4 operations fit the filter" in page
    assert "Undo everything crm-sync did since…" in page
    assert "0 operations fit the filter" in text(client.get("/journal?kind=rewind"))
    assert "0 operations fit" in text(client.get("/journal?end=1+Jan+2026"))
    assert "38 operations fit" in text(client.get("/journal?start=1+Jan+2026"))
    refused = client.get("/journal?start=3/4/2026")
    assert refused.status_code == 422
    assert "can be read two ways" in text(refused)


def test_pages_go_on_from_an_operation_and_miss_none(signed_in: Callable[[str], Client]) -> None:
    for n in range(120):
        write(f"Product {n}", "$1")
    client, path, seen = signed_in("auditor"), "/journal", []
    while path:
        answer = client.get(path)
        seen += [line.operation.pk for line in answer.context["lines"]]
        older = answer.context["older"]
        path = f"/journal?cursor={older}" if older else ""
    assert seen == list(range(120, 0, -1))


def test_ten_times_the_rows_take_no_more_queries(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("operator")
    paths = ["/journal", "/journal?actor=pricing-team", "/rewind", "/journal/3"]
    for n in range(4):
        write(f"Product {n}", "$1")
    few = [queries(client, path) for path in paths]
    for n in range(40):
        write(f"Other {n}", f"${n}")
    assert [queries(client, path) for path in paths] == few


def test_an_operation_shows_what_it_changed_and_its_evidence(signed_in: Callable[[str], Client]) -> None:
    write("Seats", "$100")
    number = write("Seats", "$120")
    page = text(signed_in("auditor").get(f"/journal/{number}"))
    assert "Seats list_price $100 → $120" in page
    assert Operation.objects.get(pk=number).hash in page
    assert "Undo" not in page


def test_what_is_written_now_never_changes_what_an_operation_says_it_changed(
    signed_in: Callable[[str], Client],
) -> None:
    number = write("Seats", "$100")
    write("Seats", "$120")
    assert "Seats list_price nothing held → $100" in text(signed_in("auditor").get(f"/journal/{number}"))


def test_an_operation_that_never_was_is_not_found(signed_in: Callable[[str], Client]) -> None:
    assert signed_in("auditor").get("/journal/99").status_code == 404


def test_the_chain_is_checked_on_demand_and_the_result_is_kept(signed_in: Callable[[str], Client]) -> None:
    write("Seats", "$100")
    client = signed_in("auditor")
    assert "has not been checked" in text(client.get("/journal"))
    assert "verifies up to operation 1" in text(client.post("/journal/verify", follow=True))
    assert "verifies up to operation 1" in text(client.get("/journal"))


def test_a_changed_row_of_the_journal_is_found(signed_in: Callable[[str], Client]) -> None:
    write("Seats", "$100")
    Operation.objects.filter(pk=1).update(actor="somebody-else")
    page = text(signed_in("auditor").post("/journal/verify", follow=True))
    assert "The journal does not verify" in page
    assert "operation 1" in page


def test_an_empty_journal_says_what_will_stand_here(signed_in: Callable[[str], Client]) -> None:
    assert "Every write will stand here" in text(signed_in("auditor").get("/journal"))


def test_an_open_journal_hears_of_new_operations(signed_in: Callable[[str], Client]) -> None:
    write("Seats", "$100")
    client = signed_in("auditor")
    assert client.get("/journal/news?shown=1").status_code == 204
    write("Seats", "$120", by="crm-sync")
    assert "1 new operation. Show it" in text(client.get("/journal/news?shown=1"))
    assert client.get("/journal/news?shown=1&actor=legal-desk").status_code == 204
    assert 'href="/journal?actor=crm-sync"' in client.get("/journal/news?shown=1&actor=crm-sync").content.decode()
