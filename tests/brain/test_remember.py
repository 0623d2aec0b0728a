"""§4, remember: the outcome is the first that applies, and the row goes to its place in time."""

from __future__ import annotations

import pytest

from brain import journal, time
from brain.errors import Conflict, Invalid
from brain.forget import forget
from brain.models import Operation
from brain.reader import EVERYTHING
from brain.remember import remember, remember_many
from brain.retire import end, retract
from brain.saying import Saying
from brain.selectors import Selector
from tests.brain.asking import (
    APR,
    FAR,
    FARTHER,
    FEB,
    JAN,
    JUN,
    MAR,
    MAY,
    PRICE,
    TIER,
    held,
    look,
    promise,
    said,
    say,
    told,
)


def test_the_first_saying_of_a_key_is_created() -> None:
    assert say("1").outcome == "created"


def test_a_later_value_supersedes_and_the_earlier_stays_readable() -> None:
    say("1", JAN)
    assert say("2", MAR).outcome == "superseded"
    assert [held(JAN - 1), held(JAN), held(MAR - 1), held(MAR), held()] == [None, "1", "1", "2", "2"]


def test_an_earlier_value_is_backfilled_and_does_not_become_current() -> None:
    say("2", MAR)
    done = say("1", JAN)
    assert (done.outcome, done.previous) == ("backfilled", None)
    assert [held(FEB), held()] == ["1", "2"]


def test_a_backfill_in_the_middle_splits_a_period() -> None:
    before = said("1", JAN)
    say("3", MAR)
    done = say("2", FEB)
    assert (done.outcome, done.previous.origin_id) == ("backfilled", before)
    assert [held(JAN), held(FEB), held(MAR)] == ["1", "2", "3"]


def test_a_value_of_the_future_is_scheduled_and_today_stays_current() -> None:
    now = said("1", JAN)
    assert say("2", FAR).outcome == "scheduled"
    assert [held(), held(FAR - 1), held(FAR)] == ["1", "1", "2"]
    assert look(now).status == "current"


def test_a_scheduled_value_survives_a_correction_before_it() -> None:
    say("1", JAN)
    say("3", FAR)
    assert say("2", MAR).outcome == "superseded"
    assert [held(), held(FAR)] == ["2", "3"]


def test_a_value_between_two_scheduled_ones_is_scheduled() -> None:
    say("3", FARTHER)
    assert say("2", FAR).outcome == "scheduled"


def test_a_value_before_a_scheduled_one_alone_is_created() -> None:
    say("2", FAR)
    assert say("1", JAN).outcome == "created"


def test_a_value_that_comes_back_is_a_third_row() -> None:
    for value, learned_at in (("1", JAN), ("2", MAR), ("1", MAY)):
        say(value, learned_at)
    assert told() == ["1", "2", "1"]


def test_of_equal_instants_the_later_saying_wins_and_both_stay() -> None:
    say("1")
    assert say("2").outcome == "superseded"
    assert say("1").outcome == "superseded"
    assert held(JAN) == "1"
    assert told() == ["1", "2", "1"]


def test_the_same_saying_twice_is_unchanged_and_journaled_as_affirmed() -> None:
    first = said("1")
    done = say("1")
    assert (done.outcome, done.fact.origin_id, done.operation.kind) == ("unchanged", first, "affirm")
    assert told() == ["1"]
    assert look(first).operation == 1  # an affirmation does not touch the fact


def test_the_same_value_at_another_named_instant_is_a_new_row() -> None:
    say("1", JAN)
    assert say("1", MAR).outcome == "superseded"
    assert say("1", FEB).outcome == "backfilled"


def test_a_writer_who_names_no_instant_affirms_what_holds() -> None:
    say("1", JAN)
    assert say("1", None).outcome == "unchanged"
    say("2", MAR)
    assert say("1", None).outcome == "superseded"


@pytest.mark.parametrize("other", [{"expires_at": FAR}, {"category": "identity"}])
def test_another_expiry_or_category_is_something_new(other: dict[str, object]) -> None:
    say("1")
    assert say("1", **other).outcome == "superseded"


def test_what_has_run_out_is_not_affirmed() -> None:
    say("1", JAN, expires_at=MAR)
    assert say("1", None).outcome == "superseded"


def test_what_is_forgotten_is_not_affirmed() -> None:
    fact = said("1")
    forget(Selector(ids=(fact,)), actor="op", reason="x", reader=EVERYTHING)
    assert say("1").outcome == "superseded"
    assert held() == "1"


def test_what_was_retracted_is_not_affirmed_and_does_not_precede() -> None:
    retract(said("1"), actor="ann", reason="mistake")
    assert say("1").outcome == "created"


def test_contexts_expiry_is_filled_in_before_comparing() -> None:
    say("sprint 41", category="context")
    assert say("sprint 41", category="context").outcome == "unchanged"
    assert say("sprint 41", category="context", expires_at=JAN + 7 * time.DAY).outcome == "unchanged"


def test_a_temporary_row_is_judged_on_its_own_track() -> None:
    say("1", MAR)
    assert say("2", JAN, expires_at=FEB, temporary=True).outcome == "created"
    assert say("3", FEB, expires_at=APR, temporary=True).outcome == "superseded"
    assert say("4", JAN + 1, expires_at=APR, temporary=True).outcome == "backfilled"


