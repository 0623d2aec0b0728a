"""Laws 1 to 4 of the rules: one row a key, a past that stays, any order of arrival, chains without gaps."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from brain import journal
from brain.models import Fact
from brain.recall import recall
from brain.remember import remember
from brain.saying import Saying
from brain.time import AsOf
from tests.laws.model import Brain, Key
from tests.laws.plays import Play, afterwards_undone
from tests.laws.steps import Step
from tests.laws.strategies import (
    EDGES,
    PAST,
    Questions,
    asked_of,
    disputed_histories,
    histories,
    instants,
    moments,
    questions,
    values,
)
from tests.laws.writing import Write

KEY = ("key__scope", "key__subject", "key__predicate")
Answers = dict[Key, tuple[int, str, int | None]]  # key: fact id, value, expiry


def read(instant: int, known_at: int, *, audit: bool = False) -> list[tuple[Key, tuple[int, str, int | None]]]:
    """Everything that a reader gets at (T, K); that every door gives the same is law 7."""
    at = AsOf(instant, known_at, latest=known_at == journal.last_id())
    rows = Fact.objects.as_of(at, audit=audit).order_by()
    return [(tuple(row[:3]), tuple(row[3:])) for row in rows.values_list(*KEY, "origin_id", "value", "expires_at")]


def by_the_rules(brain: Brain, instant: int, known_at: int, *, audit: bool = False) -> Answers:
    found = brain.everything(instant, known_at, audit=audit)
    return {key: (row.origin, row.value, row.expires_at) for key, row in found.items()}


@given(histories, questions)
def test_a_read_gives_at_most_one_row_per_key_and_the_one_of_the_rules(history: list[Step], asked: Questions) -> None:
    with afterwards_undone():
        brain = Play().act(history)
        for instant, known_at in asked_of(brain, asked):
            rows = read(instant, known_at)
            assert len(rows) == len(dict(rows)), f"two rows of a key at T={instant}, K={known_at}"
            assert dict(rows) == by_the_rules(brain, instant, known_at), f"at T={instant}, K={known_at}"


@given(disputed_histories, questions)
def test_sayings_of_unequal_authority_read_by_the_rules(history: list[Step], asked: Questions) -> None:
    with afterwards_undone():
        brain = Play().act(history)
        for instant, known_at in asked_of(brain, asked):
            assert dict(read(instant, known_at)) == by_the_rules(brain, instant, known_at)


@given(histories, moments)
def test_what_was_known_stays_known(history: list[Step], when: list[int]) -> None:
    seen = {}
    with afterwards_undone():
        play = Play()
        for step in history:
            play.do(step)
            seen |= {(instant, journal.last_id()): read(instant, journal.last_id()) for instant in when}
        for (instant, known_at), answer in seen.items():
            assert sorted(read(instant, known_at)) == sorted(answer), f"at T={instant}, K={known_at}"


@given(st.data())
def test_the_order_of_arrival_does_not_matter(data: st.DataObject) -> None:
    arrivals = data.draw(st.lists(_dated_writes(), min_size=2, max_size=6, unique_by=lambda write: write.learned_at))
    other_order = data.draw(st.permutations(arrivals))
    when = data.draw(st.lists(st.sampled_from(EDGES), min_size=1, max_size=5, unique=True))
    assert _values_after(arrivals, when) == _values_after(other_order, when)


@st.composite
def _dated_writes(draw: st.DrawFn) -> Write:
    learned_at = draw(instants)
    later = st.sampled_from([instant for instant in EDGES if instant > learned_at] or [learned_at + 1])
    temporary = draw(st.booleans())
    expires_at = draw(later if temporary else st.none() | later)
    key = ("/a", "tier 2", "price")
    category = draw(st.sampled_from(["knowledge", "identity", "context"]))
    return Write(key, draw(values), learned_at, expires_at, temporary, category)


def _values_after(arrivals: list[Write], when: list[int]) -> dict[int, list[tuple[str, int | None]]]:
    with afterwards_undone():
        play = Play()
        play.act(arrivals)
        return {instant: _held(instant) for instant in when}


def _held(instant: int) -> list[tuple[str, int | None]]:
    answer = recall("tier 2", at=journal.resolve(as_of=instant), scope="/a")
    return [(fact.value, fact.expires_at) for fact in answer.facts]


@given(disputed_histories | histories)
def test_each_track_is_one_chain_in_the_order_of_learning(history: list[Step]) -> None:
    with afterwards_undone():
        brain = Play().act(history)
        for key in brain.all_keys():
            for temporary in (False, True):
                rows = _track(key, temporary=temporary)
                expected = [row.origin for row in brain.chain(key, brain.last(), temporary=temporary)]
                assert [row.origin_id for row in rows] == expected
                for row, following in pairwise(rows):
                    assert (row.superseded_by_id, row.superseded_at) == (following.pk, following.learned_at)
                assert all(row.superseded_by_id is None and row.superseded_at is None for row in rows[-1:])


def _track(key: Key, *, temporary: bool) -> list[Fact]:
    scope, subject, predicate = key
    rows = Fact.objects.filter(key__scope=scope, key__subject=subject, key__predicate=predicate, temporary=temporary)
    return list(rows.filter(retracted_in__isnull=True, claim=False).order_by("learned_at", "origin"))


def test_the_brain_as_it_was_before_the_first_operation_is_empty() -> None:
    remember(Saying("tier 2", "price", "1", "sheet", "ann", learned_at=PAST[0]), actor="ann")
    assert read(PAST[1], 0) == []
