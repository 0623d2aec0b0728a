"""Laws 5 and 6 of the rules: a rewind brings back what was read, and nothing but what is named is taken away."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from brain import journal
from brain.models import Fact
from tests.laws import steps
from tests.laws.model import Brain, Key, under
from tests.laws.plays import Play, afterwards_undone
from tests.laws.retiring import Part
from tests.laws.steps import Step
from tests.laws.strategies import (
    EDGES,
    FUTURE,
    KEYS,
    PAST,
    SCOPES,
    SUBJECTS,
    Questions,
    asked_of,
    beginnings,
    dear,
    holdings,
    questions,
    selectors,
    takings,
    whole_histories,
)
from tests.laws.test_reading_laws import Answers, by_the_rules, read
from tests.laws.writing import Write

whole_or_narrowed = st.one_of(
    st.builds(Part),
    st.builds(Part, scope=st.sampled_from(SCOPES)),
    st.builds(Part, subject=st.sampled_from(SUBJECTS)),
)
moments = st.lists(st.sampled_from(EDGES), min_size=1, max_size=4, unique=True)
CONTENT = ("value", "source", "written_by", "expires_at", "learned_at", "retracted_in", "forgotten_in", "restored_in")


@dear
@given(history=whole_histories, asked=questions, audit=st.booleans())
def test_what_is_left_reads_by_the_rules(history: list[Step], asked: Questions, *, audit: bool) -> None:
    with afterwards_undone():
        brain = Play().act(history)
        for instant, known_at in asked_of(brain, asked):
            expected = by_the_rules(brain, instant, known_at, audit=audit)
            assert dict(read(instant, known_at, audit=audit)) == expected, f"T={instant}, K={known_at}, {audit=}"


# -- 5


@dear
@given(whole_histories, st.integers(0, 9), whole_or_narrowed, moments)
def test_a_rewind_reads_as_it_was_and_can_be_rewound(
    history: list[Step], back: int, part: Part, when: list[int]
) -> None:
    with afterwards_undone():
        play = Play()
        brain = play.act(history)
        before = brain.last()
        goal = max(0, before - back)
        for known_at in (goal, before):
            play.rewind(known_at, part)
            for instant in when:
                assert _kept(brain, part, instant, journal.last_id()) == _kept(brain, part, instant, known_at)


def _kept(brain: Brain, part: Part, instant: int, known_at: int) -> Answers:
    """What is read of the part, but for keys of which something was forgotten, erased or blocked."""
    answers = dict(read(instant, known_at))
    return {key: answers[key] for key in answers.keys() - _marked(brain) if _concerns(part, key)}


def _marked(brain: Brain) -> set[Key]:
    marked = {row.key for row in brain.rows if row.stretches or row.hole}
    return marked | {key for key, _ in brain.blocked}


def _concerns(part: Part, key: Key) -> bool:
    return (part.scope is None or under(key[0], part.scope)) and (part.subject is None or key[1] == part.subject)


# -- 6


@dear
@given(beginnings, st.lists(holdings, max_size=3), takings)
def test_a_forget_changes_nothing_under_a_hold_and_nothing_that_it_does_not_name(
    history: list[Step], held: list[Step], taking: Step
) -> None:
    with afterwards_undone():
        play = Play()
        brain = play.act([*history, *held])
        safe = brain.held() | _unnamed(play, taking)
        before = _content(safe)
        play.do(taking)
        assert _content(safe) == before


@dear
@given(beginnings, selectors, st.lists(takings, min_size=1, max_size=3))
def test_what_is_on_hold_outlives_every_forget(history: list[Step], selector: object, forgets: list[Step]) -> None:
    with afterwards_undone():
        play = Play()
        brain = play.act([*history, steps.Hold(selector)])
        safe = brain.held()
        before = _content(safe)
        play.act(forgets)
        assert _content(safe) == before


def _unnamed(play: Play, taking: Step) -> set[int]:
    """The facts that a forget does not name."""
    everything = {row.origin for row in play.brain.rows}
    if isinstance(taking, steps.Forget):
        return everything - play.brain.matching(play.chosen(taking.selector))
    if isinstance(taking, steps.ForgetScope):
        return {row.origin for row in play.brain.rows if not under(row.key[0], taking.scope)}
    assert isinstance(taking, steps.Retain)
    return {row.origin for row in play.brain.rows if row.learned_at >= taking.before and taking.basis == "learned_at"}


def _content(facts: set[int]) -> list[tuple[object, ...]]:
    """The rows of these facts, but for the links of their chains."""
    return list(Fact.objects.filter(origin__in=facts).order_by("pk").values_list("pk", *CONTENT))


# -- found by these laws


def test_holes_of_temporary_values_hide_the_standing_one_only_while_they_lasted() -> None:
    key = KEYS[0]
    history = [
        Write(key, "1", PAST[0]),
        Write(key, "2", PAST[1], PAST[2], temporary=True),
        Write(key, "3", PAST[3], FUTURE[0], temporary=True),
        Write(key, "4", PAST[4], FUTURE[0], temporary=True),
        steps.Retain(PAST[4], "learned_at"),
    ]
    brain = Play().act(history)
    for instant in EDGES:
        for known_at in (1, 3, brain.last()):
            assert dict(read(instant, known_at)) == by_the_rules(brain, instant, known_at)
