"""§2: operations are the second clock; what had been told by K is read the same for ever."""

from __future__ import annotations

import pytest

from brain import journal, time
from brain.errors import Invalid
from brain.models import Operation
from brain.reader import EVERYTHING
from brain.remember import remember_many
from brain.retire import end, retract
from brain.saying import Saying
from tests.brain.asking import FAR, FEB, JAN, MAR, PRICE, TIER, held, last, look, said, say, told


def test_a_backdated_write_does_not_change_what_was_known() -> None:
    say("1", MAR)
    seen = last()
    say("0", JAN)
    assert [held(FEB, seen), held(FEB)] == [None, "0"]


def test_the_brain_before_its_first_operation_is_empty() -> None:
    say("1")
    assert held(FEB, "op:0") is None
    assert told(known_at="op:0") == []


def test_an_instant_means_the_last_operation_at_or_before_it() -> None:
    say("1")
    at = Operation.objects.get().at
    assert journal.resolve(known_at=at).known_at == 1
    assert journal.resolve(known_at=at - 1).known_at == 0


def test_of_operations_in_one_millisecond_the_last_is_meant() -> None:
    say("1")
    at = Operation.objects.get().at
    sayings = [Saying(TIER, PRICE, "2", "sheet", "ann", learned_at=FEB)]
    remember_many(sayings, actor="ann", at=at)
    assert journal.resolve(known_at=at).known_at == 2


@pytest.mark.parametrize("known_at", [FAR, "op:2", "op:-1", "op:", "op:x", "2", "op:９", "op:" + "9" * 30])
def test_what_is_not_yet_known_cannot_be_asked(known_at: int | str) -> None:
    say("1")
    with pytest.raises(Invalid) as refused:
        journal.resolve(known_at=known_at)
    assert [field for field, _ in refused.value.errors] == ["known_at"]


def test_the_last_operation_is_the_default_and_is_seen_at_once() -> None:
    for value in ("1", "2", "3"):
        say(value, None)
        assert held() == value


def test_operations_are_numbered_one_by_one_and_their_instants_do_not_decrease() -> None:
    for value in "123":
        say(value)
    found = list(Operation.objects.order_by("id").values_list("id", "at"))
    assert [number for number, _ in found] == [1, 2, 3]
    assert [at for _, at in found] == sorted(at for _, at in found)


def test_now_is_not_before_the_last_operation_whatever_the_clock_does() -> None:
    ahead = journal.clock() + time.DAY
    say("1", JAN)
    Operation.objects.update(at=ahead)
    assert journal.now() == ahead
    done = say("2", None)
    assert (done.operation.at, done.fact.learned_at, held()) == (ahead, ahead, "2")
    assert journal.resolve(known_at=ahead).known_at == 2


def test_a_replayed_operation_neither_precedes_the_last_nor_lies_after_now() -> None:
    say("1")
    at = Operation.objects.get().at
    sayings = [Saying(TIER, PRICE, "2", "sheet", "ann", learned_at=FEB)]
    for wrong in (at - 1, journal.now() + time.DAY):
        with pytest.raises(Invalid):
            remember_many(sayings, actor="ann", at=wrong)
    assert journal.last_id() == 1


def test_fields_are_as_at_the_operation_asked() -> None:
    first = said("1", JAN)
    then = last()
    second = said("2", MAR)
    end(second, at=FAR, actor="ann", reason="planned")
    assert (look(first, known_at=then).superseded_by, look(first, known_at=then).status) == (None, "current")
    assert (look(first).superseded_by, look(first).superseded_at, look(first).status) == (second, MAR, "superseded")
    assert (look(second, known_at="op:2").expires_at, look(second).expires_at) == (None, FAR)
    assert (look(second, known_at="op:2").operation, look(second).operation) == (2, 3)


def test_a_successor_after_the_instant_asked_is_named_too() -> None:
    first, second = said("1", JAN), said("2", MAR)
    seen = look(first, FEB)
    assert (seen.status, seen.superseded_by, seen.superseded_at) == ("current", second, MAR)


def test_the_successor_is_the_one_known_then() -> None:
    first = said("1", JAN)
    third = said("3", MAR)
    then = last()
    second = said("2", FEB)
    assert (look(first, known_at=then).superseded_by, look(first).superseded_by) == (third, second)
    retract(second, actor="ann", reason="mistake")
    assert look(first).superseded_by == third
    assert look(first, known_at="op:3").superseded_by == second


def test_a_retraction_after_the_operation_asked_is_not_shown() -> None:
    fact = said("1")
    then = last()
    retract(fact, actor="ann", reason="mistake")
    assert (look(fact, known_at=then).status, look(fact, known_at=then).retracted_at) == ("current", None)


def test_a_history_is_what_had_been_told() -> None:
    fact = said("1")
    then = last()
    end(fact, at=FAR, actor="ann", reason="planned")
    say("2", MAR)
    assert told(known_at=then) == ["1"]
    assert told() == ["1", "1", "2"]
    assert told(EVERYTHING, known_at="op:2") == ["1", "1"]
