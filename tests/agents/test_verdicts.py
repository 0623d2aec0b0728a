"""The first verdict that applies, by value; and the sentence that says it."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from brain import receipts, retire
from brain.forget import forget, restore, retain
from brain.reader import EVERYTHING, Reader
from brain.selectors import Selector
from brain.sentences import sentence
from brain.time import from_datetime, to_datetime
from brain.verdicts import Explained, explain
from tests.agents.story import APR, FEB, JAN, MAR, TIER, ask, say, seen

pytestmark = pytest.mark.usefixtures("_on_both")


def explained(receipt: str, reader: Reader = EVERYTHING) -> Explained:
    return explain(seen(receipt), reader)


def verdict(receipt: str) -> str:
    return explained(receipt).verdict


def withhold(fact: int, *, purge: bool = False) -> None:
    forget(Selector(ids=(fact,)), actor="op", reason="asked to", reader=EVERYTHING, purge=purge)


def test_an_answer_whose_values_are_the_same_today_holds() -> None:
    say("$4,200")
    assert verdict(ask()) == "holds"


def test_a_value_said_again_by_somebody_else_still_holds() -> None:
    say("$4,200")
    receipt = ask()
    say("$4,200", APR, written_by="other-team", source="contract")
    assert verdict(receipt) == "holds"


def test_a_new_value_supersedes_a_question_about_now() -> None:
    say("$4,200")
    receipt = ask()
    say("$3,600", None)
    assert verdict(receipt) == "superseded"


def test_a_question_that_named_its_instant_is_not_superseded_by_later_values() -> None:
    say("$4,200")
    receipt = ask(as_of=FEB)
    say("$3,600", MAR)
    assert verdict(receipt) == "holds"


def test_an_end_supersedes_with_nothing() -> None:
    fact = say("$4,200")
    receipt = ask(as_of=None)
    retire.end(fact.pk, at=seen(receipt).at + 1, actor="op", reason="gone")
    answer = explained(receipt)
    assert (answer.verdict, answer.told[0].now) == ("superseded", None)


def test_another_value_dated_back_corrects_the_instant_asked_about() -> None:
    say("$3,900", JAN)
    receipt = ask(as_of=FEB)
    say("$4,200", JAN + 1)
    answer = explained(receipt)
    assert answer.verdict == "corrected"
    assert [(told.then.value, told.held.value, told.now.value) for told in answer.told] == [
        ("$3,900", "$4,200", "$4,200")
    ]


def test_a_retracted_value_is_corrected_with_what_preceded_it_or_nothing() -> None:
    say("$3,900", JAN)
    fact = say("$4,200", FEB)
    receipt = ask()
    retire.retract(fact.pk, actor="op", reason="mistake")
    assert verdict(receipt) == "corrected"
    only = say("net 30", subject="terms")
    receipt = ask("terms")
    retire.retract(only.pk, actor="op", reason="mistake")
    assert verdict(receipt) == "corrected"


def test_correction_comes_before_supersession() -> None:
    say("$3,900", JAN)
    receipt = ask(as_of=None)
    say("$4,000", JAN + 1)
    say("$3,600", None)
    assert verdict(receipt) == "corrected"


@pytest.mark.parametrize("purge", [False, True])
def test_a_forgotten_fact_comes_before_everything(purge: bool) -> None:
    fact = say("$4,200")
    receipt = ask()
    say("$3,600", None)
    withhold(fact.pk, purge=purge)
    assert verdict(receipt) == "forgotten"


def test_a_fact_erased_by_retention_is_forgotten_too() -> None:
    say("$4,200", JAN)
    receipt = ask(as_of=FEB)
    say("$3,600", MAR)
    retain(APR, actor="op", reason="90 days", reader=EVERYTHING)
    assert verdict(receipt) == "forgotten"


def test_a_restored_fact_is_not_forgotten() -> None:
    fact = say("$4,200")
    receipt = ask()
    withhold(fact.pk)
    restore(fact.pk, actor="op", reason="needed", reader=EVERYTHING)
    assert verdict(receipt) == "holds"


def test_no_record_then_and_now_is_no_record() -> None:
    assert verdict(ask("nobody knows")) == "no_record"


def test_what_was_served_nothing_is_corrected_by_a_backfill_and_superseded_by_a_later_value() -> None:
    receipt, later = ask(as_of=FEB), ask("other")
    say("$4,200", JAN)
    say("5", None, subject="other")
    assert verdict(receipt) == "corrected"
    assert verdict(later) == "superseded"


def test_another_predicate_of_the_subject_changes_no_verdict() -> None:
    say("$4,200")
    receipt = ask()
    say("14 days", predicate="refund_window")
    assert verdict(receipt) == "holds"


def test_a_promotion_that_has_run_out_is_superseded_by_what_it_lay_over() -> None:
    say("$4,200", JAN)
    promotion = say("$2,900", FEB, temporary=True, expires_at=4_000_000_000_000)
    receipt = ask(as_of=None)
    retire.end(promotion.pk, at=seen(receipt).at + 1, actor="op", reason="sold out")
    answer = explained(receipt)
    assert (answer.verdict, answer.told[0].now.value) == ("superseded", "$4,200")


@pytest.mark.parametrize(
    ("answer", "supported"),
    [("A renewal is $4,200 a year.", True), ("It is $3,600.", False), ("THE PRICE IS NET  30 DAYS", True)],
)
def test_an_answer_is_supported_when_it_contains_a_value_that_was_served(answer: str, supported: bool) -> None:
    say("$4,200"), say("net 30 days", predicate="terms")
    receipt = ask()
    assert explained(receipt).supported is None
    receipts.answer(receipt, answer, agent="brief-writer")
    assert explained(receipt).supported is supported


def test_an_answer_to_no_record_is_not_supported() -> None:
    receipt = ask("nobody knows")
    receipts.answer(receipt, "It is $4,200.", agent="brief-writer")
    assert explained(receipt).supported is False


def test_the_agent_does_not_see_again_what_was_withheld_and_the_auditor_does() -> None:
    fact = say("$4,200")
    receipt = ask()
    withhold(fact.pk)
    agents, auditors = (explained(receipt, Reader(audit=audit)).told[0] for audit in (False, True))
    assert (agents.then, agents.now) == (None, None)
    assert (auditors.then.value, auditors.now) == ("$4,200", None)


# -- the sentence


def test_the_sentence_says_what_was_told_from_where_and_what_it_is_since_when() -> None:
    say("$4,200", JAN)
    receipt = ask()
    since = say("$3,600", None).learned_at
    at = seen(receipt).at
    said = sentence(explained(receipt))
    moment, later = to_datetime(at), to_datetime(since)
    assert said == (
        f"On {moment.day} {moment:%b %Y} at {moment:%H:%M} UTC brief-writer was told $4,200, learned 12 Jan 2026 "
        "from pricing-sheet, written by pricing-team. That was the current list price. "
        f"It has been $3,600 since {later.day} {later:%b %Y}."
    )


def test_the_sentence_names_the_instant_that_was_asked_about_in_the_readers_zone() -> None:
    say("$4,200", JAN)
    said = sentence(explained(ask(as_of=FEB)), ZoneInfo("Europe/Berlin"))
    assert "brief-writer asked what held on 9 Feb 2026 at 01:00 CET and was told $4,200" in said
    assert said.endswith("It still holds.")


def test_every_verdict_has_its_words() -> None:
    fact = say("$3,900", JAN)
    corrected, forgotten = ask(as_of=FEB), ask()
    nothing, gap = ask("nobody knows"), ask("late", as_of=FEB)
    say("$4,200", JAN + 1)
    say("5", JAN, subject="late")
    assert "We now say that it was $4,200 at that time" in sentence(explained(corrected))
    assert sentence(explained(nothing)).endswith(
        "was told that there was no record of nobody knows. There is none today either."
    )
    assert "We now have this of it at that time: list price: 5." in sentence(explained(gap))
    withhold(fact.pk, purge=True)
    erased = sentence(explained(forgotten))
    assert "$3,900" not in erased
    assert "was told something that has been withheld or erased since." in erased


def test_several_values_are_told_one_by_one_and_only_the_changed_ones_are_named_again() -> None:
    for n in range(7):
        say(f"{n}", predicate=f"p{n}")
    receipt = ask()
    say("new", None, predicate="p1")
    said = sentence(explained(receipt))
    assert f"{TIER}, p0: 0, learned 12 Jan 2026" in said
    assert "; and 2 more. Those were the current values. The p1 has been new since" in said


def test_a_very_long_value_is_cut_in_the_sentence() -> None:
    say("x" * 5000)
    assert len(sentence(explained(ask()))) < 500
    assert from_datetime(to_datetime(JAN)) == JAN
