"""§1: spellings that differ only by case are two keys; both sides are told of the other, as far as they may read."""

from __future__ import annotations

from brain.forget import forget
from brain.reader import EVERYTHING
from brain.remember import remember
from brain.retire import retract
from brain.saying import Saying
from brain.selectors import Selector
from tests.brain.asking import AGENT, FAR, JAN, MAR, PRICE, TIER, asked, said, say


def test_a_write_names_the_other_spellings_of_its_subject() -> None:
    say("1")
    assert say("2", subject="tier 2 RENEWAL").similar == [TIER]
    assert say("3", subject="TIER 2 renewal").similar == [TIER, "tier 2 RENEWAL"]


def test_a_write_names_the_other_spellings_of_its_predicate_where_only_that_differs() -> None:
    say("1")
    assert say("2", predicate="List_Price").similar == [PRICE]
    assert say("2", predicate="list price").similar == []


def test_case_folding_is_full() -> None:
    say("1", subject="Straße")
    assert say("2", subject="STRASSE").similar == ["Straße"]
    assert asked(subject="strasse").similar == ["STRASSE", "Straße"]


def test_a_read_that_finds_nothing_names_the_spellings_that_would_answer() -> None:
    say("1")
    say("2", subject="tier 2 Renewal")
    assert asked(subject="TIER 2 RENEWAL").similar == [TIER, "tier 2 Renewal"]
    assert asked(subject=TIER).similar == []


def test_only_what_this_reader_would_be_answered_is_named() -> None:
    say("1", scope="/emea")
    hidden = said("2", subject="TIER 2 RENEWAL", scope="/emea")
    forget(Selector(ids=(hidden,)), actor="op", reason="x", reader=EVERYTHING)
    assert asked(subject="tier 2 renewal", scope="/emea").similar == [TIER]
    assert asked(subject="tier 2 renewal", scope="/").similar == []
    assert asked(JAN - 1, subject="tier 2 renewal", scope="/emea").similar == []
    assert asked(subject="tier 2 renewal", scope="/", recursive=True).similar == [TIER]


def test_a_spelling_that_is_only_scheduled_or_retracted_is_not_named() -> None:
    retract(said("1", subject="TIER 2 renewal"), actor="ann", reason="mistake")
    say("2", FAR, subject="TIER 2 Renewal")
    assert asked(subject="tier 2 renewal").similar == []
    assert asked(FAR, subject="tier 2 renewal").similar == ["TIER 2 Renewal"]


def test_a_writer_is_not_told_of_a_forgotten_spelling() -> None:
    fact = said("1", MAR)
    forget(Selector(ids=(fact,)), actor="op", reason="x", reader=EVERYTHING)
    saying = Saying("tier 2 renewal", PRICE, "2", "sheet", "ann", learned_at=MAR)
    assert remember(saying, actor="ann", reader=AGENT).similar == []


def test_another_scope_is_another_brain() -> None:
    say("1", scope="/emea")
    assert say("2", subject="tier 2 renewal", scope="/apac").similar == []
