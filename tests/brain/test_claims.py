"""§5: who disagrees with what holds and may not overrule it leaves a claim, which waits for a person."""

from __future__ import annotations

import pytest

from brain import journal
from brain.dispute import accept, open_claims, reject
from brain.errors import BlockedByForget, Conflict, NotFound, SelfApproval
from brain.forget import forget
from brain.reader import EVERYTHING, Reader
from brain.retire import end, retract
from brain.selectors import Selector
from tests.brain.asking import (
    AGENT,
    APR,
    FAR,
    FARTHER,
    FEB,
    JAN,
    MAR,
    MAY,
    asked,
    held,
    last,
    look,
    promise,
    said,
    say,
    told,
)

WHO = {"actor": "op", "reason": "checked"}
CURATED, TURN = "document", "turn"


def claim(value: str = "2", learned_at: int = MAR, **words: object) -> int:
    """A turn's saying against a document's."""
    done = say(value, learned_at, source_kind=TURN, written_by="bot", **words)
    assert done.outcome == "contested"
    return done.fact.origin_id


@pytest.fixture
def document() -> int:
    return said("1", JAN, source_kind=CURATED)


# -- who disagrees


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        (("turn", 0.9), ("turn", 0.9), "superseded"),
        (("turn", 0.8), ("reflect", 0.9), "superseded"),
        (("turn", 0.5), ("turn", 0.7), "superseded"),
        (("turn", 0.5), ("turn", 0.69), "contested"),
        (("turn", 0.9), ("turn", 0.89), "contested"),
        (("document", 1), ("upsert", 1), "superseded"),
        (("document", 1), ("upsert", 0.9), "contested"),
        (("upsert", 0.4), ("document", 0.6), "contested"),
        (("turn", 1), ("document", 0.1), "superseded"),
        (("elaboration", 1), ("upsert", 0), "superseded"),
        (("document", 0.1), ("turn", 1), "contested"),
        (("upsert", 1), ("consolidation", 1), "contested"),
    ],
)
def test_pillar_and_confidence_decide(before: tuple[str, float], after: tuple[str, float], outcome: str) -> None:
    say("1", JAN, source_kind=before[0], confidence=before[1])
    assert say("2", MAR, source_kind=after[0], confidence=after[1]).outcome == outcome


def test_equal_values_never_disagree(document: int) -> None:
    assert say("1", MAR, source_kind=CURATED, confidence=0.1).outcome == "superseded"
    assert say("1", APR, source_kind=TURN).outcome == "unchanged"


def test_a_turn_may_repeat_a_document_but_not_shorten_it(document: int) -> None:
    assert say("1", MAR, source_kind=TURN, expires_at=APR).outcome == "unchanged"
    assert held(MAY) == "1"


def test_what_holds_at_the_instant_of_the_saying_decides() -> None:
    say("1", JAN, source_kind=CURATED, expires_at=FEB)
    assert say("2", MAR, source_kind=TURN).outcome == "superseded"
    say("3", APR, source_kind=CURATED)
    assert say("4", JAN - 1, source_kind=TURN).outcome == "backfilled"
    assert say("5", MAY, source_kind=TURN).outcome == "contested"


def test_a_scheduled_document_does_not_open_the_door_to_a_turn(document: int) -> None:
    say("9", FAR, source_kind=CURATED)
    assert say("2", MAR, source_kind=TURN).outcome == "contested"


def test_a_forgotten_value_is_nobodys_incumbent(document: int) -> None:
    forget(Selector(ids=(document,)), reader=EVERYTHING, **WHO)
    assert say("2", MAR, source_kind=TURN).outcome == "superseded"


def test_an_experiential_temporary_value_over_a_curated_one_is_a_claim(document: int) -> None:
    assert say("2", MAR, source_kind=TURN, expires_at=APR, temporary=True).outcome == "contested"
    assert held(MAR) == "1"


def test_an_experiential_temporary_value_that_would_reach_a_curated_one_is_a_claim() -> None:
    say("1", MAR, source_kind=CURATED)
    assert say("2", JAN, source_kind=TURN, expires_at=APR, temporary=True).outcome == "contested"
    assert say("2", JAN, source_kind=TURN, expires_at=MAR, temporary=True).outcome == "created"


def test_a_standing_change_under_a_promotion_is_judged_by_the_standing_value() -> None:
    say("1", JAN, source_kind=TURN, confidence=0.8)
    promise("2", FEB, FAR, source_kind=TURN, confidence=1.0)
    assert say("3", MAR, source_kind=TURN, confidence=0.9).outcome == "superseded"


# -- while it is open


def test_a_claim_changes_no_answer_and_marks_the_value_contested(document: int) -> None:
    claim("2", MAR)
    answer = asked()
    assert [(fact.value, fact.contested) for fact in answer.facts] == [("1", True)]
    assert [fact.value for fact in answer.claims] == ["2"]


def test_contested_is_as_at_both_clocks(document: int) -> None:
    before = last()
    fact = claim("2", MAR, expires_at=APR)
    seen = {(at, known): asked(at, known) for at in (FEB, MAR, APR) for known in (before, None)}
    contested = {key for key, answer in seen.items() if answer.facts[0].contested}
    assert contested == {(MAR, None)}
    assert [one.id for one in seen[MAR, None].claims] == [fact]
    assert look(document, MAR, known_at=before).contested is False


