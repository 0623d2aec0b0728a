"""Writing facts: outcomes, what the caller stands in for, and whose facts one may take back."""

from __future__ import annotations

import pytest

from tests.api.callers import APR, AS, CURATED, FEB, FORGET, JAN, MAR, READ, TIER, WRITE, Agent, agent

pytestmark = pytest.mark.usefixtures("database")  # on SQLite and on PostgreSQL


def test_a_new_fact_is_201_and_the_same_again_200(operator: Agent) -> None:
    first, again = operator.remember("$4,200"), operator.remember("$4,200")
    assert (first.status, first["outcome"]) == (201, "created")
    assert (again.status, again["outcome"]) == (200, "unchanged")
    assert again["fact"]["id"] == first["fact"]["id"]
    assert again["operation"] == first["operation"] + 1


def test_a_successor_names_what_it_follows(operator: Agent) -> None:
    first = operator.say("$4,200")
    second = operator.remember("$3,600", MAR)
    assert (second["outcome"], second["previous"]["id"]) == ("superseded", first)
    assert second["previous"]["superseded_by"] == second["fact"]["id"]


def test_instants_are_shown_as_rfc_3339_in_utc(operator: Agent) -> None:
    fact = operator.remember("$4,200", "2026-01-12T01:00:00+01:00")["fact"]
    assert fact["learned_at"] == "2026-01-12T00:00:00.000Z"
    assert operator.recall(as_of="2026-02-09")["as_of"] == "2026-02-09T00:00:00.000Z"


def test_the_writer_is_the_caller_unless_named(operator: Agent) -> None:
    assert operator.remember("$1")["fact"]["written_by"] == "operator"
    assert operator.remember("$2", MAR, written_by="pricing-team")["fact"]["written_by"] == "pricing-team"


def test_naming_another_writer_or_a_curated_source_takes_a_grant(db: None) -> None:
    writer = agent("writer", READ, WRITE)
    assert writer.remember("$1", written_by="pricing-team").code == "forbidden"
    assert writer.remember("$1", source_kind="document").code == "forbidden"
    assert writer.remember("$1", written_by="writer")["fact"]["source_kind"] == "turn"
    assert agent("editor", READ, WRITE, CURATED).remember("$2", MAR)["fact"]["source_kind"] == "upsert"
    assert agent("clerk", READ, WRITE, AS).remember("$3", APR, written_by="sheet").status == 201


def test_one_takes_back_ones_own_and_with_memory_forget_anybodys(operator: Agent) -> None:
    writer = agent("writer", READ, WRITE)
    own, others = writer.say("$1"), operator.say("$2", MAR, source_kind="turn")
    for verb, body in (("end", {"at": "2099-01-01", "reason": "x"}), ("retract", {"reason": "x"})):
        refused = writer.post(f"/facts/{others}/{verb}", body)
        assert (refused.status, refused.code) == (403, "forbidden")
        assert writer.post(f"/facts/{own}/{verb}", body).status == 200
    assert agent("janitor", FORGET).post(f"/facts/{others}/retract", {"reason": "x"})["outcome"] == "retracted"


def test_taking_back_twice_changes_nothing_the_second_time(operator: Agent) -> None:
    fact = operator.say("$1")
    first = operator.post(f"/facts/{fact}/retract", {"reason": "mistake"})
    second = operator.post(f"/facts/{fact}/retract", {"reason": "mistake"})
    assert (first["outcome"], second["outcome"]) == ("retracted", "unchanged")
    assert second["operation"] == first["operation"]
    assert operator.post(f"/facts/{fact}/end", {"at": "2099-01-01", "reason": "x"}).code == "conflict"


def test_an_end_must_be_named_even_to_lift_it(operator: Agent) -> None:
    fact = operator.say("$1", expires_at="2099-01-01")
    assert operator.post(f"/facts/{fact}/end", {"reason": "x"}).fields == {"at"}
    assert operator.post(f"/facts/{fact}/end", {"at": None, "reason": "x"})["fact"]["expires_at"] is None


