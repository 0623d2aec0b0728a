"""Every answer that a client received has its receipt, however often the server was killed meanwhile."""

from __future__ import annotations

import http.client
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from brain import receipts, tokens
from brain.models import Receipt
from brain.reader import EVERYTHING
from tests.agents.serving import Server, server
from tests.agents.story import say

CLIENTS = 16
RECALLS = 10_000 if os.environ.get("CI") else 1_000
pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.django_db(transaction=True)]


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with server() as started:
        yield started


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
    receipts.drain()
    assert None not in crowd.promised
    kept = set(Receipt.objects.values_list("pk", flat=True))
    assert set(crowd.promised) <= kept
    assert len(set(crowd.promised)) == len(crowd.promised) >= RECALLS
    assert receipts.listing(EVERYTHING, agent="crowd").count() >= RECALLS
