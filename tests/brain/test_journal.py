"""§2: every write is one row of the journal, chained to the one before, and readers see what concerns them."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, connections

from brain import journal, scopes
from brain.errors import Busy
from brain.forget import forget, restore
from brain.holds import lift, place
from brain.journal import GENESIS, operations
from brain.lifecycle import decay, expire
from brain.models import Operation
from brain.reader import EVERYTHING, Reader
from brain.remember import remember_many
from brain.retire import end, retract
from brain.rewind import rewind
from brain.saying import Saying
from brain.selectors import Selector
from brain.turns import turn
from tests.brain.asking import FAR, FEB, JAN, MAR, PRICE, TIER, look, said, say

OP = {"actor": "op", "reason": "as asked"}


def test_every_write_is_one_operation_of_its_kind() -> None:
    fact = said("1")
    say("1")
    end(fact, at=FAR, **OP)
    forget(Selector(ids=(fact,)), reader=EVERYTHING, **OP)
    restore(fact, reader=EVERYTHING, **OP)
    retract(fact, **OP)
    rewind(1, reader=EVERYTHING, **OP)
    hold, _ = place(Selector(ids=(fact,)), reader=EVERYTHING, **OP)
    lift(hold.pk, reader=EVERYTHING, **OP)
    decay(actor="scheduler")
    expire(actor="scheduler")
    scopes.freeze("/", **OP)
    scopes.unfreeze("/", **OP)
    kinds = list(Operation.objects.order_by("id").values_list("kind", flat=True))
    assert kinds == [
        "remember",
        "affirm",
        "end",
        "forget",
        "restore",
        "retract",
        "rewind",
        "place_hold",
        "lift_hold",
        "decay",
        "expire",
        "freeze",
        "unfreeze",
    ]


def test_each_row_hashes_the_one_before() -> None:
    for value in "123":
        say(value)
    rows = list(Operation.objects.order_by("id"))
    assert [row.previous_hash for row in rows] == [GENESIS, rows[0].hash, rows[1].hash]
    assert len({row.hash for row in rows}) == 3


def test_the_journal_is_read_newest_first_and_narrowed() -> None:
    say("1", written_by="ann")
    say("2", FEB, written_by="bob")
    retract(said("3", MAR, written_by="ann"), **OP)
    found = {
        "all": operations(EVERYTHING),
        "kind": operations(EVERYTHING, kind="retract"),
        "actor": operations(EVERYTHING, actor="ann"),
        "later": operations(EVERYTHING, start=journal.now() + 1),
        "before": operations(EVERYTHING, end=journal.now() + 1),
    }
    assert {name: [row.pk for row in rows] for name, rows in found.items()} == {
        "all": [4, 3, 2, 1],
        "kind": [4],
        "actor": [3, 1],
        "later": [],
        "before": [4, 3, 2, 1],
    }


def test_a_reader_sees_the_operations_of_its_subtree() -> None:
    say("1", scope="/emea")
    say("2", scope="/apac")
    sayings = [Saying(TIER, PRICE, "3", "sheet", "ann", JAN, scope=scope) for scope in ("/emea/a", "/emea/b")]
    remember_many(sayings, actor="ann")
    remember_many([*sayings, Saying(TIER, PRICE, "4", "sheet", "ann", JAN, scope="/apac")], actor="ann")
    assert [row.pk for row in operations(Reader(scope="/emea"))] == [3, 1]
    assert [row.scope for row in operations(EVERYTHING)] == ["/", "/emea", "/apac", "/emea"]


def test_the_journal_ends_at_a_readers_pin() -> None:
    say("1")
    assert not operations(Reader(pin=JAN)).exists()
    assert operations(Reader(pin=FAR)).count() == 1


def test_an_affirmation_and_a_pass_touch_no_fact() -> None:
    fact = said("1")
    say("1")
    decay(actor="scheduler")
    expire(actor="scheduler")
    assert look(fact).operation == 1


def test_a_new_neighbour_does_not_touch_a_fact() -> None:
    fact = said("1", JAN)
    say("2", MAR)
    assert look(fact).operation == 1


def test_what_fails_inside_an_operation_leaves_no_row() -> None:
    with pytest.raises(RuntimeError), journal.operation("remember", actor="ann"):
        raise RuntimeError
    assert journal.last_id() == 0


@pytest.mark.django_db(transaction=True)
def test_a_turn_that_does_not_come_in_time_is_busy_and_stores_nothing() -> None:
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with turn():
            held.set()
            done.wait(30)
        connections.close_all()

    other = threading.Thread(target=hold)
    other.start()
    assert held.wait(30)
    with pytest.raises(Busy), turn(patience=0.2):
        pytest.fail("two writers at once")
    done.set()
    other.join()
    assert not connection.in_atomic_block
    assert say("1").outcome == "created"
