"""A preview says what a saying would change, and leaves no trace."""

from __future__ import annotations

import pytest

from brain import journal, time
from brain.errors import Conflict, Frozen
from brain.foresee import foresee
from brain.models import Fact, Key
from brain.remember import remember
from brain.saying import Saying
from brain.scopes import freeze

JAN, JUN, JUL = (time.parse(f"2026-{month}-01") for month in ("01", "06", "07"))
AHEAD, LATER = time.parse("2090-01-01"), time.parse("2091-01-01")


@pytest.fixture(autouse=True)
def _on_both(database: str, db: None) -> None:
    """Every test here runs on SQLite and on PostgreSQL, in a transaction that is undone."""


def saying(value: str, learned_at: int | None = None, expires_at: int | None = None, **more) -> Saying:
    return Saying("Tier 2", "price", value, "sheet", "ann", learned_at, expires_at, **more)


def say(*words, **more) -> Fact:
    return remember(saying(*words, **more), actor="ann").fact


def values(*rows: Fact | None) -> list[str | None]:
    return [row.value if row else None for row in rows]


def test_a_change_that_begins_now_is_read_from_now_on(db) -> None:
    say("$3,600", JAN)
    seen = foresee(saying("$4,200"), actor="ann")
    assert seen.outcome == "superseded"
    assert values(seen.holds_now, seen.holds_now_after) == ["$3,600", "$4,200"]
    assert seen.ended is None


def test_a_scheduled_change_leaves_what_holds_now(db) -> None:
    say("$3,600", JAN)
    seen = foresee(saying("$4,200", AHEAD), actor="ann")
    assert seen.outcome == "scheduled"
    assert values(seen.holds_now, seen.holds_now_after, seen.held, seen.held_after) == [
        "$3,600",
        "$3,600",
        "$3,600",
        "$4,200",
    ]


def test_after_a_temporary_value_the_standing_one_returns_and_after_an_ending_one_nothing_does(db) -> None:
    say("$3,600", JAN)
    assert values(foresee(saying("$2,900", AHEAD, LATER, temporary=True), actor="ann").ended) == ["$3,600"]
    assert values(foresee(saying("$2,900", AHEAD, LATER), actor="ann").ended) == [None]


def test_a_temporary_value_that_lies_over_it_is_read_instead(db) -> None:
    say("$3,600", JAN)
    say("$2,900", None, LATER, temporary=True)
    seen = foresee(saying("$4,200"), actor="ann")
    assert values(seen.holds_now, seen.holds_now_after) == ["$2,900", "$2,900"]


def test_a_preview_leaves_no_trace(db) -> None:
    say("$3,600", JAN)
    before = journal.last_id()
    foresee(saying("$4,200"), actor="ann")
    foresee(Saying("New", "price", "$1", "sheet", "ann"), actor="ann")
    assert (journal.last_id(), Fact.objects.count(), Key.objects.count()) == (before, 1, 1)


def test_what_remember_refuses_the_preview_refuses(db) -> None:
    fact = say("$3,600", JAN)
    with pytest.raises(Conflict):
        foresee(saying("$4,200", expected_current=fact.origin_id + 1), actor="ann")
    freeze("/", actor="ann", reason="audit")
    with pytest.raises(Frozen):
        foresee(saying("$4,200"), actor="ann")
