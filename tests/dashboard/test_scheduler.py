"""The scheduler does what is due, once, and catches up what was missed."""

from __future__ import annotations

import pytest

from brain import journal
from brain.journal import operation
from brain.models import Operation
from brain.remember import remember_many
from brain.saying import Saying
from brain.time import DAY
from dashboard import scheduler

pytestmark = pytest.mark.django_db

CHORES = {"expire": (scheduler.expire, DAY // 24), "decay": (scheduler.decay, DAY)}


def first_told(ago: int) -> None:
    remember_many([Saying("A", "p", "1", "s", "ann")], actor="ann", at=journal.now() - ago)


def passes(kind: str) -> int:
    return Operation.objects.filter(kind=kind, actor="scheduler").count()


@pytest.mark.parametrize("kind", CHORES)
def test_an_empty_brain_has_no_passes(kind: str) -> None:
    CHORES[kind][0]()
    assert passes(kind) == 0


@pytest.mark.parametrize("kind", CHORES)
def test_the_first_pass_waits_an_interval_and_the_next_one_too(kind: str) -> None:
    chore, interval = CHORES[kind]
    first_told(interval + 1000)
    chore()
    chore()
    assert passes(kind) == 1


@pytest.mark.parametrize("kind", CHORES)
def test_a_young_brain_waits(kind: str) -> None:
    chore, interval = CHORES[kind]
    first_told(interval // 2)
    chore()
    assert passes(kind) == 0


def test_days_that_were_missed_are_made_up_for() -> None:
    first_told(4 * DAY)
    with operation("decay", actor="cron", at=journal.now() - 3 * DAY - 1000):
        pass
    scheduler.decay()
    assert passes("decay") == 3


def test_hours_that_were_missed_are_one_pass() -> None:
    first_told(4 * DAY)
    with operation("expire", actor="cron", at=journal.now() - 3 * DAY):
        pass
    scheduler.expire()
    assert passes("expire") == 1
