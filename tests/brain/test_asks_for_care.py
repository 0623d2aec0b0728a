"""What asks for somebody's care: values against which a claim is open, and values that run out soon."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from brain import journal, listing
from brain.describe import describe
from brain.reader import EVERYTHING, Reader
from brain.selectors import Selector
from brain.taken import listed, selected
from brain.time import DAY
from tests.brain.asking import APR, JAN, MAR, last, promise, said, say

WEEK = 7 * DAY


@pytest.fixture
def prices() -> None:
    """As of April: two contested, one of which runs out in a week, as does another; others later or before."""
    said("1", JAN, subject="calm")
    said("2", JAN, subject="ends", expires_at=APR + 4 * DAY)
    said("3", JAN, subject="ends later", expires_at=APR + 20 * DAY)
    said("4", JAN, subject="disputed")
    said("5", JAN, subject="disputed and ending", expires_at=APR + WEEK)
    said("6", JAN, subject="ended", expires_at=APR)
    said("7", JAN, subject="covered")
    promise("8", MAR, APR + DAY, subject="covered")
    for subject in ("disputed", "disputed and ending"):
        say("other", MAR, subject=subject, source_kind="turn")
    say("other", APR + DAY, subject="calm", source_kind="turn")


def found(**narrow: object) -> set[str]:
    rows = listing.facts(EVERYTHING, journal.resolve(APR), scope="/", **narrow)  # type: ignore[arg-type]
    return {row.key.subject for row in rows}


@pytest.mark.usefixtures("prices")
def test_contested_are_the_values_against_which_a_claim_is_open_at_the_instant() -> None:
    assert found(contested=True) == {"disputed", "disputed and ending"}
    assert found(contested=True, subject="disputed") == {"disputed"}


@pytest.mark.usefixtures("prices")
@pytest.mark.parametrize("status", listing.STATUSES)
def test_the_filter_takes_what_is_marked_contested(status: str) -> None:
    for at in (journal.resolve(APR + 2 * DAY), journal.resolve(APR, "op:9"), journal.resolve(known_at=last())):
        rows = listing.facts(EVERYTHING, at, scope="/", status=status)
        marked = {fact.id for fact in describe(rows, at, EVERYTHING) if fact.contested}
        taken = listing.facts(EVERYTHING, at, scope="/", status=status, contested=True)
        assert {row.origin_id for row in taken} == marked


@pytest.mark.usefixtures("prices")
def test_a_value_runs_out_soon_from_the_instant_on_and_through_the_last_moment_of_the_week() -> None:
    assert found(runs_out_within=7) == {"ends", "disputed and ending", "covered"}
    assert found(runs_out_within=6) == {"ends", "covered"}
    assert found(runs_out_within=30) == {"ends", "disputed and ending", "covered", "ends later"}
    assert found(runs_out_within=7, contested=True) == {"disputed and ending"}


@pytest.mark.usefixtures("prices")
def test_an_expiry_that_a_pinned_reader_may_not_see_filters_nothing() -> None:
    pinned = Reader(pin=APR)
    at = journal.resolve(reader=pinned)
    assert not listing.facts(pinned, at, scope="/", runs_out_within=7).exists()


def test_what_a_forget_would_take_is_listed_in_as_many_statements_for_any_number() -> None:
    def statements() -> int:
        taking = selected(Selector(source="pricing-sheet"), EVERYTHING, purge=True)
        with CaptureQueriesContext(connection) as sent:
            rows = list(listed(taking, EVERYTHING))
        assert [fact.subject for fact, _ in rows] == sorted(fact.subject for fact, _ in rows)
        return len(sent)

    said("1", JAN, subject="s")
    few = statements()
    for number in range(30):
        said("1", JAN, subject=f"s{number:02d}")
    assert statements() == few