def test_a_settled_claim_was_open_before(document: int) -> None:
    fact = claim()
    open_then = last()
    reject(fact, **WHO)
    assert (asked().claims, asked().facts[0].contested) == ([], False)
    assert asked(known_at=open_then).facts[0].contested


def test_a_claim_of_the_value_that_holds_by_now_contests_nothing(document: int) -> None:
    claim("2", MAR)
    say("2", APR, source_kind=CURATED)
    answer = asked()
    assert (answer.facts[0].contested, len(answer.claims)) == (False, 1)


def test_a_claim_of_the_future_is_open_from_then_on(document: int) -> None:
    claim("2", FAR)
    assert (asked().claims, len(asked(FAR).claims)) == ([], 1)


def test_a_forgotten_claim_contests_nothing_for_an_agent(document: int) -> None:
    fact = claim()
    forget(Selector(ids=(fact,)), reader=EVERYTHING, **WHO)
    assert (asked().claims, asked().facts[0].contested) == ([], False)


def test_claims_are_listed_oldest_first_within_the_readers_subtree(document: int) -> None:
    later, earlier = claim("2", APR), claim("3", MAR)
    say("1", JAN, scope="/emea", source_kind=CURATED)
    there = claim("4", MAR, scope="/emea")
    at = journal.resolve()
    assert [row.origin_id for row in open_claims(AGENT, at)] == [earlier, there, later]
    assert [row.origin_id for row in open_claims(Reader(scope="/emea"), at)] == [there]


def test_a_claim_is_in_the_history_and_no_link_of_a_chain(document: int) -> None:
    fact = claim()
    assert told() == ["1", "2"]
    assert (look(fact).status, look(document).superseded_by) == ("claim", None)


def test_retracting_the_incumbent_does_not_promote_a_claim(document: int) -> None:
    claim()
    retract(document, actor="ann", reason="mistake")
    assert (held(), len(asked().claims)) == (None, 1)


# -- settled


def test_an_accepted_claim_holds_from_its_instant_under_its_id(document: int) -> None:
    fact = claim("2", MAR)
    assert accept(fact, **WHO).fact.origin_id == fact
    assert [held(FEB), held(MAR), held()] == ["1", "2", "2"]
    assert (look(fact).status, look(document).superseded_by, asked().claims) == ("current", fact, [])


def test_a_claim_that_was_overtaken_holds_from_now_when_accepted(document: int) -> None:
    fact = claim("2", MAR)
    say("3", APR, source_kind=CURATED)
    before = journal.now()
    accept(fact, **WHO)
    assert [held(MAR), held(APR), held()] == ["1", "3", "2"]
    assert look(fact).learned_at >= before


def test_a_scheduled_successor_does_not_push_an_accepted_claim_to_now(document: int) -> None:
    fact = claim("2", MAR)
    say("3", FAR, source_kind=CURATED)
    accept(fact, **WHO)
    assert (held(MAR), held(FAR), look(fact).learned_at) == ("2", "3", MAR)


def test_an_accepted_promotion_lies_over_the_standing_value(document: int) -> None:
    fact = claim("2", MAR, expires_at=FAR, temporary=True)
    accept(fact, **WHO)
    assert [held(FEB), held(MAR), held(FAR)] == ["1", "2", "1"]


def test_a_rejected_claim_leaves_no_trace_in_reads(document: int) -> None:
    fact = claim()
    assert reject(fact, **WHO).outcome == "rejected"
    assert (held(), asked().claims, look(fact).status) == ("1", [], "retracted")


@pytest.mark.parametrize("settle", [accept, reject])
def test_nobody_settles_their_own_claim(document: int, settle: object) -> None:
    fact = claim()
    for names in ({"actor": "bot"}, {"actor": "ann", "own_names": frozenset({"bot"})}):
        with pytest.raises(SelfApproval):
            settle(fact, reason="mine", **names)
    assert len(asked().claims) == 1


@pytest.mark.parametrize("settle", [accept, reject])
def test_a_claim_is_settled_once_and_only_a_claim_is(document: int, settle: object) -> None:
    fact = claim()
    reject(fact, **WHO)
    for which in (fact, document):
        with pytest.raises(Conflict):
            settle(which, **WHO)
    with pytest.raises(NotFound):
        settle(999, **WHO)


def test_an_expired_claim_is_not_open(document: int) -> None:
    fact = claim("2", MAR, expires_at=APR)
    for settle in (accept, reject):
        with pytest.raises(Conflict):
            settle(fact, **WHO)


def test_a_claim_of_a_blocked_value_cannot_be_accepted(document: int) -> None:
    fact, other = claim("2", MAR), claim("2", APR)
    forget(Selector(ids=(other,)), reader=EVERYTHING, block_relearning=True, **WHO)
    with pytest.raises(BlockedByForget):
        accept(fact, **WHO)
    assert len(asked().claims) == 1


def test_a_claim_cannot_be_ended_and_can_be_retracted(document: int) -> None:
    fact = claim()
    with pytest.raises(Conflict):
        end(fact, at=FARTHER, actor="ann", reason="x")
    assert retract(fact, actor="ann", reason="withdrawn").outcome == "retracted"
    assert asked().claims == []
