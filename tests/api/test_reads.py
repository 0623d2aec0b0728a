"""The reads: what holds at (T, K), each key's history, what differs, when things changed, what was done."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.api.callers import APR, AUDIT, FEB, JAN, MAR, READ, TIER, WRITE, Agent, agent

pytestmark = pytest.mark.usefixtures("database")  # on SQLite and on PostgreSQL


@pytest.fixture
def story(operator: Agent) -> Agent:
    """$4,200 from 12 January, $3,600 from 3 March."""
    operator.say("$4,200", JAN)
    operator.say("$3,600", MAR)
    return operator


def test_a_recall_names_what_was_asked_and_when(story: Agent) -> None:
    answer = story.recall(as_of="2026-02-09", known_at="op:2")
    assert (answer["subject"], answer["scope"], answer["as_of"]) == (TIER, "/", "2026-02-09T00:00:00.000Z")
    assert [fact["value"] for fact in answer["facts"]] == ["$4,200"]
    assert (answer["claims"], answer["history_complete"], answer["forgotten_before"]) == ([], True, None)


def test_a_recall_at_an_earlier_operation_sees_what_was_told_by_then(story: Agent) -> None:
    assert story.values(known_at="op:0") == []
    assert story.values(known_at="op:1") == ["$4,200"]
    assert story.values(known_at="op:2") == ["$3,600"]


def test_what_a_recall_says_it_was_known_at_asks_for_the_same_again(story: Agent) -> None:
    first = story.recall()
    story.say("$1", APR)
    again = story.recall(as_of=first["as_of"], known_at=first["known_at"])
    assert (again["facts"], again["known_at"]) == (first["facts"], first["known_at"])


def test_no_record_is_an_empty_answer(operator: Agent) -> None:
    answer = operator.recall("nothing of the kind")
    assert (answer.status, answer["facts"], answer["history_complete"]) == (200, [], True)


def test_a_recall_does_not_look_below_its_scope_unless_told_to(operator: Agent) -> None:
    operator.say("global")
    operator.say("european", scope="/emea")
    assert operator.values() == ["global"]
    assert operator.values(scope="/emea") == ["european"]
    both = operator.recall(recursive="true")["facts"]
    assert [(fact["scope"], fact["value"]) for fact in both] == [("/", "global"), ("/emea", "european")]


def test_many_subjects_are_recalled_at_once_in_the_order_asked(story: Agent) -> None:
    story.say("x", subject="other")
    answer = story.post("/recall", {"subjects": ["other", TIER, "never known"], "as_of": "2026-02-09"})
    assert list(answer["results"]) == ["other", TIER, "never known"]
    assert [[fact["value"] for fact in facts] for facts in answer["results"].values()] == [["x"], ["$4,200"], []]


def test_an_answer_says_which_history_was_erased(story: Agent) -> None:
    story.post("/forget", {"superseded_before": "2026-05-29", "reason": "retention"})
    answer = story.recall(as_of="2026-02-09")
    assert (answer["facts"], answer["history_complete"]) == ([], False)
    assert answer["forgotten_before"] == "2026-03-03T00:00:00.000Z"
    many = story.post("/recall", {"subjects": [TIER], "as_of": "2026-02-09"})
    assert many["incomplete"] == {TIER: "2026-03-03T00:00:00.000Z"}
    assert story.get("/timeline")["erased"] == [{"from": "2026-01-12T00:00:00.000Z", "to": "2026-03-03T00:00:00.000Z"}]


def test_facts_are_listed_by_status(story: Agent) -> None:
    story.say("$3,900", "2099-01-01")
    listed = {
        status: [item["value"] for item in story.get("/facts", status=status)["items"]]
        for status in ("current", "superseded", "scheduled", "retracted")
    }
    assert listed == {"current": ["$3,600"], "superseded": ["$4,200"], "scheduled": ["$3,900"], "retracted": []}


def test_facts_are_filtered_case_folded(story: Agent) -> None:
    story.say("Straße 5", subject="Office", predicate="Address", source="HR", written_by="Ada")
    for query in (
        {"subject": "OFFICE"},
        {"predicate": "address"},
        {"value": "STRASSE"},
        {"source": "hr"},
        {"written_by": "ADA"},
        {"q": "raSSe"},
        {"q": "offi"},
        {"q": "ada"},
    ):
        assert [item["subject"] for item in story.get("/facts", **query)["items"]] == ["Office"], query


def test_a_retracted_fact_is_read_by_its_id_and_says_so(story: Agent) -> None:
    fact = story.recall()["facts"][0]["id"]
    story.post(f"/facts/{fact}/retract", {"reason": "mistake"})
    assert story.get(f"/facts/{fact}")["status"] == "retracted"
    assert story.get(f"/facts/{fact}", known_at="op:2")["status"] == "current"
    assert story.values() == ["$4,200"]


def test_a_chain_shows_every_saying_and_what_touched_it(story: Agent) -> None:
    fact = story.recall()["facts"][0]["id"]
    story.post(f"/facts/{fact}/end", {"at": "2026-06-01", "reason": "withdrawn"})
    items = story.get(f"/facts/{fact}/chain")["items"]
    assert [(item["value"], item["status"]) for item in items] == [
        ("$4,200", "superseded"),
        ("$3,600", "retracted"),
        ("$3,600", "expired"),
    ]
    assert [[touch["kind"] for touch in item["operations"]] for item in items] == [
        ["remember"],
        ["remember", "end"],
        ["end"],
    ]


def test_a_history_has_a_row_a_saying_with_who_and_why(operator: Agent) -> None:
    operator.say("$4,200", JAN, reason="the sheet of January")
    operator.say("$36", MAR)
    operator.post("/facts/2/retract", {"reason": "mistake"})
    items = operator.get("/history", subject=TIER, predicate="list_price")["items"]
    assert [(item["value"], item["actor"], item["reason"]) for item in items] == [
        ("$4,200", "operator", "the sheet of January"),
        ("$36", "operator", ""),
    ]
    assert items[1]["retracted_at"] is not None


def test_a_diff_names_what_was_added_changed_and_removed(story: Agent) -> None:
    story.say("new", FEB, subject="b")
    story.say("gone", JAN, subject="c", expires_at="2026-02-20")
    answer = story.get("/diff", from_="2026-02-01", to="2026-03-10", count="true")
    assert [(item["subject"], item["change"]) for item in answer["items"]] == [
        (TIER, "changed"),
        ("b", "added"),
        ("c", "removed"),
    ]
    changed = answer["items"][0]
    assert (changed["before"]["value"], changed["after"]["value"]) == ("$4,200", "$3,600")
    assert answer["counts"] == {"added": 1, "changed": 1, "removed": 1}


def test_a_diff_of_the_second_clock_shows_a_backdated_write(story: Agent) -> None:
    story.say("$4,000", FEB)
    answer = story.get("/diff", from_="2026-02-20", to="2026-02-20", known_from="op:2", known_to="op:3")
    assert [(item["before"]["value"], item["after"]["value"]) for item in answer["items"]] == [("$4,200", "$4,000")]


def test_a_timeline_counts_what_began_and_ended(story: Agent) -> None:
    answer = story.get("/timeline", from_="2026-01-01", to="2026-05-01", buckets=4)
    assert [bucket["learned"] for bucket in answer["buckets"]] == [1, 0, 1, 0]
    assert [bucket["ended"] for bucket in answer["buckets"]] == [0, 0, 1, 0]
    assert (answer["first"], answer["buckets"][0]["from"]) == ("2026-01-12T00:00:00.000Z", "2026-01-01T00:00:00.000Z")


def test_the_journal_is_read_newest_first_and_filtered(story: Agent) -> None:
    story.post("/facts/1/retract", {"reason": "mistake"})
    assert [item["kind"] for item in story.get("/operations")["items"]] == ["retract", "remember", "remember"]
    retracted = story.get("/operations", kind="retract")["items"]
    assert [(item["actor"], item["reason"], item["counts"]) for item in retracted] == [
        ("operator", "mistake", {"retracted": 1})
    ]
    assert story.get(f"/operations/{retracted[0]['id']}").json == retracted[0]
    assert story.get("/operations", actor="nobody")["items"] == []


def test_forgotten_facts_exist_for_auditors_only(story: Agent) -> None:
    fact = story.recall()["facts"][0]["id"]
    story.post("/forget", {"selector": {"ids": [fact]}, "reason": "x"})
    reader, auditor = agent("reader", READ), agent("auditor", READ, AUDIT)
    assert reader.get(f"/facts/{fact}").code == "not_found"
    assert [item["value"] for item in reader.get("/history")["items"]] == ["$4,200"]
    assert auditor.get(f"/facts/{fact}")["status"] == "forgotten"
    assert [item["value"] for item in auditor.get("/facts", status="forgotten")["items"]] == ["$3,600"]
    assert reader.get("/facts", status="forgotten")["items"] == []


def test_claims_wait_for_somebody_who_is_not_their_writer(operator: Agent) -> None:
    operator.say("30 days", predicate="refund", source_kind="document")
    writer = agent("chat", READ, WRITE, "memory:manage")
    claim = writer.remember("60 days", MAR, predicate="refund")
    assert claim["outcome"] == "contested"
    number = claim["fact"]["id"]
    assert [item["id"] for item in operator.get("/claims")["items"]] == [number]
    assert [item["contested"] for item in operator.recall()["facts"]] == [True]
    assert writer.post(f"/claims/{number}/accept", {"reason": "sure"}).code == "self_approval"
    assert operator.post(f"/claims/{number}/accept", {"reason": "policy"})["outcome"] == "accepted"
    assert operator.values() == ["60 days"]
    assert operator.post(f"/claims/{number}/reject", {"reason": "late"}).code == "conflict"


# -- export


def test_an_export_is_verbatim_and_agrees_with_the_list(story: Agent) -> None:
    story.say('=SUM(A1) "quoted", two\nlines', subject="formula")
    listed = story.get("/facts")["items"]
    lines = story.get("/export", format="ndjson").content.decode().splitlines()
    assert [json.loads(line) for line in lines] == listed
    rows = list(csv.DictReader(io.StringIO(story.get("/export", format="csv").content.decode(), newline="")))
    assert [row["value"] for row in rows] == [item["value"] for item in listed]
    assert [int(row["id"]) for row in rows] == [item["id"] for item in listed]


def test_an_export_takes_the_filters_of_the_list(story: Agent) -> None:
    text = story.get("/export", status="superseded", as_of="2026-08-01").content.decode()
    assert "$4,200" in text
    assert "$3,600" not in text
