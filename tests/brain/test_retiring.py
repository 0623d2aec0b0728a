"""§7: what each way of retiring leaves behind, as the public reads show it, and in the tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from brain import scopes
from brain.forget import forget, forget_scope, retain
from brain.lifecycle import decay
from brain.models import Fact
from brain.reader import EVERYTHING
from brain.retire import end, retract
from brain.selectors import Selector
from tests.brain.asking import APR, FEB, JAN, MAR, MAY, asked, held, last, look, said, say, told

SCOPE = "/emea"
WHO = {"actor": "op", "reason": "as asked"}
OP = WHO | {"reader": EVERYTHING}


@dataclass(frozen=True)
class Left:
    """What is left of a first value, said in January, and of a second, said in March, when one was retired in May: the
    current recall, the read as of February, the first operation's view of April, history and rows with content."""

    now: str | None
    february: str | None
    april_as_then: str | None
    history: list[str]
    stored: list[str]
    complete: bool = True


def _supersede(fact: int) -> None:
    say("3", APR, scope=SCOPE)


def _decay(fact: int) -> None:
    decay(actor="op")


def _select(fact: int) -> Selector:
    return Selector(ids=(fact,))


BOTH = ["1", "2"]
WAYS: dict[str, tuple[Callable[[int], object], Left]] = {
    "supersession": (_supersede, Left("3", "1", "2", ["1", "2", "3"], ["1", "2", "3"])),
    "end": (lambda fact: end(fact, at=MAY, **WHO), Left(None, "1", "2", ["1", "2", "2"], ["1", "2", "2"])),
    "decay": (_decay, Left("2", "1", "2", BOTH, BOTH)),
    "retract": (lambda fact: retract(fact, **WHO), Left("1", "1", "2", BOTH, BOTH)),
    "soft forget": (lambda fact: forget(_select(fact), **OP), Left(None, "1", None, BOTH, BOTH)),
    "retention": (lambda fact: retain(APR, **OP), Left("2", None, "2", ["2"], ["2"], complete=False)),
    "purge": (lambda fact: forget(_select(fact), purge=True, **OP), Left(None, "1", None, ["1"], ["1"])),
    "scope forget": (lambda fact: forget_scope(SCOPE, **OP), Left(None, None, None, [], [])),
    "tombstoned scope": (lambda fact: scopes.tombstone(SCOPE, **WHO), Left("2", "1", "2", BOTH, BOTH)),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_each_way_of_retiring_leaves_behind(way: str) -> None:
    say("1", JAN, scope=SCOPE)
    fact = said("2", MAR, scope=SCOPE)
    then = last()
    retire, left = WAYS[way]
    retire(fact)
    assert held(scope=SCOPE) == left.now
    assert held(FEB, scope=SCOPE) == left.february
    assert held(APR, then, scope=SCOPE) == left.april_as_then
    assert told() == left.history
    assert asked(FEB, scope=SCOPE).history_complete == left.complete
    assert sorted(filter(None, Fact.objects.values_list("value", flat=True))) == left.stored


def test_an_expiry_is_an_end_that_was_said_at_once() -> None:
    say("2", MAR, expires_at=MAY)
    assert [held(), held(APR), told()] == [None, "2", ["2"]]


def test_a_soft_forgotten_fact_is_kept_marked() -> None:
    fact = said("2", MAR)
    forget(_select(fact), **OP)
    assert look(fact).status == "forgotten"