def test_a_fact_keeps_its_id_through_an_end(operator: Agent) -> None:
    fact = operator.say("$1")
    assert operator.post(f"/facts/{fact}/end", {"at": "2026-06-01", "reason": "x"})["fact"]["id"] == fact
    assert operator.get(f"/facts/{fact}")["expires_at"] == "2026-06-01T00:00:00.000Z"


def test_expected_current_guards_against_a_lost_update(operator: Agent) -> None:
    first = operator.say("$4,200")
    assert operator.remember("$1", MAR, expected_current=None).code == "conflict"
    assert operator.remember("$3,600", MAR, expected_current=first).status == 201
    assert operator.remember("$1", APR, expected_current=first).code == "conflict"
    assert operator.values() == ["$3,600"]


def test_a_blocked_value_is_named_only_to_those_who_may_forget(operator: Agent) -> None:
    operator.say("$4,200")
    selector = {"selector": {"subject": TIER}, "reason": "x", "block_relearning": True}
    assert operator.post("/forget", selector).status == 200
    assert (operator.remember("$4,200").status, operator.remember("$4,200").code) == (409, "blocked_by_forget")
    writer = agent("writer", READ, WRITE)
    refused = writer.remember("$4,200")
    assert (refused.status, refused.code) == (403, "forbidden")
    batch = writer.post("/facts/batch", {"facts": [_saying("$4,200")]})
    assert b"blocked" not in batch.content


def test_a_frozen_scope_takes_no_writes(operator: Agent) -> None:
    fact = operator.say("$1", scope="/emea")
    assert operator.post("/freeze", {"scope": "/emea", "reason": "audit"}).status == 200
    for refused in (
        operator.remember("$2", MAR, scope="/emea/pricing"),
        operator.post(f"/facts/{fact}/retract", {"reason": "x"}),
        operator.post("/facts/batch", {"facts": [{**_saying("$2"), "scope": "/emea"}]}),
    ):
        assert (refused.status, refused.code) == (423, "frozen"), refused.content
    assert operator.post("/unfreeze", {"scope": "/emea", "reason": "done"}).status == 200
    assert operator.remember("$2", MAR, scope="/emea").status == 201


def test_a_tombstoned_scope_is_a_conflict(operator: Agent) -> None:
    operator.say("$1", scope="/emea")
    assert operator.delete("/scopes?scope=/emea").status == 200
    assert operator.remember("$2", MAR, scope="/emea/x").code == "conflict"
    assert operator.values(scope="/emea") == ["$1"]


def test_look_alike_subjects_are_told_apart_and_named(operator: Agent) -> None:
    operator.say("$4,200")
    assert operator.remember("$1", subject="tier 2 Renewal")["similar"] == [TIER]
    assert operator.recall("TIER 2 RENEWAL")["similar"] == [TIER, "tier 2 Renewal"]


# -- many at once


def _saying(value: str, learned_at: object = JAN, **more: object) -> dict:
    return {"subject": TIER, "predicate": "list_price", "value": value, "source": "s", "learned_at": learned_at, **more}


def test_a_batch_is_one_operation_and_answers_in_the_order_sent(operator: Agent) -> None:
    answer = operator.post("/facts/batch", {"facts": [_saying("b", FEB), _saying("a"), _saying("a")]})
    assert [item["outcome"] for item in answer["outcomes"]] == ["created", "backfilled", "unchanged"]
    assert operator.get("/operations")["items"][0]["id"] == answer["operation"]
    assert operator.get("/history", subject=TIER, count="true")["total"] == 2


