"""Comparing two instants: what was added, changed and removed, what was compared, and the same as a file."""

from __future__ import annotations

import csv
import io

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from brain import journal
from brain.retire import end
from dashboard.spreadsheets import neutral
from tests.dashboard.conftest import on, say
from tests.editing.test_change import HTMX, words

FEB_TO_APR = "/compare?as_of=2026-02-01T00:00:00.000Z&to=2026-04-01T00:00:00.000Z"


@pytest.fixture
def prices(db) -> None:
    say("Tier 2 renewal", "list_price", "$4,200", "2026-01-12")
    say("Tier 2 renewal", "list_price", "$3,600", "2026-03-03")
    say("Tier 1 renewal", "list_price", "$1,800", "2026-01-01")
    say("Tier 4 renewal", "list_price", "$9,000", "2026-03-10")
    say("Terms", "refund", "30 days, pro rata after day 14", "2026-01-01")
    say("Terms", "refund", "60 days, pro rata after day 14", "2026-02-15")
    gone = say("Trial", "length", "21 days", "2026-01-01").fact
    end(gone.origin_id, at=on("2026-03-01"), actor="ann", reason="over")


def rows_of(answer) -> list[dict[str, str]]:
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.usefixtures("prices")
def test_it_says_what_it_compared_and_counts_what_differs(pricing) -> None:
    told = words(pricing.get(FEB_TO_APR))
    assert "what we now say held on 1 Feb 2026, 00:00 UTC" in told
    assert "what we now say held on 1 Apr 2026, 00:00 UTC" in told
    assert "1 fact added, 2 changed, 1 removed." in told


@pytest.mark.usefixtures("prices")
def test_what_stayed_the_same_is_not_shown(pricing) -> None:
    assert "Tier 1 renewal" not in words(pricing.get(FEB_TO_APR))


@pytest.mark.usefixtures("prices")
def test_the_difference_inside_a_value_is_marked(pricing) -> None:
    html = pricing.get(FEB_TO_APR).content.decode()
    assert "<del>30</del> days, pro rata after day 14" in html
    assert "<ins>60</ins> days, pro rata after day 14" in html


@pytest.mark.usefixtures("prices")
def test_the_step_is_computed_where_both_are_amounts_of_one_currency(pricing) -> None:
    assert "−600 (−14.3%)" in words(pricing.get(FEB_TO_APR))


@pytest.mark.usefixtures("prices")
def test_subject_and_predicate_narrow_it(pricing) -> None:
    told = words(pricing.get(FEB_TO_APR + "&predicate=list_price"))
    assert "1 fact added, 1 changed, 0 removed." in told
    assert "Did you mean Tier 2 renewal" in words(pricing.get(FEB_TO_APR + "&subject=tier 2 RENEWAL"))


@pytest.mark.usefixtures("prices")
def test_dates_in_words_become_an_address(pricing) -> None:
    answer = pricing.get("/compare?as_of=1 Feb 2026&to=1 Apr 2026", follow=True)
    assert answer.redirect_chain[-1][0] == FEB_TO_APR


@pytest.mark.usefixtures("prices")
def test_the_file_says_the_same_verbatim(pricing) -> None:
    rows = rows_of(pricing.get(FEB_TO_APR + "&format=csv"))
    assert [(row["subject"], row["change"]) for row in rows] == [
        ("Terms", "changed"),
        ("Tier 2 renewal", "changed"),
        ("Tier 4 renewal", "added"),
        ("Trial", "removed"),
    ]
    tier = rows[1]
    assert (tier["before"], tier["after"], tier["difference"], tier["percent"]) == (
        "$4,200",
        "$3,600",
        "-600",
        "-14.29",
    )


def test_the_file_for_spreadsheets_runs_no_formula(pricing, db) -> None:
    say("Trap", "value", "=HYPERLINK(1)", "2026-03-01")
    assert rows_of(pricing.get(FEB_TO_APR + "&format=csv"))[0]["after"] == "=HYPERLINK(1)"
    assert rows_of(pricing.get(FEB_TO_APR + "&format=sheet"))[0]["after"] == "'=HYPERLINK(1)"


@pytest.mark.parametrize(
    ("cell", "safe"),
    [
        ("=1+1", "'=1+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("-2.5", "-2.5"),
        ("+12%", "+12%"),
        ("-x", "'-x"),
        ("$5", "$5"),
        (7, 7),
    ],
)
def test_cells_that_a_spreadsheet_would_run_are_neutralised(cell, safe) -> None:
    assert neutral(cell) == safe


def test_a_new_end_alone_is_told_as_another_end(pricing, db) -> None:
    fact = say("Tier 2 renewal", "discount", "15%", "2026-01-01").fact
    end(fact.origin_id, at=on("2090-07-01"), actor="ann", reason="autumn")
    say("Tier 2 renewal", "discount", "15%", "2026-03-01", expires_at=on("2091-01-01"))
    assert "another end" in words(pricing.get(FEB_TO_APR))


def test_pages_go_on_from_a_row_at_the_points_of_the_first(pricing, db) -> None:
    for n in range(70):
        say(f"Subject {n:03d}", "p", "1", "2026-03-01")
    first = pricing.get(FEB_TO_APR)
    assert first.context["counts"]["added"] == 70
    more = first.context["more"]
    say("Subject 999", "p", "1", "2026-03-01")
    second = pricing.get(FEB_TO_APR, {"as_of": "2026-02-01", "to": "2026-04-01", "cursor": more}, follow=True)
    named = [row.change.subject for row in [*first.context["rows"], *second.context["rows"]]]
    assert named == [f"Subject {n:03d}" for n in range(70)]
    broken = pricing.get("/compare", {"as_of": "2026-02-01T00:00:00.000Z", "cursor": more + "x"})
    assert broken.status_code == 422


def test_an_auditor_compares_what_was_known(auditor, pricing, db) -> None:
    say("Tier 2 renewal", "list_price", "$3,900", "2026-01-01")
    say("Tier 2 renewal", "list_price", "$4,200", "2026-01-12")
    then = "/compare?as_of=2026-02-09T00:00:00.000Z&to=2026-02-09T00:00:00.000Z&known_at=op:1&known_to=op:2"
    told = words(auditor.get(then))
    assert "what the brain, told what it knew by op:1, said of 9 Feb 2026" in told
    assert "0 facts added, 1 changed, 0 removed." in told
    assert pricing.get(then).status_code == 403
    assert pricing.get("/compare?as_of=2026-02-09T00:00:00.000Z&known_to=op:1").status_code == 403


def test_now_with_itself_offers_where_to_begin(pricing, db) -> None:
    assert "Compare today with yesterday" in words(pricing.get("/compare"))


@pytest.mark.parametrize("query", ["to=soon", "to=1999-01-01", "subject=%07", "as_of=3/4/2026"])
def test_what_is_not_understood_is_named(pricing, db, query) -> None:
    assert pricing.get(f"/compare?{query}").status_code == 422


def test_ten_times_the_changes_take_no_more_queries(pricing, db) -> None:
    def asked(n: int) -> int:
        for k in range(n):
            say(f"S{n}-{k}", "p", "1", "2026-03-01")
        with CaptureQueriesContext(
            connection,
        ) as caught:
            assert pricing.get(FEB_TO_APR, headers=HTMX).status_code == 200
        return len(caught)

    asked(1)
    assert asked(3) == asked(30)
    assert journal.last_id() == 34
