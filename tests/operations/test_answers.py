"""Answers: what agents read and said is found by day, agent, subject and amount, and explained in a sentence."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from brain import journal, receipts
from brain.forget import forget
from brain.models import Receipt
from brain.reader import EVERYTHING, Reader
from brain.recall import recall
from brain.selectors import Selector
from tests.operations.conftest import on, queries, say, text

pytestmark = pytest.mark.django_db


def answered(subject: str, said: str = "", *, day: str | None = None, agent: str = "brief-writer") -> str:
    """A recall by an agent, dated on a day, and what it then said."""
    at = journal.resolve(on(day) if day else None)
    facts = [fact.id for fact in recall(subject, at=at, reader=Reader()).facts]
    query = {"kind": "recall", "subject": subject}
    receipt = receipts.leave(agent=agent, scope="/", query=query, at=at, fact_ids=facts)
    assert receipt is not None
    if said:
        receipts.answer(receipt, said, agent=agent)
    receipts.drain()
    if day:
        Receipt.objects.filter(pk=receipt).update(at=on(f"{day}T14:02"))
    return receipt


@pytest.fixture
def story() -> str:
    say("Tier 2 renewal", "list_price", "$4,200", "2026-01-12")
    receipt = answered("Tier 2 renewal", "A Tier 2 renewal is $4,200.", day="2026-02-09")
    say("Tier 2 renewal", "list_price", "$3,600", "2026-03-03")
    return receipt


def test_an_answer_is_found_knowing_only_the_day_and_the_amount(signed_in: Callable[[str], Client], story: str) -> None:
    say("Seats", "list_price", "$36", "2026-01-01")
    answered("Seats", day="2026-02-09")
    answered("Tier 2 renewal", day="2026-04-01")
    page = signed_in("auditor").get("/answers?q=$4,200&start=9+Feb+2026&end=9+Feb+2026")
    assert "1 answer fits the filter" in text(page)
    assert f"/answers/{story}" in page.content.decode()


def test_an_amount_is_found_even_when_the_agent_never_told_us_what_it_said(signed_in: Callable[[str], Client]) -> None:
    say("Seats", "list_price", "$36", "2026-01-01")
    receipt = answered("Seats", day="2026-02-09")
    assert f"/answers/{receipt}" in signed_in("auditor").get("/answers?q=$36").content.decode()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("agent=brief-writer", 1),
        ("agent=other", 0),
        ("subject=TIER+2+RENEWAL", 1),
        ("subject=Seats", 0),
        ("start=10+Feb+2026", 0),
        ("end=8+Feb+2026", 0),
        ("end=9+Feb+2026", 1),
        ("q=renewal+is", 1),
        ("q=nowhere", 0),
    ],
)
def test_filters_narrow_the_list(signed_in: Callable[[str], Client], story: str, query: str, found: int) -> None:
    assert signed_in("auditor").get(f"/answers?{query}").context["total"] == found


def test_one_answer_is_explained_in_a_sentence_with_its_evidence(
    signed_in: Callable[[str], Client], story: str
) -> None:
    page = text(signed_in("auditor").get(f"/answers/{story}"))
    assert "On 9 Feb 2026 at 14:02 UTC brief-writer was told $4,200, learned 12 Jan 2026 from pricing-sheet" in page
    assert "It has been $3,600 since 3 Mar 2026." in page
    assert "Replaced since" in page
    assert "list_price Tier 2 renewal, in the answer" in page
    assert "the same $3,600 since 3 Mar 2026" in page
    assert f"http://testserver/answers/{story}" in page
    assert "pricing-team wrote $4,200 (list_price) from pricing-sheet, dated 12 Jan 2026" in page


def test_an_answer_that_was_not_what_was_served_says_so(signed_in: Callable[[str], Client]) -> None:
    say("Seats", "list_price", "$36", "2026-01-01")
    receipt = answered("Seats", "It is $99.", day="2026-02-09")
    assert "contains none of the values that it was given" in text(signed_in("auditor").get(f"/answers/{receipt}"))


def test_a_correction_is_told_apart_from_a_replacement(signed_in: Callable[[str], Client]) -> None:
    say("Seats", "list_price", "$36", "2026-01-01")
    receipt = answered("Seats", day="2026-02-09")
    say("Seats", "list_price", "$40", "2026-02-01")
    page = text(signed_in("auditor").get(f"/answers/{receipt}"))
    assert "Corrected since" in page
    assert "$36 since 1 Jan 2026" in page
    assert "$40 since 1 Feb 2026" in page


def test_nothing_served_is_explained_too(signed_in: Callable[[str], Client]) -> None:
    receipt = answered("Seats", day="2026-02-09")
    assert "No record" in text(signed_in("auditor").get(f"/answers/{receipt}"))
    assert "no record" in text(signed_in("auditor").get("/answers"))


def test_what_was_erased_is_nowhere_in_the_explanation(signed_in: Callable[[str], Client]) -> None:
    fact = say("Beta GmbH", "contact", "ZQX-PURGE-7731", "2026-01-01").fact.origin_id
    receipt = answered("Beta GmbH", "Call ZQX-PURGE-7731.", day="2026-02-09")
    forget(Selector(ids=(fact,)), actor="olga", reason="request", reader=EVERYTHING, purge=True)
    client = signed_in("auditor")
    for path in (f"/answers/{receipt}", "/answers"):
        page = text(client.get(path))
        assert "ZQX" not in page
        assert "Beta GmbH" not in page
    assert "Withheld since" in text(client.get(f"/answers/{receipt}"))


@pytest.mark.parametrize("receipt", ["0123456789abcdef", "x", "../../etc"])
def test_a_receipt_that_never_was_is_not_found(signed_in: Callable[[str], Client], receipt: str) -> None:
    assert signed_in("auditor").get(f"/answers/{receipt}").status_code == 404


def test_pages_go_on_from_an_answer_and_miss_none(signed_in: Callable[[str], Client]) -> None:
    say("Seats", "list_price", "$36", "2026-01-01")
    left = {answered("Seats") for _ in range(120)}
    client, path, seen = signed_in("auditor"), "/answers", []
    while path:
        context = client.get(path).context
        seen += [item.receipt.pk for item in context["answers"]]
        path = f"/answers?cursor={context['older']}" if context["older"] else ""
    assert len(seen) == 120
    assert set(seen) == left


def test_ten_times_the_answers_take_no_more_queries(signed_in: Callable[[str], Client], story: str) -> None:
    client = signed_in("auditor")
    few = queries(client, "/answers")
    for _ in range(20):
        answered("Tier 2 renewal")
    assert queries(client, "/answers") == few


def test_an_empty_list_teaches(signed_in: Callable[[str], Client]) -> None:
    assert "No agent has read anything yet" in text(signed_in("auditor").get("/answers"))