def test_a_batch_is_stored_whole_or_not_at_all(operator: Agent) -> None:
    bad = {"facts": [_saying("a"), _saying(" "), {**_saying("c"), "colour": "red"}, _saying("d", 1788000000)]}
    refused = operator.post("/facts/batch", bad)
    assert (refused.status, refused.code) == (422, "invalid")
    assert refused.fields == {"facts.1.value", "facts.2.colour", "facts.3.learned_at"}
    assert operator.values() == []


def test_a_batch_that_need_not_be_whole_names_what_it_refused(operator: Agent) -> None:
    answer = operator.post("/facts/batch", {"facts": [_saying("a"), _saying(" "), _saying("c", MAR)], "atomic": False})
    assert [item.get("outcome") for item in answer["outcomes"]] == ["created", None, "superseded"]
    assert answer["outcomes"][1]["error"]["errors"] == [{"field": "value", "message": "must not be empty"}]
    assert operator.values() == ["c"]


def test_a_dry_run_stores_nothing(operator: Agent) -> None:
    answer = operator.post("/facts/batch", {"facts": [_saying("a")], "dry_run": True})
    assert (answer["operation"], answer["outcomes"][0]["outcome"]) == (None, "created")
    assert operator.get("/operations")["items"] == []


def test_a_batch_may_not_do_what_one_write_may_not(db: None) -> None:
    writer = agent("writer", READ, WRITE, scope="/emea")
    for more in ({"written_by": "boss"}, {"source_kind": "upsert"}, {"scope": "/apac"}):
        assert writer.post("/facts/batch", {"facts": [_saying("a"), _saying("b", MAR, **more)]}).code == "forbidden"
    loose = writer.post("/facts/batch", {"facts": [_saying("a"), _saying("b", written_by="boss")], "atomic": False})
    assert [item.get("error", {}).get("code") for item in loose["outcomes"]] == [None, "forbidden"]


def test_a_batch_holds_a_thousand_at_most(operator: Agent) -> None:
    assert operator.post("/facts/batch", {"facts": []}).fields == {"facts"}
    assert operator.post("/facts/batch", {"facts": [_saying("a")] * 1001}).fields == {"facts"}


# -- in which order a write is refused


def test_bad_input_is_named_before_what_the_caller_may_not_do(operator: Agent) -> None:
    writer = agent("writer", READ, WRITE)
    fact = operator.say("$1")
    assert writer.remember(" ", written_by="boss").fields == {"value"}
    assert writer.remember("$1", None, written_by="boss", expires_at="2026-01-01").fields == {"expires_at"}
    assert writer.post(f"/facts/{fact}/end", {"at": "2025-01-01", "reason": "x"}).fields == {"at"}
    assert writer.post("/facts/batch", {"facts": [_saying("a", written_by="boss"), _saying(" ")]}).fields == {
        "facts.1.value"
    }


def test_what_the_caller_may_not_do_is_named_before_a_freeze(operator: Agent) -> None:
    writer = agent("writer", READ, WRITE, "memory:manage")
    fact = operator.say("$1")
    claim = writer.say("$2", MAR)
    operator.post("/freeze", {"reason": "audit"})
    assert writer.remember("$1", written_by="boss").code == "forbidden"
    assert writer.post(f"/facts/{fact}/retract", {"reason": "x"}).code == "forbidden"
    assert writer.post(f"/claims/{claim}/accept", {"reason": "x"}).code == "self_approval"
    assert operator.post(f"/claims/{claim}/accept", {"reason": "x"}).code == "frozen"


def test_a_freeze_is_named_before_a_block_and_a_block_before_a_conflict(operator: Agent) -> None:
    fact = operator.say("$4,200")
    operator.post("/forget", {"selector": {"ids": [fact]}, "reason": "x", "block_relearning": True})
    blocked = {"expected_current": 999}
    assert operator.remember("$4,200", **blocked).code == "blocked_by_forget"
    assert operator.remember("$1", **blocked).code == "conflict"
    operator.post("/freeze", {"reason": "audit"})
    assert operator.remember("$4,200", **blocked).code == "frozen"
