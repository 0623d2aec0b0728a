"""The agents' routes: receipts in every answer, deletes that wait for people, search, approvals, the feed."""

from __future__ import annotations

import json

import pytest

from brain import journal
from brain.models import AgentToken, Approval
from dashboard.api import waiting
from tests.agents.people import Person
from tests.api.callers import AUDIT, FEB, JAN, MAR, READ, ROOT, TIER, WRITE, Agent, agent

pytestmark = pytest.mark.usefixtures("_on_both")
UNTIL_DECIDED = pytest.mark.parametrize(("how", "state"), [("approve", "executed"), ("reject", "rejected")])


@pytest.fixture
def writer(_on_both: None) -> Agent:
    return agent("pricing-bot", READ, WRITE)


@pytest.fixture
def operator(_on_both: None) -> Agent:
    return agent("operator")


@pytest.fixture
def ann(_on_both: None) -> Person:
    return Person("ann", "operator")


def delete(by: Agent, fact: int | str, **more: object):
    return by.post("/tools/memory_delete", {"traceId": fact if isinstance(fact, str) else f"mt_{fact}", **more})


# -- receipts


def test_every_recall_and_search_names_its_receipt_in_answer_and_header(writer: Agent) -> None:
    fact = writer.say("$4,200", JAN)
    for answer in (
        writer.recall(),
        writer.recall("nobody"),
        writer.post("/recall", {"subjects": [TIER]}),
        writer.get("/search", q="renewal"),
    ):
        receipt = writer.get(f"/receipts/{answer['receipt']}")
        assert answer.headers["Recall-Receipt"] == answer["receipt"] == receipt["id"]
        assert receipt["agent"] == "pricing-bot"
        assert receipt["fact_ids"] in ([fact], [])
        assert (receipt["as_of"], receipt["known_at"]) == (answer["as_of"], answer["known_at"])


def test_an_answer_that_the_agent_has_already_leaves_a_receipt_too(writer: Agent) -> None:
    writer.say("$4,200", JAN)
    tag = writer.recall().headers["ETag"]
    again = writer.get("/recall", subject=TIER, headers={"If-None-Match": tag})
    assert again.status == 304
    assert writer.get(f"/receipts/{again.headers['Recall-Receipt']}")["fact_ids"] == [1]


