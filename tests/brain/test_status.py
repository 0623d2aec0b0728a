"""api.md: `status` is the first that applies, in a fact and in the list of that status alike."""

from __future__ import annotations

import pytest

from brain import journal, listing
from brain.forget import forget, restore
from brain.reader import EVERYTHING, Reader
from brain.retire import end, retract
from brain.selectors import Selector
from tests.brain.asking import AGENT, APR, FAR, FARTHER, FEB, JAN, MAR, MAY, last, look, promise, said


def listed(status: str, as_of: int | None = None, known_at: str | None = None, reader: Reader = EVERYTHING) -> set[int]:
    rows = listing.facts(reader, journal.resolve(as_of, known_at), scope="/", status=status)
    return {row.origin_id for row in rows}


@pytest.fixture
def one_of_each() -> dict[str, int]:
    """Facts by the status that they have in April."""
    facts = {
        "retracted": said("r", JAN, subject="a"),
        "forgotten": said("f", JAN, subject="b"),
        "claim": 0,
        "scheduled": said("s", FAR, subject="d"),
        "current": said("c", JAN, subject="e"),
        "covered": said("u", JAN, subject="f"),
        "superseded": said("o", JAN, subject="g"),
        "expired": said("x", JAN, subject="h", expires_at=FEB),
    }
    retract(facts["retracted"], actor="ann", reason="mistake")
    forget(Selector(ids=(facts["forgotten"],)), actor="op", reason="x", reader=EVERYTHING)
    facts["over"] = promise("t", FEB, MAY, subject="f")
    facts["next"] = said("n", FEB, subject="g")
    facts["claim"] = said("w", FEB, subject="e", source_kind="turn")
    return facts


STATUSES = ["retracted", "forgotten", "claim", "scheduled", "current", "covered", "superseded", "expired"]


@pytest.mark.parametrize("status", STATUSES)
def test_a_fact_has_the_status_that_lists_it(one_of_each: dict[str, int], status: str) -> None:
    assert look(one_of_each[status], APR).status == status
    expected = {one_of_each[status]} | ({one_of_each["over"], one_of_each["next"]} if status == "current" else set())
    assert listed(status, APR) == expected


def test_every_fact_is_listed_once_under_all(one_of_each: dict[str, int]) -> None:
    rows = [row.origin_id for row in listing.facts(EVERYTHING, journal.resolve(APR), scope="/", status="all")]
    assert sorted(rows) == sorted(one_of_each.values())


@pytest.mark.parametrize("status", [*STATUSES, "all"])
def test_forgotten_facts_exist_for_auditors_only(one_of_each: dict[str, int], status: str) -> None:
    assert one_of_each["forgotten"] not in listed(status, APR, reader=AGENT)


def test_a_forgotten_fact_is_current_for_an_auditor_before_it_was_forgotten() -> None:
    fact = said("1")
    before = last()
    forget(Selector(ids=(fact,)), actor="op", reason="x", reader=EVERYTHING)
    assert (look(fact, known_at=before).status, look(fact).status) == ("current", "forgotten")
    assert listed("current", known_at=before) == {fact}
    assert listed("current", known_at=before, reader=AGENT) == set()
    restore(fact, actor="op", reason="y", reader=EVERYTHING)
    assert look(fact).status == "current"
    assert look(fact, known_at="op:2").status == "forgotten"
    assert listed("current", known_at="op:2", reader=AGENT) == set()
    assert listed("current", known_at=before, reader=AGENT) == {fact}


def test_status_follows_the_instant_asked() -> None:
    first, second = said("1", JAN), said("2", MAR, expires_at=APR)
    assert [look(first, at).status for at in (JAN - 1, JAN, MAR, APR)] == [
        "scheduled",
        "current",
        "superseded",
        "superseded",
    ]
    assert [look(second, at).status for at in (JAN, MAR, APR)] == ["scheduled", "current", "expired"]


def test_an_overtaken_temporary_value_is_superseded_though_it_has_not_expired() -> None:
    first, second = promise("1", JAN, MAY), promise("2", FEB, MAR)
    assert (look(first, APR).status, look(second, APR).status) == ("superseded", "expired")


def test_a_superseded_value_under_a_temporary_one_is_superseded() -> None:
    first, second = said("1", JAN), said("2", FEB)
    promise("3", MAR, APR)
    assert (look(first, MAR).status, look(second, MAR).status) == ("superseded", "covered")


def test_a_scheduled_successor_leaves_todays_value_current() -> None:
    fact = said("1", JAN)
    said("2", FAR)
    assert (look(fact).status, listed("current")) == ("current", {fact})


def test_an_end_in_the_future_is_shown_and_does_not_end_the_value_yet() -> None:
    fact = said("1", JAN)
    end(fact, at=FARTHER, actor="ann", reason="planned")
    assert (look(fact, FAR).status, look(fact, FARTHER).status) == ("current", "expired")


def test_a_rejected_status_is_named() -> None:
    with pytest.raises(Exception, match="status"):
        listed("gone")
