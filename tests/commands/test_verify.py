"""verify: whatever is changed, dropped or put in another order behind the verbs is found and named."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection

from brain import verify
from brain.dispute import accept
from brain.forget import forget, restore, retain
from brain.reader import EVERYTHING
from brain.remember import remember
from brain.retire import end, retract
from brain.rewind import rewind
from brain.saying import Saying
from brain.selectors import Selector
from brain.time import parse
from tests.commands.running import APR, FEB, JAN, MAR, passing_brain, refused, run

pytestmark = pytest.mark.usefixtures("brain")


def say(value: str, day: str, **words: object) -> int:
    return remember(Saying("A", "p", value, "sheet", "ann", learned_at=parse(day), **words), actor="ann").fact.origin_id


@pytest.fixture(autouse=True)
def _life(brain: None) -> None:
    """A brain in which everything has happened once."""
    say("1", JAN)
    say("3", MAR)
    say("2", FEB)
    accept(say("4", APR, source_kind="turn"), actor="cleo", reason="heard twice")
    end(say("5", APR, temporary=True, expires_at=parse("2090-01-01")), at=parse("2089-01-01"), actor="ann", reason="x")
    retract(2, actor="ann", reason="mistake")
    rewind(5, actor="ann", reason="back", reader=EVERYTHING)
    for _ in range(2):
        forget(Selector(ids=(1,)), actor="op", reason="private", reader=EVERYTHING)
        restore(1, actor="op", reason="not private", reader=EVERYTHING)
    retain(parse(MAR), actor="op", reason="retention", reader=EVERYTHING)


def test_a_brain_in_which_everything_has_happened_holds_every_law() -> None:
    assert verify.check() == []
    assert "every law holds" in run("verify")


def test_its_head_is_the_last_operation_and_its_hash() -> None:
    number, digest = verify.head()
    assert run("verify", "--head").splitlines() == [f"{number} {digest}"]


@pytest.mark.parametrize(
    ("tampering", "named"),
    [
        ("UPDATE operation SET actor = 'mallory' WHERE id = 3", "operation 3: its hash is not that of its content"),
        ("UPDATE operation SET at = at - 1 WHERE id = 3", "operation 3: its hash is not that of its content"),
        ("UPDATE operation SET reason = 'fine' WHERE id = 5", "operation 5: its reason is not the one"),
        ("UPDATE operation SET details = '{}' WHERE kind = 'rewind'", "its scope or details are not those"),
        ("UPDATE fact SET value = '9' WHERE id = 2", "fact 2 (row 2): its content is not what was said"),
        ("UPDATE fact SET written_by = 'bob' WHERE id = 2", "fact 2 (row 2): its content is not what was said"),
        ("UPDATE fact SET folded = 'x' WHERE id = 2", "fact 2 (row 2): its folded text is not its text"),
        (
            "UPDATE fact SET digest = 'x' WHERE id = 2",
            "operation 2: the facts that it touched are not what it recorded",
        ),
        ("UPDATE fact SET superseded_at = superseded_at + 1", "its link is not the next row of its track"),
        ("UPDATE fact_key SET subject = 'a  b'", "its texts are not in their stored form"),
        ("DELETE FROM scope", "its scope is not registered"),
        ("DELETE FROM fact_words", "its words are not in the index"),
        ("UPDATE operation SET last_fact = 1", "its id is later than the journal's"),
    ],
)
def test_what_was_changed_is_named(tampering: str, named: str) -> None:
    with tampered(tampering):
        assert any(named in problem for problem in verify.check()), verify.check()
        assert refused("verify")[1] == "The brain is broken."


def test_a_dropped_operation_is_named() -> None:
    with tampered("DELETE FROM operation WHERE id = 4"):
        assert "operation 4: it is missing from the journal" in verify.check()


def test_a_dropped_fact_is_missed_by_its_operation() -> None:
    with tampered("DELETE FROM fact WHERE id = 2"):
        assert "operation 2: the facts that it touched are not what it recorded" in verify.check()


def test_two_operations_that_changed_places_are_named() -> None:
    moves = ((2, 1000), (3, 2), (1000, 3))
    with tampered(*(f"UPDATE operation SET id = {new} WHERE id = {old}" for old, new in moves)):
        found = verify.check()
    assert "operation 2: it does not follow the operation before it" in found
    assert "operation 3: its hash is not that of its content" in found


@contextmanager
def tampered(*statements: str) -> Iterator[None]:
    """The brain after SQL of somebody who can write to its tables; foreign keys are looked at only on commit."""
    with passing_brain(), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
        yield
