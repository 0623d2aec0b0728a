"""Law 7 of the rules: every door gives the same ids for the same (T, K), and those that the rules give."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.doors import OVER_HTTP, OVER_MCP, Doors
from tests.laws.model import Brain
from tests.laws.plays import Play, afterwards_undone
from tests.laws.steps import Step
from tests.laws.strategies import EDGES, whole_histories


@pytest.fixture
def doors(_on_both: None) -> Doors:
    return Doors.open()


def ids_by_the_rules(brain: Brain, instant: int, known_at: int, *, audit: bool) -> list[int]:
    return sorted(row.origin for row in brain.everything(instant, known_at, audit=audit).values())


two_doors = st.lists(st.sampled_from(OVER_HTTP + OVER_MCP), min_size=2, max_size=2, unique=True)


@given(
    history=whole_histories,
    instant=st.sampled_from(EDGES),
    back=st.integers(0, 9),
    audit=st.booleans(),
    asked=two_doors,
)
def test_every_door_gives_the_ids_of_the_rules(
    doors: Doors, history: list[Step], instant: int, back: int, *, audit: bool, asked: list[str]
) -> None:
    with afterwards_undone():
        brain = Play().act(history)
        known_at = max(0, brain.last() - back)
        expected = ids_by_the_rules(brain, instant, known_at, audit=audit)
        for door, ids in doors.ids(instant, known_at, audit=audit).items():
            assert ids == expected, f"{door} at T={instant}, K={known_at}"
        for door in asked:
            ids, expected = _through(doors, door, brain, instant, known_at)
            assert sorted(ids) == expected, f"{door} at T={instant}, K={known_at}"


def _through(doors: Doors, door: str, brain: Brain, instant: int, known_at: int) -> tuple[list[int], list[int]]:
    """What a door outside the process gives, and what it should."""
    if door in OVER_MCP:
        return getattr(doors, door)(instant), ids_by_the_rules(brain, instant, brain.last(), audit=False)
    return getattr(doors, door)(instant, known_at), ids_by_the_rules(brain, instant, known_at, audit=True)
