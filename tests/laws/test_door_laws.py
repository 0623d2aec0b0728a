"""Law 7 of the rules: every door gives the same ids for the same (T, K), and those that the rules give."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.doors import Doors
from tests.laws.model import Brain
from tests.laws.plays import Play, afterwards_undone
from tests.laws.steps import Step
from tests.laws.strategies import EDGES, whole_histories


@pytest.fixture
def doors(_on_both: None) -> Doors:
    return Doors.open()


def ids_by_the_rules(brain: Brain, instant: int, known_at: int, *, audit: bool) -> list[int]:
    return sorted(row.origin for row in brain.everything(instant, known_at, audit=audit).values())


@given(history=whole_histories, instant=st.sampled_from(EDGES), back=st.integers(0, 9), audit=st.booleans())
def test_recalls_and_lists_give_the_same_ids(
    doors: Doors, history: list[Step], instant: int, back: int, *, audit: bool
) -> None:
    with afterwards_undone():
        brain = Play().act(history)
        known_at = max(0, brain.last() - back)
        expected = ids_by_the_rules(brain, instant, known_at, audit=audit)
        for door, ids in doors.ids(instant, known_at, audit=audit).items():
            assert ids == expected, f"{door} at T={instant}, K={known_at}"


@given(history=whole_histories, instant=st.sampled_from(EDGES), back=st.integers(0, 9))
def test_api_export_search_and_page_give_the_same_ids(
    doors: Doors, history: list[Step], instant: int, back: int
) -> None:
    with afterwards_undone():
        brain = Play().act(history)
        known_at = max(0, brain.last() - back)
        expected = ids_by_the_rules(brain, instant, known_at, audit=True)
        for door, ids in doors.ids_over_the_api(instant, known_at).items():
            assert ids == expected, f"{door} at T={instant}, K={known_at}"


@given(history=whole_histories, instant=st.sampled_from(EDGES))
def test_agents_over_mcp_get_the_same_ids(doors: Doors, history: list[Step], instant: int) -> None:
    with afterwards_undone():
        brain = Play().act(history)
        expected = ids_by_the_rules(brain, instant, brain.last(), audit=False)
        for door, ids in doors.ids_over_mcp(instant).items():
            assert ids == expected, f"{door} at T={instant}"
