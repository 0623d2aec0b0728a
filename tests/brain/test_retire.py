"""§4, retract and end: unsaid, or said again with another end; the id stays, and so does what was known."""

from __future__ import annotations

import pytest

from brain import journal
from brain.errors import Conflict, Invalid, NotFound
from brain.retire import end, retract
from tests.brain.asking import APR, FAR, FEB, JAN, MAR, MAY, held, last, look, said, say, told


def gone(fact: int, reason: str = "mistake") -> str:
    return retract(fact, actor="ann", reason=reason).outcome


def over(fact: int, at: int | None) -> str:
    return end(fact, at=at, actor="ann", reason="over").outcome


def test_after_a_retraction_the_previous_value_holds_again() -> None:
    say("1", JAN)
    wrong = said("2", MAR)
    assert gone(wrong) == "retracted"
    assert [held(FEB), held(MAR), held()] == ["1", "1", "1"]


def test_a_read_at_an_earlier_operation_still_shows_what_was_seen() -> None:
    say("1", JAN)
    wrong, seen = said("2", MAR), last()
    gone(wrong)
    assert [held(known_at=seen), held(known_at=last())] == ["2", "1"]


def test_retracting_in_the_middle_joins_the_neighbours() -> None:
    first, middle, third = said("1", JAN), said("2", FEB), said("3", MAR)
    gone(middle)
    assert (look(first).superseded_by, look(first).superseded_at) == (third, MAR)
    assert held(FEB) == "1"


def test_retracting_the_only_value_leaves_nothing() -> None:
    gone(said("1"))
    assert held() is None
    assert told() == ["1"]


def test_retracting_twice_is_unchanged_and_no_operation() -> None:
    fact = said("1")
    gone(fact)
    before = last()
    assert gone(fact) == "unchanged"
    assert last() == before


def test_retract_and_end_need_a_reason() -> None:
    fact = said("1")
    for refused in (lambda: gone(fact, " "), lambda: end(fact, at=FAR, actor="ann", reason="")):
        with pytest.raises(Invalid) as invalid:
            refused()
        assert [field for field, _ in invalid.value.errors] == ["reason"]


def test_what_never_was_cannot_be_retracted() -> None:
    with pytest.raises(NotFound):
        gone(12)


def test_an_ended_value_holds_until_its_end_and_nothing_replaces_it() -> None:
    say("1", JAN)
    assert over(said("2", FEB), APR) == "ended"
    assert [held(FEB), held(APR - 1), held(APR), held()] == ["2", "2", None, None]


def test_an_end_keeps_the_id_and_is_two_sayings_in_the_history() -> None:
    fact = said("1")
    done = end(fact, at=MAR, actor="ann", reason="withdrawn")
    assert done.fact.origin_id == fact
    assert told() == ["1", "1"]
    assert (look(fact).expires_at, look(fact).operation) == (MAR, done.operation_id)


def test_before_the_end_was_told_the_value_was_endless() -> None:
    fact, seen = said("1"), last()
    over(fact, MAR)
    assert [held(known_at=seen), held()] == ["1", None]


def test_an_end_is_moved_and_lifted() -> None:
    fact = said("1")
    over(fact, MAR)
    over(fact, APR)
    assert [held(MAR), held(APR)] == ["1", None]
    over(fact, None)
    assert held() == "1"


@pytest.mark.parametrize("at", [JAN, JAN - 1, 1_700_000_000])
def test_an_end_at_or_before_the_beginning_is_refused(at: int) -> None:
    fact = said("1")
    with pytest.raises(Invalid) as refused:
        over(fact, at)
    assert [field for field, _ in refused.value.errors] == ["at"]
    assert held() == "1"


def test_the_end_it_already_has_is_unchanged() -> None:
    fact, endless = said("1", JAN, expires_at=MAR), said("2", JAN, predicate="discount")
    before = last()
    assert (over(fact, MAR), over(endless, None)) == ("unchanged", "unchanged")
    assert last() == before


def test_a_retracted_fact_cannot_be_ended() -> None:
    fact = said("1")
    gone(fact)
    with pytest.raises(Conflict):
        over(fact, MAR)


def test_ending_an_overtaken_value_does_not_bring_it_back() -> None:
    first = said("1", JAN)
    say("2", JAN)
    over(first, FAR)
    assert held() == "2"


def test_ending_a_value_in_the_past_of_its_successor_leaves_a_gap() -> None:
    first = said("1", JAN)
    say("3", APR)
    over(first, FEB)
    assert [held(JAN), held(FEB), held(MAR), held(APR)] == ["1", None, None, "3"]


def test_an_ended_fact_can_be_retracted_under_its_id() -> None:
    first = said("0", JAN)
    fact = said("1", FEB)
    over(fact, MAY)
    assert gone(fact) == "retracted"
    assert held() == "0"
    assert (look(fact).status, look(first).superseded_by) == ("retracted", None)


def test_an_end_in_the_future_leaves_the_value_current() -> None:
    fact = said("1")
    over(fact, FAR)
    assert (held(), held(FAR), look(fact).status) == ("1", None, "current")


def test_a_retraction_is_shown_with_its_instant() -> None:
    fact = said("1")
    assert look(fact).retracted_at is None
    gone(fact)
    seen = look(fact)
    assert seen.retracted_at == journal.now() or seen.retracted_at <= journal.now()
    assert (seen.status, seen.superseded_by, seen.superseded_at) == ("retracted", None, None)
