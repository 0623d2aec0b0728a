"""A token may ask so often a second, and no oftener; others are not held up by it."""

from __future__ import annotations

from brain import tokens
from dashboard.api.limits import Bucket
from tests.api.callers import READ, Agent, agent


def test_a_bucket_holds_a_seconds_worth_and_refills() -> None:
    bucket = Bucket(2.0, stamp=0.0)
    assert [bucket.wait(2, 0.0) for _ in range(2)] == [0, 0]
    assert bucket.wait(2, 0.0) == 0.5
    assert bucket.wait(2, 0.5) == 0
    assert bucket.wait(2, 0.5) > 0
    assert [bucket.wait(2, 100.0) > 0 for _ in range(3)] == [False, False, True]


def test_who_asks_too_often_is_told_when_to_come_back(operator: Agent) -> None:
    hasty = Agent(tokens.issue("hasty", grants=[READ], rate=1)[1])
    answers = [hasty.get("/me") for _ in range(3)]
    assert answers[0].status == 200
    refused = answers[-1]
    assert (refused.status, refused.code) == (429, "rate_limited")
    assert int(refused.headers["Retry-After"]) >= 1
    assert operator.get("/me").status == 200


def test_a_rate_of_nought_is_no_limit(db: None) -> None:
    free = agent("free", READ)
    assert {free.get("/me").status for _ in range(300)} == {200}