def test_a_receipt_that_cannot_be_written_is_null(writer: Agent, monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    (tmp_path / "full").touch()
    monkeypatch.setenv("BRAIN_SPOOL_DIR", str(tmp_path / "full"))
    answer = writer.recall()
    assert (answer.status, answer["receipt"]) == (200, None)
    assert "Recall-Receipt" not in answer.headers


def test_a_person_leaves_no_receipt(ann: Person, writer: Agent) -> None:
    assert ann.get("/recall?subject=x")["receipt"] is None


def test_the_question_is_kept_as_it_was_asked(writer: Agent) -> None:
    receipt = writer.recall(as_of="2026-02-09", predicate="list_price")["receipt"]
    query = writer.get(f"/receipts/{receipt}")["query"]
    assert (query["kind"], query["subject"], query["predicate"]) == ("recall", TIER, "list_price")
    assert query["as_of"] == "2026-02-09T00:00:00.000Z"


def test_an_explained_receipt_tells_then_and_now_and_the_verdict(writer: Agent) -> None:
    writer.say("$4,200", JAN)
    receipt = writer.recall()["receipt"]
    said = writer.post(f"/receipts/{receipt}/answer", {"text": "It is $4,200."})
    assert (said.status, said["answer"]) == (200, "It is $4,200.")
    writer.say("$3,600", None)
    explained = writer.get(f"/receipts/{receipt}")
    fact = explained["facts"][0]
    assert (fact["fact"], fact["then"]["value"], fact["now"]["value"]) == (1, "$4,200", "$3,600")
    assert (explained["verdict"], explained["supported"]) == ("superseded", True)
    assert "pricing-bot was told $4,200, learned 12 Jan 2026 from pricing-sheet" in explained["explanation"]


def test_a_search_that_found_nothing_is_superseded_once_it_would(writer: Agent) -> None:
    receipt = writer.get("/search", q="renewal")["receipt"]
    assert writer.get(f"/receipts/{receipt}")["verdict"] == "no_record"
    writer.say("$4,200", None)
    explained = writer.get(f"/receipts/{receipt}")
    assert (explained["verdict"], [fact["value"] for fact in explained["found"]]) == ("superseded", ["$4,200"])


def test_an_answer_is_taken_once_and_from_its_agent(writer: Agent, operator: Agent) -> None:
    receipt = writer.recall()["receipt"]
    assert operator.post(f"/receipts/{receipt}/answer", {"text": "x"}).code == "not_found"
    assert writer.post(f"/receipts/{receipt}/answer", {"text": "x"}).status == 200
    assert writer.post(f"/receipts/{receipt}/answer", {"text": "x"}).code == "conflict"
    for bad in ({"text": ""}, {"text": None}, {}, {"text": "x", "more": 1}):
        assert writer.post(f"/receipts/{receipt}/answer", bad).code == "invalid"


def test_receipts_are_paged_newest_first_with_totals(writer: Agent) -> None:
    left = [writer.recall(f"s{n}")["receipt"] for n in range(5)]
    first = writer.get("/receipts", limit=2, count="true")
    assert first["total"] == 5
    seen = [item["id"] for item in first["items"]]
    cursor = first["next_cursor"]
    while cursor:
        page = writer.get("/receipts", limit=2, cursor=cursor)
        seen += [item["id"] for item in page["items"]]
        cursor = page["next_cursor"]
    assert sorted(seen) == sorted(left)
    assert writer.get("/receipts", agent="other", cursor=first["next_cursor"]).code == "invalid"


def test_others_receipts_take_audit(writer: Agent, operator: Agent) -> None:
    receipt = writer.recall()["receipt"]
    reader = agent("reader", READ)
    assert reader.get(f"/receipts/{receipt}").code == "not_found"
    assert reader.get("/receipts")["items"] == []
    assert [item["id"] for item in operator.get("/receipts", agent="pricing-bot")["items"]] == [receipt]


def test_a_pinned_agent_answers_and_finds_no_receipt_of_later_than_its_pin(operator: Agent) -> None:
    operator.say("$4,200", JAN), operator.say("$3,600", MAR)
    pinned = agent("historian", READ, as_of=FEB)
    receipt = pinned.recall()["receipt"]
    assert pinned.post(f"/receipts/{receipt}/answer", {"text": "It was $4,200."}).status == 200
    assert pinned.get(f"/receipts/{receipt}").code == "not_found"
    assert pinned.get("/receipts")["items"] == []
    explained = operator.get(f"/receipts/{receipt}")
    assert (explained["verdict"], explained["query"]["as_of"]) == ("holds", "2026-02-09T00:00:00.000Z")


def test_an_answer_repeated_with_its_key_is_stored_once(writer: Agent) -> None:
    receipt = writer.recall()["receipt"]
    answers = [writer.post(f"/receipts/{receipt}/answer", {"text": "x"}, key="once") for _ in range(2)]
    assert [answer.status for answer in answers] == [200, 200]


# -- memory_delete


@pytest.mark.parametrize(
    "trace",
    ["", " ", "mt_", "mt_x", "5", "mt_-1", "mt_1 ", " mt_1", "mt_1.0", "mt_" + "9" * 80, "mt_١", None, 5, ["mt_1"]],
)
def test_a_trace_that_is_none_is_invalid_even_in_a_frozen_scope(operator: Agent, trace: object) -> None:
    operator.post("/freeze", {"reason": "audit"})
    answer = operator.post("/tools/memory_delete", {"traceId": trace})
    assert (answer.status, answer.fields) == (422, {"traceId"})


@pytest.mark.parametrize(
    "more", [{"reason": ""}, {"reason": " "}, {"reason": 5}, {"expected_operation": "1"}, {"x": 1}]
)
def test_a_bad_field_is_invalid(operator: Agent, more: dict[str, object]) -> None:
    answer = delete(operator, 1, **more)
    assert (answer.status, answer.fields) == (422, set(more))


def test_delete_takes_a_grant_to_write(operator: Agent) -> None:
    fact = operator.say("$4,200")
    assert delete(agent("reader", READ, AUDIT), fact).code == "forbidden"


def test_nothing_to_delete_is_one_answer_to_the_byte(operator: Agent) -> None:
    emea = agent("emea", scope="/emea")
    elsewhere, gone = operator.say("$4,200", scope="/apac"), operator.say("$1", scope="/emea")
    assert delete(emea, gone)["deleted"] is True
    answers = [delete(emea, fact) for fact in (elsewhere, gone, 999, "mt_99999999999999999999", "mt_0")]
    assert {answer.content for answer in answers} == {b'{"deleted":false}'}
    assert {answer.status for answer in answers} == {200}


def test_the_codes_of_the_refusals(operator: Agent, writer: Agent) -> None:
    mine, theirs = writer.say("$4,200"), operator.say("$1", subject="other")
    assert delete(writer, theirs).code == "other_user"
    assert delete(writer, mine, expected_operation=99).code == "conflict"
    operator.post("/holds", {"selector": {"ids": [mine]}, "reason": "case"})
    assert (delete(writer, mine).status, delete(writer, mine).code) == (409, "held")
    operator.post("/freeze", {"reason": "audit"})
    assert (delete(writer, mine).status, delete(writer, mine).code) == (423, "frozen")
    assert not Approval.objects.exists()


def test_delete_direct_withholds_at_once_and_names_the_operation(operator: Agent) -> None:
    fact = operator.say("$4,200")
    done = delete(operator, fact, reason="Information is outdated.")
    assert (done.status, done["deleted"]) == (200, True)
    assert operator.get(f"/operations/{done['operation']}")["reason"] == "Information is outdated."
    assert operator.values() == []


@UNTIL_DECIDED
def test_a_delete_waits_for_a_person(writer: Agent, ann: Person, how: str, state: str) -> None:
    fact = writer.say("$4,200")
    pending = delete(writer, fact, reason="outdated")
    assert (pending.status, pending["status"]) == (202, "pending_approval")
    approval = pending["approval_id"]
    assert delete(writer, fact)["approval_id"] == approval
    assert writer.get(f"/approvals/{approval}")["state"] == "pending"
    assert ann.get(f"/approvals/{approval}")["reason"] == "outdated"
    decided = ann.decide(approval, how)
    assert (decided.status, decided["state"], decided["decided_by"]) == (200, state, "ann")
    assert writer.get(f"/approvals/{approval}")["state"] == state
    assert writer.values() == ([] if how == "approve" else ["$4,200"])
    again = delete(writer, fact)
    assert (again.json == {"deleted": False}) if how == "approve" else (again.code == "approval_rejected")
    assert ann.decide(approval, how).code == "already_decided"


def test_only_a_person_decides_and_not_on_what_a_token_of_theirs_asked(operator: Agent, ann: Person) -> None:
    hers = agent("anns-bot", READ, WRITE, owner=ann.user)
    approval = delete(hers, hers.say("$4,200"))["approval_id"]
    assert operator.post(f"/approvals/{approval}/approve", {"reason": "x"}).code == "forbidden"
    assert (ann.decide(approval).status, ann.decide(approval).code) == (403, "self_approval")
    assert Person("bob", "operator").decide(approval)["state"] == "executed"


@pytest.mark.parametrize("role", ["reader", "auditor", "pricing"])
def test_a_person_who_may_not_forget_does_not_decide(writer: Agent, role: str) -> None:
    approval = delete(writer, writer.say("$4,200"))["approval_id"]
    assert Person("bob", role).decide(approval).code == "forbidden"


def test_a_persons_own_delete_waits_for_another_person(ann: Person) -> None:
    pia = Person("pia", "pricing")
    fact = pia.post("/facts", {"subject": TIER, "predicate": "p", "value": "1", "source": "s"})["fact"]["id"]
    approval = pia.post("/tools/memory_delete", {"traceId": f"mt_{fact}"})["approval_id"]
    assert ann.decide(approval)["state"] == "executed"


def test_without_a_reason_nothing_is_decided(writer: Agent, ann: Person) -> None:
    approval = delete(writer, writer.say("$4,200"))["approval_id"]
    for how in ("approve", "reject"):
        assert ann.post(f"/approvals/{approval}/{how}", {}).fields == {"reason"}
    assert writer.get(f"/approvals/{approval}")["state"] == "pending"


def test_a_stale_approval_says_so_to_both(writer: Agent, operator: Agent, ann: Person) -> None:
    fact = writer.say("$4,200")
    approval = delete(writer, fact)["approval_id"]
    operator.post(f"/facts/{fact}/end", {"at": "2099-01-01", "reason": "x"})
    assert ann.decide(approval)["state"] == "stale"
    assert writer.get(f"/approvals/{approval}")["state"] == "stale"


def test_an_expired_approval_is_refused_by_its_code(writer: Agent, ann: Person) -> None:
    approval = delete(writer, writer.say("$4,200"))["approval_id"]
    Approval.objects.update(expires_at=journal.now())
    assert (ann.decide(approval).status, ann.decide(approval).code) == (403, "approval_expired")
    assert writer.get(f"/approvals/{approval}")["state"] == "expired"


def test_what_is_held_by_now_fails_and_says_why(writer: Agent, operator: Agent, ann: Person) -> None:
    fact = writer.say("$4,200")
    approval = delete(writer, fact)["approval_id"]
    operator.post("/holds", {"selector": {"ids": [fact]}, "reason": "case"})
    failed = ann.decide(approval)
    assert (failed.status, failed["state"], failed["detail"]) == (200, "failed", "held: the fact is on legal hold")


def test_the_journal_of_an_approved_delete_names_both(writer: Agent, operator: Agent, ann: Person) -> None:
    approval = delete(writer, writer.say("$4,200"), reason="outdated")["approval_id"]
    operation = operator.get(f"/operations/{ann.decide(approval)['operation']}")
    assert (operation["actor"], operation["kind"]) == ("ann", "forget")
    assert operation["reason"] == "outdated (asked for by pricing-bot; checked)"


def test_approvals_are_listed_for_auditors_and_each_asker(writer: Agent, operator: Agent) -> None:
    mine = delete(writer, writer.say("$4,200"))["approval_id"]
    other = agent("other", READ, WRITE)
    theirs = delete(other, other.say("1", subject="other"))["approval_id"]
    assert [item["id"] for item in writer.get("/approvals")["items"]] == [mine]
    assert [item["id"] for item in operator.get("/approvals", state="pending", limit=1)["items"]] == [theirs]
    assert operator.get("/approvals", count="true")["total"] == 2
    assert writer.get(f"/approvals/{theirs}").content == writer.get("/approvals/999").content
    assert agent("emea", AUDIT, scope="/emea").get("/approvals")["items"] == []


def test_waiting_ends_with_the_time(writer: Agent) -> None:
    approval = delete(writer, writer.say("$4,200"))["approval_id"]
    assert writer.get(f"/approvals/{approval}", wait=1)["state"] == "pending"
    assert writer.get(f"/approvals/{approval}", wait=31).fields == {"wait"}


def test_a_caller_gets_few_places_to_wait(writer: Agent) -> None:
    approval = delete(writer, writer.say("$4,200"))["approval_id"]
    caller = type("Caller", (), {"identity": _identity(writer)})()
    held = [waiting.take(caller) for _ in range(waiting.EACH)]
    answer = writer.get(f"/approvals/{approval}", wait=1)
    assert (answer.code, answer.headers["Retry-After"]) == ("rate_limited", "1")
    held.pop()()
    assert writer.get(f"/approvals/{approval}", wait=1).status == 200
    for give_back in held:
        give_back()
    assert not waiting._waiting


def _identity(who: Agent) -> str:
    return f"token:{AgentToken.objects.get(name=who.name).pk}"


# -- search


def test_search_answers_facts_with_scores_and_both_clocks(writer: Agent) -> None:
    writer.say("$4,200", JAN), writer.say("$3,600", MAR)
    for mode in ("text", "hybrid"):
        answer = writer.get("/search", q="Teir 2 renewal", mode=mode, as_of="2026-02-09")
        assert [hit["fact"]["value"] for hit in answer["items"]] == ["$4,200"]
        assert answer["as_of"] == "2026-02-09T00:00:00.000Z"
        assert answer["items"][0]["score"] > 0


@pytest.mark.parametrize(
    "query", [{}, {"q": ""}, {"q": "x", "mode": "exact"}, {"q": "x", "limit": "0"}, {"q": "x", "y": "1"}]
)
def test_a_bad_search_is_invalid(writer: Agent, query: dict[str, str]) -> None:
    assert writer.get("/search", **query).code == "invalid"


def test_a_search_outside_the_scope_is_forbidden_and_inside_finds_nothing_of_it(operator: Agent) -> None:
    operator.say("$4,200", scope="/apac")
    emea = agent("emea", READ, scope="/emea")
    assert emea.get("/search", q="renewal", scope="/apac").code == "forbidden"
    assert emea.get("/search", q="renewal")["items"] == []


# -- feed


def ids(answer) -> list[int]:
    return [item["id"] for item in answer["items"]]


def test_the_feed_hands_out_each_operation_once_in_order(operator: Agent) -> None:
    for n in range(7):
        operator.say(f"{n}", predicate=f"p{n}")
    operator.post("/rewind", {"to": "op:3", "reason": "undo"})
    seen, last = [], 0
    while page := ids(answer := operator.get("/feed", after=last, limit=3, wait=0)):
        seen += page
        last = answer["last"]
    assert seen == list(range(1, 9))
    assert operator.get("/feed", after=last, wait=0).json == {"items": [], "last": 8}


def test_an_entry_says_who_did_what_to_which_facts(operator: Agent, writer: Agent) -> None:
    fact = operator.say("$4,200", JAN, reason="new list")
    entry = operator.get("/feed", wait=0)["items"][0]
    assert (entry["kind"], entry["actor"], entry["reason"], entry["facts"]) == (
        "remember",
        "operator",
        "new list",
        [fact],
    )
    assert writer.get("/feed", wait=0)["items"][0]["reason"] == ""


def test_the_feed_of_a_scope_has_what_touched_it_and_nothing_of_the_rest(operator: Agent) -> None:
    operator.say("apac", scope="/apac", reason="secret of apac")
    inside = operator.say("emea", scope="/emea")
    words = {"subject": "s", "predicate": "p", "source": "x"}
    batch = [{**words, "value": "1", "scope": "/emea"}, {**words, "value": "2", "scope": "/apac"}]
    operator.post("/facts/batch", {"facts": batch, "reason": "both, secretly"})
    emea = agent("emea", READ, AUDIT, scope="/emea")
    answer = emea.get("/feed", wait=0)
    assert [(item["id"], item["facts"]) for item in answer["items"]] == [(2, [inside]), (3, [3])]
    assert (answer["items"][1]["counts"], answer["items"][1]["reason"]) == ({}, "")
    assert b"apac" not in answer.content
    assert answer["last"] == 3


def test_the_feed_ends_at_the_pin_and_does_not_wait_there(operator: Agent) -> None:
    operator.say("$4,200", JAN)
    pinned = agent("historian", READ, as_of=FEB)
    assert pinned.get("/feed").json == {"items": [], "last": 0}


def test_the_feed_waits_and_then_answers_empty(operator: Agent) -> None:
    assert operator.get("/feed", wait=1).json == {"items": [], "last": 0}


def test_the_feed_streams_events_and_resumes_after_the_last_one_seen(operator: Agent) -> None:
    for n in range(3):
        operator.say(f"{n}", predicate=f"p{n}")
    headers = {"Accept": "text/event-stream", "Last-Event-ID": "1"}
    answer = operator.get("/feed", wait=0, headers=headers)
    assert answer.headers["Content-Type"] == "text/event-stream"
    events = [part for part in answer.content.decode().split("\n\n") if part.startswith("id:")]
    assert [event.split("\n")[0] for event in events] == ["id: 2", "id: 3"]
    assert json.loads(events[0].split("data: ")[1])["facts"] == [2]
    bad = operator.get("/feed", wait=0, headers={"Accept": "text/event-stream", "Last-Event-ID": "x"})
    assert bad.fields == {"Last-Event-ID"}


def test_a_stream_gives_its_place_back_even_when_nobody_reads_it(operator: Agent) -> None:
    stream = operator.client.get(ROOT + "/feed?wait=0", headers={"Accept": "text/event-stream"})
    assert waiting._waiting.total() == 1
    stream.close()
    assert waiting._waiting.total() == 0
