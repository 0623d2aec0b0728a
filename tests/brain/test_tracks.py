"""§3 and §4: a temporary value lies over the standing one, whatever happens to that, until it expires or ends."""

from __future__ import annotations

import pytest

from brain.errors import Invalid
from brain.retire import end, retract
from tests.brain.asking import APR, FAR, FARTHER, FEB, JAN, JUN, MAR, MAY, held, look, promise, said, say


def test_a_temporary_value_answers_until_it_expires_then_the_standing_one_shows_again() -> None:
    say("1", JAN)
    promise("2", MAR, MAY)
    assert [held(MAR - 1), held(MAR), held(MAY - 1), held(MAY)] == ["1", "2", "2", "1"]


def test_the_standing_value_may_change_underneath() -> None:
    say("1", JAN)
    promise("2", FEB, MAY)
    say("3", MAR)
    say("4", APR, expires_at=JUN)
    assert [held(MAR), held(APR), held(MAY), held(JUN)] == ["2", "2", "4", None]


def test_a_standing_value_that_expired_does_not_let_an_older_one_through() -> None:
    say("1", JAN)
    say("2", FEB, expires_at=MAR)
    assert [held(FEB), held(MAR), held()] == ["2", None, None]


def test_a_temporary_value_may_lie_over_nothing() -> None:
    promise("2", FEB, MAR)
    assert [held(JAN), held(FEB), held(MAR)] == [None, "2", None]


def test_of_two_temporary_values_the_later_answers_and_does_not_fall_back_to_the_earlier() -> None:
    say("1", JAN)
    promise("2", FEB, JUN)
    promise("3", MAR, APR)
    assert [held(FEB), held(MAR), held(APR), held(MAY)] == ["2", "3", "1", "1"]


def test_retracting_a_temporary_value_brings_back_the_one_before_it_while_that_lasts() -> None:
    say("1", JAN)
    promise("2", FEB, MAY)
    retract(promise("3", MAR, JUN), actor="ann", reason="mistake")
    assert [held(MAR), held(MAY)] == ["2", "1"]


def test_a_temporary_value_ends_early() -> None:
    say("1", JAN)
    over = promise("2", FEB, JUN)
    assert end(over, at=MAR, actor="ann", reason="sold out").outcome == "ended"
    assert [held(FEB), held(MAR)] == ["2", "1"]


def test_a_temporary_value_can_be_prolonged_but_never_made_endless() -> None:
    over = promise("2", FEB, MAR)
    end(over, at=APR, actor="ann", reason="longer")
    assert held(MAR) == "2"
    with pytest.raises(Invalid) as refused:
        end(over, at=None, actor="ann", reason="for ever")
    assert [field for field, _ in refused.value.errors] == ["at"]


def test_a_scheduled_temporary_value_waits() -> None:
    say("1", JAN)
    promise("2", FAR, FARTHER)
    assert [held(), held(FAR), held(FARTHER)] == ["1", "2", "1"]


def test_what_lies_under_a_temporary_value_is_covered() -> None:
    under = said("1", JAN)
    over = promise("2", FEB, MAR)
    assert (look(under, FEB).status, look(over, FEB).status) == ("covered", "current")
    assert (look(under, MAR).status, look(over, MAR).status) == ("current", "expired")


def test_a_temporary_value_is_no_successor_of_the_standing_one() -> None:
    under = said("1", JAN)
    promise("2", FEB, MAR)
    assert look(under).superseded_by is None
