"""Long work and how far it is, for who may forget or manage."""

from __future__ import annotations

import pytest

from brain import jobs, rewind_later
from brain.reader import EVERYTHING
from brain.rewind import Part, rewind
from brain.seen import mark, size
from tests.api.callers import FORGET, JAN, READ, Agent, agent


@pytest.fixture
def waiting(operator: Agent) -> int:
    """A rewind that waits to be carried out."""
    operator.say("1", JAN)
    common = {"actor": "olga", "reason": "mistake", "reader": EVERYTHING, "part": Part()}
    found = rewind(0, dry_run=True, **common)
    seen = {"seen": mark(found), "expected": size(found)}
    return rewind_later.start(0, seen=seen, rows=1, took=0.1, **common).pk


def test_a_rewind_that_waits_is_listed_like_other_long_work(operator: Agent, waiting: int) -> None:
    job = operator.get(f"/jobs/{waiting}").json
    assert operator.get("/jobs")["items"] == [job]
    shown = {name: job[name] for name in ("kind", "state", "actor", "scope", "total", "done", "result", "operation")}
    assert shown == {
        "kind": "rewind",
        "state": "running",
        "actor": "olga",
        "scope": "/",
        "total": 1,
        "done": 0,
        "result": {},
        "operation": None,
    }


def test_a_finished_rewind_names_its_operation_and_counts(operator: Agent, waiting: int) -> None:
    jobs.run_waiting()
    job = operator.get(f"/jobs/{waiting}").json
    assert (job["state"], job["done"], job["operation"]) == ("done", 1, 2)
    assert job["result"] == {"retracted": 1, "restored": 0, "kept_forgotten": 0}


def test_a_stopped_rewind_says_why(operator: Agent, waiting: int) -> None:
    operator.say("2", JAN + 1)
    jobs.run_waiting()
    job = operator.get(f"/jobs/{waiting}").json
    assert (job["state"], job["operation"]) == ("stopped", None)
    assert "changed since you looked" in job["result"]["reason"]


def test_long_work_is_not_for_everybody(waiting: int) -> None:
    assert agent("reader", READ).get("/jobs").code == "forbidden"
    assert agent("forgetter", FORGET).get(f"/jobs/{waiting}").status == 200
    assert agent("elsewhere", FORGET, scope="/emea").get(f"/jobs/{waiting}").status == 404
