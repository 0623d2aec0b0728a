"""What each way of retiring a fact leaves behind: in recalls of today and of the past, in the history, in storage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from brain.models import Fact
from tests.api.callers import FEB, JAN, MAR, TIER, Agent

OLD, NEW = "$4,200 a year", "$3,600 a year"
pytestmark = pytest.mark.usefixtures("database")


@dataclass(frozen=True)
class Left:
    """`now`, `february`: what recalls give; `history`: its values; `stored`: whether the table holds the old value."""

    now: list[str]
    february: list[str]
    history: list[str]
    stored: bool
    complete: bool = True


def supersession(operator: Agent, fact: int) -> None:
    operator.say(NEW, MAR)


def end(operator: Agent, fact: int) -> None:
    operator.post(f"/facts/{fact}/end", {"at": MAR, "reason": "withdrawn"})


def decay(operator: Agent, fact: int) -> None:
    operator.post("/lifecycle/decay")


def retract(operator: Agent, fact: int) -> None:
    operator.post(f"/facts/{fact}/retract", {"reason": "a slip"})


def soft_forget(operator: Agent, fact: int) -> None:
    operator.post("/forget", {"selector": {"ids": [fact]}, "reason": "withheld"})


def retention(operator: Agent, fact: int) -> None:
    supersession(operator, fact)
    operator.post("/forget", {"superseded_before": "2026-05-29", "reason": "ninety days"})


def purge(operator: Agent, fact: int) -> None:
    operator.post("/forget", {"selector": {"ids": [fact]}, "purge": True, "reason": "a request"})


def scope_forget(operator: Agent, fact: int) -> None:
    operator.post("/forget", {"scope": "/", "recursive": True, "reason": "the end"})


def tombstone(operator: Agent, fact: int) -> None:
    assert operator.delete("/scopes?scope=/").status == 200


WAYS: dict[Callable[[Agent, int], None], Left] = {
    supersession: Left([NEW], [OLD], [OLD, NEW], stored=True),
    end: Left([], [OLD], [OLD, OLD], stored=True),
    decay: Left([OLD], [OLD], [OLD], stored=True),
    retract: Left([], [], [OLD], stored=True),
    soft_forget: Left([], [], [OLD], stored=True),
    retention: Left([NEW], [], [NEW], stored=False, complete=False),
    purge: Left([], [], [], stored=False),
    scope_forget: Left([], [], [], stored=False),
    tombstone: Left([OLD], [OLD], [OLD], stored=True),
}


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_what_is_left(operator: Agent, way: Callable[[Agent, int], None]) -> None:
    fact, left = operator.say(OLD, JAN), WAYS[way]
    before = operator.get("/operations")["items"][0]["id"]
    way(operator, fact)
    assert operator.values() == left.now
    assert operator.values(as_of=FEB) == left.february
    assert operator.recall(as_of=FEB)["history_complete"] is left.complete
    assert [item["value"] for item in operator.get("/history", subject=TIER)["items"]] == left.history
    assert Fact.objects.filter(value=OLD).exists() is left.stored
    if way is retract:
        assert operator.values(as_of=FEB, known_at=f"op:{before}") == [OLD]
