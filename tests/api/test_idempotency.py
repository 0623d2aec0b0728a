"""A write that names an Idempotency-Key happens once, whoever repeats it and whatever happens meanwhile."""

from __future__ import annotations

import pytest

from brain.models import IdempotentAnswer
from tests.api.callers import FORGET, MAR, READ, TIER, WRITE, Agent, agent

pytestmark = pytest.mark.usefixtures("database")  # on SQLite and on PostgreSQL

SAYING = {"subject": TIER, "predicate": "list_price", "value": "$4,200", "source": "s"}
KEY = "a-key-of-mine"


def test_a_repeated_write_gets_the_first_answer_and_writes_nothing(operator: Agent) -> None:
    first = operator.post("/facts", SAYING, key=KEY)
    again = operator.post("/facts", SAYING, key=KEY)
    assert (again.status, again.content) == (201, first.content)
    assert len(operator.get("/operations")["items"]) == 1


def test_another_body_under_the_same_key_is_a_mismatch_whatever_it_says(operator: Agent) -> None:
    operator.post("/facts", SAYING, key=KEY)
    for body in (SAYING | {"value": "$1"}, {"nonsense": True}):
        refused = operator.post("/facts", body, key=KEY)
        assert (refused.status, refused.code) == (409, "idempotency_mismatch")
    assert operator.send("POST", "/facts", b"{", headers={"Idempotency-Key": KEY}).code == "idempotency_mismatch"


def test_a_key_is_bound_to_the_caller_and_the_path(operator: Agent) -> None:
    fact = operator.post("/facts", SAYING, key=KEY)["fact"]["id"]
    other = agent("other", READ, WRITE)
    assert other.post("/facts", SAYING | {"value": "$1"}, key=KEY).status == 201
    assert operator.post(f"/facts/{fact}/retract", {"reason": "x"}, key=KEY)["outcome"] == "retracted"


def test_a_refusal_is_not_kept(operator: Agent) -> None:
    assert operator.post("/facts", SAYING | {"value": " "}, key=KEY).status == 422
    assert operator.post("/facts", SAYING, key=KEY).status == 201


def test_a_refusal_under_a_key_leaves_nothing_behind(operator: Agent) -> None:
    operator.say("$4,200")
    refused = operator.post("/facts", SAYING | {"expected_current": None}, key=KEY)
    assert refused.code == "conflict"
    assert len(operator.get("/operations")["items"]) == 1
    assert operator.remember("$3,600", MAR).status == 201


def test_a_key_is_forgotten_after_a_day(operator: Agent) -> None:
    operator.post("/facts", SAYING, key=KEY)
    IdempotentAnswer.objects.update(at=IdempotentAnswer.objects.get().at - 86_400_000)
    assert operator.post("/facts", SAYING | {"value": "$1"}, key=KEY).status == 201
    assert IdempotentAnswer.objects.count() == 1


@pytest.mark.parametrize("key", ["", " ", "x" * 256, "a\tb", "ключ"])
def test_a_key_that_is_none_is_refused_by_its_name(operator: Agent, key: str) -> None:
    refused = operator.post("/facts", SAYING, key=key)
    assert (refused.status, refused.fields) == (422, {"Idempotency-Key"})


def test_a_read_by_post_needs_no_key_and_keeps_none(operator: Agent) -> None:
    assert operator.post("/recall", {"subjects": [TIER]}, key=KEY).status == 200
    assert not IdempotentAnswer.objects.exists()


def test_the_answer_of_a_new_token_is_kept_without_it(operator: Agent) -> None:
    body = {"name": "brief", "grants": [READ]}
    first, again = operator.post("/tokens", body, key=KEY), operator.post("/tokens", body, key=KEY)
    assert first["token"]
    assert (again.status, again["token"], again["name"]) == (201, None, "brief")
    assert first["token"] not in str(list(IdempotentAnswer.objects.values()))


def test_a_preview_is_kept_nowhere(operator: Agent) -> None:
    operator.say("$4,200")
    body = {"selector": {"subject": TIER}, "reason": "x", "dry_run": True}
    assert operator.post("/forget", body, key=KEY)["matched"] == 1
    assert not IdempotentAnswer.objects.exists()


def test_a_purge_erases_what_was_kept_and_the_write_is_not_done_again(operator: Agent) -> None:
    operator.post("/facts", SAYING | {"value": "ZQX-PURGE-7731"}, key=KEY)
    operator.post("/forget", {"selector": {"subject": TIER}, "purge": True, "reason": "x"}, key="another")
    assert "ZQX-PURGE-7731" not in str(list(IdempotentAnswer.objects.values()))
    assert operator.post("/facts", SAYING | {"value": "ZQX-PURGE-7731"}, key=KEY).code == "conflict"
    assert operator.values() == []


def test_a_key_does_not_outlive_its_token(operator: Agent) -> None:
    writer = agent("writer", READ, WRITE, FORGET)
    writer.post("/facts", SAYING, key=KEY)
    operator.delete("/tokens/writer")
    assert writer.post("/facts", SAYING, key=KEY).status == 401
