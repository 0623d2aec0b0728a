"""A rewind of many rows is a job: done once and whole, as it was seen, or stopped with a reason and nothing changed."""

from __future__ import annotations

from contextlib import suppress

import pytest
from django.db import transaction

from brain import jobs, rewind_later, scopes
from brain.models import Job, Operation
from brain.reader import EVERYTHING
from brain.retire import end
from brain.rewind import Part, rewind
from brain.seen import mark, size
from tests.brain.asking import FAR, JAN, MAR, held, said, say

OP = {"actor": "olga", "reason": "bad afternoon", "reader": EVERYTHING}


class Died(Exception):
    """Ends what was going on before its commit."""


def later(to: int | None, **part: object) -> Job:
    """A job for what a preview shows now."""
    common = OP | {"part": Part(**part)}
    found = rewind(to, dry_run=True, **common)
    seen = {"seen": mark(found), "expected": size(found)}
    return rewind_later.start(to, seen=seen, rows=found.retracted + found.restored, took=0.5, **common)


def rewinds() -> int:
    return Operation.objects.filter(kind="rewind").count()


def test_it_waits_for_a_runner_and_is_done_as_asked() -> None:
    say("1", JAN)
    say("2", MAR)
    later(1)
    assert (held(), rewinds()) == ("2", 0)
    jobs.run_waiting()
    job, done = Job.objects.get(), Operation.objects.latest("pk")
    assert (held(), job.state, job.done, job.total, job.operation) == ("1", Job.DONE, 1, 1, done)
    assert (done.actor, done.reason, job.result) == (
        "olga",
        "bad afternoon",
        {"retracted": 1, "restored": 0, "kept_forgotten": 0},
    )


@pytest.mark.parametrize("part", [{"subject": "a"}, {"ids": (1, 2)}, {"written_by": "bob"}, {"actor": "bob"}])
def test_it_takes_the_part_that_was_seen(part: dict[str, object]) -> None:
    say("1", subject="a", written_by="bob")
    say("2", subject="a", predicate="discount", written_by="bob")
    say("3", subject="b", written_by="ann")
    later(0, **part)
    jobs.run_waiting()
    assert (held(subject="a"), held(subject="b"), Job.objects.get().state) == (None, "3", Job.DONE)


def test_operations_are_undone_later_too() -> None:
    say("1", JAN)
    say("2", MAR)
    later(None, operations=(2,))
    jobs.run_waiting()
    assert held() == "1"


def test_counts_that_moved_on_stop_it_and_change_nothing() -> None:
    say("1", JAN)
    later(0)
    say("2", MAR)
    jobs.run_waiting()
    job = Job.objects.get()
    assert (job.state, job.done, job.operation) == (Job.STOPPED, 0, None)
    assert "changed since you looked" in job.result["reason"]
    assert (held(), rewinds()) == ("2", 0)


def test_a_scope_that_was_frozen_meanwhile_stops_it() -> None:
    say("1", scope="/emea")
    later(0)
    scopes.freeze("/emea", actor="op", reason="audit")
    jobs.run_waiting()
    assert Job.objects.get().state == Job.STOPPED
    assert "/emea is frozen" in Job.objects.get().result["reason"]
    assert held(scope="/emea") == "1"


def test_a_touch_meanwhile_stops_an_undo() -> None:
    fact = said("1", JAN)
    later(None, operations=(1,))
    end(fact, at=FAR, actor="ann", reason="planned")
    jobs.run_waiting()
    assert (Job.objects.get().state, held()) == (Job.STOPPED, "1")
    assert str(fact) in Job.objects.get().result["reason"]


def test_what_stopped_is_not_tried_again() -> None:
    say("1", JAN)
    later(0)
    say("2", MAR)
    assert (jobs.run_waiting(), jobs.run_waiting()) == (1, 0)


def test_after_a_death_before_the_commit_it_is_done_once() -> None:
    say("1", JAN)
    later(0)
    with suppress(Died), transaction.atomic():
        jobs.run_waiting()
        raise Died
    assert (Job.objects.get().state, held(), rewinds()) == (Job.RUNNING, "1", 0)
    jobs.run_waiting()
    assert (Job.objects.get().state, held(), rewinds()) == (Job.DONE, None, 1)


def test_a_runner_that_comes_late_does_nothing() -> None:
    say("1", JAN)
    stale = later(0)
    jobs.run_waiting()
    before = Job.objects.values().get()
    jobs.run(stale)
    assert (Job.objects.values().get(), rewinds()) == (before, 1)


def test_what_was_asked_stands_in_the_job_until_its_end_only() -> None:
    say("1", subject="ZQX-7731")
    job = later(0, subject="ZQX-7731")
    assert "ZQX-7731" in str(job.request)
    jobs.run_waiting()
    assert Job.objects.get().request == {}
