"""§3 and api.md: every field of an answer is as at (T, K), and the list of a status holds the facts that have it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from brain import journal, listing
from brain.describe import FactAt, describe
from brain.reader import EVERYTHING, Reader
from brain.recall import recall
from brain.time import AsOf
from tests.laws.model import Brain, Row
from tests.laws.plays import Play, afterwards_undone
from tests.laws.steps import Step
from tests.laws.strategies import (
    EDGES,
    SCOPES,
    SUBJECT,
    Questions,
    asked_of,
    consequence,
    few_questions,
    whole_histories,
)

STATUSES = [name for name in listing.STATUSES if name != "all"]


@consequence
@given(whole_histories, few_questions)
def test_every_fact_is_described_as_it_stood(history: list[Step], asked: Questions) -> None:
    with afterwards_undone():
        brain = Play().act(history)
        for instant, known_at in asked_of(brain, asked):
            at = AsOf(instant, known_at, latest=known_at == journal.last_id())
            rows = listing.facts(EVERYTHING, at, scope="/", status="all")
            seen = {fact.id: _seen(fact) for fact in describe(rows, at, EVERYTHING)}
            told = {row.origin: _by_the_rules(brain, row, at) for row in brain.last_sayings(known_at)}
            assert seen == told, f"at T={instant}, K={known_at}"


def _seen(fact: FactAt) -> dict[str, object]:
    names = ("status", "superseded_by", "superseded_at", "operation", "contested", "recorded_at", "retracted_at")
    return {name: getattr(fact, name) for name in names}


def _by_the_rules(brain: Brain, row: Row, at: AsOf) -> dict[str, object]:
    known_at = at.known_at
    following = brain.follower(row, known_at)
    instants = {operation.id: operation.at for operation in brain.operations}
    unsaid = row.retracted_in if row.retracted_in is not None and row.retracted_in <= known_at else None
    status = brain.status(row, at.as_of, known_at)
    return {
        "status": status,
        "superseded_by": following.origin if following and not following.hole else None,
        "superseded_at": following.learned_at if following else None,
        "operation": brain.touched_by(row, known_at),
        "contested": status == "current" and brain.contested(row, at.as_of, known_at, audit=True),
        "recorded_at": instants[row.recorded_in],
        "retracted_at": instants[unsaid] if unsaid else None,
    }


@consequence
@given(whole_histories, few_questions, st.sampled_from(STATUSES))
def test_the_list_of_a_status_holds_the_facts_that_have_it(history: list[Step], asked: Questions, status: str) -> None:
    with afterwards_undone():
        brain = Play().act(history)
        for instant, known_at in asked_of(brain, asked):
            at = AsOf(instant, known_at, latest=known_at == journal.last_id())
            listed = sorted(row.origin_id for row in listing.facts(EVERYTHING, at, scope="/", status=status))
            having = [row for row in brain.last_sayings(known_at) if brain.status(row, instant, known_at) == status]
            assert listed == sorted(row.origin for row in having), f"at T={instant}, K={known_at}"


readers = st.builds(Reader, audit=st.booleans())


@consequence
@given(whole_histories, st.sampled_from(EDGES), st.sampled_from(SCOPES), readers)
def test_the_quick_recall_says_what_the_composed_one_says(
    history: list[Step], instant: int, scope: str, reader: Reader
) -> None:
    with afterwards_undone():
        Play().act(history)
        at = AsOf(instant, journal.last_id(), latest=True)
        quick = recall(SUBJECT, at=at, reader=reader, scope=scope)
        assert quick == recall(SUBJECT, at=at.pinned(), reader=reader, scope=scope)