def test_learned_at_is_now_by_default_and_seen_at_once() -> None:
    before = journal.now()
    fact = say("1", None).fact
    assert before <= fact.learned_at == Operation.objects.get().at
    assert held() == "1"


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("expires_at", {"learned_at": MAR, "expires_at": MAR}),
        ("expires_at", {"learned_at": MAR, "expires_at": JAN}),
        ("expires_at", {"learned_at": None, "expires_at": JAN}),
        ("expires_at", {"learned_at": MAR, "temporary": True}),
        ("learned_at", {"learned_at": 1_700_000_000}),
        ("learned_at", {"learned_at": MAR * 1000}),
        ("learned_at", {"learned_at": time.EARLIEST - 1}),
        ("expires_at", {"learned_at": MAR, "expires_at": time.LATEST + 1}),
    ],
)
def test_bad_instants_are_refused_by_name_and_leave_no_trace(field: str, words: dict[str, object]) -> None:
    with pytest.raises(Invalid) as refused:
        say("1", **words)
    assert [name for name, _ in refused.value.errors] == [field]
    assert journal.last_id() == 0
    assert told() == []


def test_the_first_and_the_last_instant_are_allowed() -> None:
    assert say("1", time.EARLIEST).outcome == "created"
    assert say("2", time.LATEST - 1, expires_at=time.LATEST).outcome == "scheduled"
    assert [held(time.EARLIEST), held(time.LATEST)] == ["1", None]


def test_a_context_fact_whose_week_would_pass_the_last_instant_is_refused() -> None:
    with pytest.raises(Invalid):
        say("1", time.LATEST - time.DAY, category="context")


def test_expected_current_is_what_holds_at_the_instant_of_the_write() -> None:
    first = said("1", JAN)
    second = said("2", MAR, expected_current=first)
    assert said("3", FEB, expected_current=first)
    with pytest.raises(Conflict):
        say("4", APR, expected_current=first)
    assert say("4", APR, expected_current=second).outcome == "superseded"


def test_expected_null_means_that_nothing_holds() -> None:
    say("1", FEB, expected_current=None)
    with pytest.raises(Conflict):
        say("2", MAR, expected_current=None)
    assert say("0", JAN, expected_current=None).outcome == "backfilled"


def test_expected_is_the_fact_that_a_reader_sees_temporary_or_not() -> None:
    say("1", JAN)
    over = promise("2", FEB, APR)
    assert say("3", MAR, expected_current=over).outcome == "superseded"


def test_a_refused_expectation_stores_nothing() -> None:
    with pytest.raises(Conflict):
        say("1", expected_current=7)
    assert journal.last_id() == 0
    assert told() == []


def test_an_ended_fact_is_expected_by_the_same_id() -> None:
    fact = said("1", JAN)
    end(fact, at=FAR, actor="ann", reason="planned")
    assert say("2", MAR, expected_current=fact).outcome == "superseded"


def test_a_conflict_is_found_before_unchanged() -> None:
    say("1")
    with pytest.raises(Conflict):
        say("1", expected_current=None)


# -- many at once


def sayings(*values: str, learned_at: int = JAN) -> list[Saying]:
    """A value a day, from `learned_at` on."""
    days = (learned_at + n * time.DAY for n in range(len(values)))
    return [Saying(TIER, PRICE, value, "sheet", "ann", learned_at=day) for value, day in zip(values, days, strict=True)]


def test_a_batch_is_one_operation_with_outcomes_in_the_order_sent() -> None:
    done = remember_many(sayings("1", "2", "3"), actor="ann")
    assert [outcome.outcome for outcome in done.outcomes] == ["created", "superseded", "superseded"]
    assert journal.last_id() == done.operation.id == 1
    assert done.operation.counts == {"created": 1, "superseded": 2}


def test_an_atomic_batch_names_every_bad_item_and_stores_nothing() -> None:
    batch = [*sayings("1", ""), *sayings("x", learned_at=1)]
    with pytest.raises(Invalid) as refused:
        remember_many(batch, actor="ann")
    assert [field for field, _ in refused.value.errors] == ["facts.1.value", "facts.2.learned_at"]
    assert journal.last_id() == 0
    assert told() == []


def test_a_batch_that_is_not_atomic_stores_what_is_good() -> None:
    done = remember_many(sayings("1", "", "3"), actor="ann", atomic=False)
    assert isinstance(done.outcomes[1], Invalid)
    assert told() == ["1", "3"]


def test_a_dry_batch_foretells_and_leaves_no_trace() -> None:
    done = remember_many(sayings("1", "2"), actor="ann", dry_run=True)
    assert [outcome.outcome for outcome in done.outcomes] == ["created", "superseded"]
    assert (done.operation, journal.last_id(), told()) == (None, 0, [])


def test_items_of_a_batch_see_those_before_them() -> None:
    first, second = sayings("1", "1")
    done = remember_many([first, first, second], actor="ann")
    assert [outcome.outcome for outcome in done.outcomes] == ["created", "unchanged", "superseded"]


def test_a_reason_is_kept_in_the_journal() -> None:
    remember(Saying(TIER, PRICE, "1", "sheet", "ann", learned_at=JUN), actor="ann", reason=" new list ")
    assert Operation.objects.get().reason == "new list"
