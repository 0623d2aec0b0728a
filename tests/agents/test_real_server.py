"""What agents were promised holds however often the server is killed: receipts of answers, approvals that wait."""

from __future__ import annotations

import http.client
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connections

from brain import approvals, draining, receipts, tokens
from brain.approvals import AlreadyDecided, Asker
from brain.models import Approval, Receipt
from brain.reader import EVERYTHING
from tests.agents.serving import Server, server
from tests.agents.story import say

CLIENTS = 16
RECALLS = 10_000 if os.environ.get("CI") else 1_000
pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.django_db(transaction=True)]


@pytest.fixture
def running() -> Iterator[Server]:
    with server() as started:
        yield started


def get(running: Server, path: str, token: str, body: object = None) -> dict[str, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=30)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    raw = None if body is None else json.dumps(body)
    connection.request("GET" if body is None else "POST", f"/api/v1{path}", raw, headers)
    return json.loads(connection.getresponse().read())


def test_a_receipt_reaches_the_database_by_itself(running: Server) -> None:
    token = tokens.issue("bot", grants=["memory:read"], rate=0)[1]
    promised = get(running, "/recall?subject=x", token)["receipt"]
    deadline = time.monotonic() + 20
    while not Receipt.objects.filter(pk=promised).exists():
        assert time.monotonic() < deadline
    assert Receipt.objects.get(pk=promised).agent == "bot"


def test_an_approval_outlives_the_server_that_it_was_asked_of(running: Server) -> None:
    token = tokens.issue("bot", grants=["memory:read", "memory:write"], rate=0)[1]
    saying = {"subject": "s", "predicate": "p", "value": "v", "source": "x"}
    fact = get(running, "/facts", token, saying)["fact"]["id"]
    asked = get(running, "/tools/memory_delete", token, {"traceId": f"mt_{fact}"})
    running.kill()
    running.start()
    assert get(running, f"/approvals/{asked['approval_id']}", token)["state"] == "pending"
    assert get(running, "/tools/memory_delete", token, {"traceId": f"mt_{fact}"}) == asked
    decider = threading.Timer(0.5, _decide, [asked["approval_id"]])
    decider.start()
    assert get(running, f"/approvals/{asked['approval_id']}?wait=30", token)["state"] == "executed"
    decider.join()


def _decide(approval: int) -> None:
    approvals.approve(approval, by="ann", reason="right", reader=EVERYTHING)
    connections.close_all()


def test_of_two_reviewers_at_once_one_decides(database: str) -> None:
    fact = say("$4,200")
    asked = approvals.delete(fact.pk, asker=Asker("pricing-team", frozenset({"memory:write"}))).approval
    start, outcomes = threading.Barrier(2), []

    def decide(verb: Callable[..., Approval], by: str) -> None:
        start.wait()
        try:
            outcomes.append(verb(asked.pk, by=by, reason="x", reader=EVERYTHING).decided_by)
        except AlreadyDecided:
            outcomes.append("too late")
        connections.close_all()

    pairs = ((approvals.approve, "ann"), (approvals.reject, "bob"))
    reviewers = [threading.Thread(target=decide, args=pair) for pair in pairs]
    for reviewer in reviewers:
        reviewer.start()
    for reviewer in reviewers:
        reviewer.join()
    assert sorted(outcomes) in (["ann", "too late"], ["bob", "too late"])
    assert approvals.approval(asked.pk, EVERYTHING).decided_by in outcomes


class Crowd:
    """Clients that recall until together they got so many answers; what they were promised is in `promised`."""

    def __init__(self, port: int, token: str) -> None:
        self.port, self.headers = port, {"Authorization": f"Bearer {token}"}
        self.promised: list[str] = []
        self.threads = [threading.Thread(target=self._recall, daemon=True) for _ in range(CLIENTS)]
        self.reached = {share: threading.Event() for share in (RECALLS // 3, 2 * RECALLS // 3, RECALLS)}

    def _recall(self) -> None:
        connection = None
        while len(self.promised) < RECALLS:
            try:
                connection = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
                connection.request("GET", "/api/v1/recall?subject=Tier%202%20renewal", headers=self.headers)
                answer = connection.getresponse()
                document = json.loads(answer.read())
            except (OSError, http.client.HTTPException, ValueError):
                connection = None
                continue
            assert answer.status == 200, document
            self._note(document["receipt"])

    def _note(self, receipt: str) -> None:
        self.promised.append(receipt)
        for share, event in self.reached.items():
            if len(self.promised) >= share:
                event.set()


def test_thousands_of_recalls_while_the_server_is_killed_twice(running: Server) -> None:
    say("$4,200")
    crowd = Crowd(running.port, tokens.issue("crowd", grants=["memory:read"], rate=0)[1])
    for thread in crowd.threads:
        thread.start()
    first, second, last = crowd.reached.values()
    for share in (first, second):
        assert share.wait(300)
        running.kill()
        running.start()
    assert last.wait(300)
    for thread in crowd.threads:
        thread.join(30)
    running.kill()
    draining.drain()
    assert None not in crowd.promised
    kept = set(Receipt.objects.values_list("pk", flat=True))
    assert set(crowd.promised) <= kept
    assert len(set(crowd.promised)) == len(crowd.promised) >= RECALLS
    assert receipts.listing(EVERYTHING, agent="crowd").count() >= RECALLS
