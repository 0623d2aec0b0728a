"""Reads take as many statements for thirty facts as for three."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from brain import journal
from brain.compare import diff
from brain.describe import describe
from brain.forget import forget
from brain.history import history
from brain.listing import chain, facts, touches
from brain.reader import EVERYTHING
from brain.recall import recall, recall_many
from brain.retire import retract
from brain.selectors import Selector
from brain.time import AsOf
from tests.brain.asking import FEB, JAN, MAR, TIER, said, say


def _now() -> AsOf:
    return journal.resolve()


def _then() -> AsOf:
    return journal.resolve(known_at=f"op:{journal.last_id() - 1}")


def _chain(at: AsOf) -> object:
    rows = chain(1, at, EVERYTHING)
    return describe(rows, at, EVERYTHING), touches(rows, at, EVERYTHING)


READS: dict[str, Callable[[AsOf], object]] = {
    "recall": lambda at: recall(TIER, at=at),
    "recall below": lambda at: recall(TIER, at=at, recursive=True),
    "recall of many": lambda at: recall_many([TIER, "other"], at=at),
    "list": lambda at: describe(facts(EVERYTHING, at, scope="/"), at, EVERYTHING),
    "everything": lambda at: describe(facts(EVERYTHING, at, scope="/", status="all"), at, EVERYTHING),
    "history": lambda at: describe(history(EVERYTHING, at), at, EVERYTHING),
    "chain": _chain,
    "diff": lambda at: list(diff(EVERYTHING, AsOf(JAN - 1, at.known_at, at.latest), at)),
}


def _tell(first: int, last: int) -> None:
    for number in range(first, last):
        say(f"{number}", JAN + number, predicate=f"p{number}")
        say(f"{number}.1", FEB + number, predicate=f"p{number}")
        say(f"{number}.2", MAR, predicate=f"p{number}", source_kind="turn")
    retract(said("x", MAR + last, predicate=f"p{first}"), actor="ann", reason="mistake")
    gone = said("y", MAR, predicate=f"gone {first}")
    forget(Selector(ids=(gone,)), actor="op", reason="x", reader=EVERYTHING)


@pytest.mark.parametrize("clocks", [_now, _then])
@pytest.mark.parametrize("read", READS)
def test_more_facts_take_no_more_statements(read: str, clocks: Callable[[], AsOf]) -> None:
    _tell(0, 3)
    few = _statements(read, clocks())
    _tell(3, 30)
    assert _statements(read, clocks()) <= few


def _statements(read: str, at: AsOf) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        READS[read](at)
    return len(captured)


def test_a_recall_of_what_holds_now_is_one_statement() -> None:
    say("1")
    at = _now()
    with CaptureQueriesContext(connection) as captured:
        recall(TIER, at=at)
    statements = [query["sql"] for query in captured if "fact" in query["sql"].casefold()]
    assert len(statements) == 1
