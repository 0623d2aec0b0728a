"""A server killed in the middle of long work leaves the state before it or the state after it, and a journal that says
which; a job that was under way goes on by itself after the restart.

PALIMPSEST_ROWS and PALIMPSEST_KILLS make it as long as one likes (100000 and 20 are what was promised).
"""

from __future__ import annotations

import http.client
import json
import os
import random
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from brain import journal, listing, rewind_later, tokens
from brain.erasure import pending
from brain.models import Job, Operation
from brain.reader import EVERYTHING, Reader
from brain.remember import remember_many
from brain.rewind import Part, rewind
from brain.saying import Saying
from brain.seen import mark, size
from brain.turns import turn
from tests.agents.serving import Server, server
from tests.commands.running import run

ROWS = int(os.environ.get("PALIMPSEST_ROWS", "12000"))
KILLS = int(os.environ.get("PALIMPSEST_KILLS", "4"))
PATIENCE = 300.0  # seconds for work to be done after the last restart
MARCH = 1_709_251_200_000
BULK = {"source": "bulk-sheet"}
pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.django_db(transaction=True)]


class Operator:
    """Asks a server for long work, and kills it at a random moment meanwhile."""

    def __init__(self, running: Server) -> None:
        self.running, self.dice = running, random.Random(7)
        self.token = tokens.issue("operator", grants=tokens.GRANTS, rate=0)[1]

    def kill_while(self, path: str, body: dict[str, object] | None) -> None:
        """Kills the server while it does what was asked, or with no body whatever it does by itself."""
        asking = threading.Thread(target=self._ask, args=(path, body))
        if body is not None:
            asking.start()
        threading.Event().wait(self.dice.uniform(0, ROWS / 20_000))
        self.running.kill()
        if body is not None:
            asking.join()
        with turn(PATIENCE):  # PostgreSQL notices late that its client is gone
            pass

    def _ask(self, path: str, body: dict[str, object]) -> None:
        with suppress(OSError, http.client.HTTPException):
            self.ask(path, body)

    def ask(self, path: str, body: dict[str, object]) -> dict[str, object]:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        connection = http.client.HTTPConnection("127.0.0.1", self.running.port, timeout=PATIENCE)
        connection.request("POST", f"/api/v1{path}", json.dumps(body), headers)
        return json.loads(connection.getresponse().read())


@pytest.fixture
def operator() -> Iterator[Operator]:
    first = [Saying("kept", f"price {n}", "1", "sheet", "ann", MARCH) for n in range(20)]
    remember_many(first, actor="ann")
    bulk = [Saying(f"bulk {n}", "price", f"value {n}", BULK["source"], "bot", MARCH) for n in range(ROWS)]
    remember_many(bulk, actor="bot")
    with server() as running:
        yield Operator(running)


def readable(source: str) -> int:
    return listing.facts(Reader(), journal.resolve(), scope="/", source=source).count()


def done(kind: str) -> int:
    return Operation.objects.filter(kind=kind).count()


def test_a_purge_that_is_killed_again_and_again(operator: Operator) -> None:
    asked = {"selector": BULK, "purge": True, "reason": "leaked"}
    for _ in range(KILLS):
        operator.kill_while("/forget", None if done("purge") else asked)
        assert readable(BULK["source"]) == (0 if done("purge") else ROWS)
        assert readable("sheet") == 20
        operator.running.start()
    if not done("purge"):
        operator.ask("/forget", asked)
    _wait_until_all_is_done()
    assert (done("purge"), readable(BULK["source"]), readable("sheet")) == (1, 0, 20)
    assert set(Job.objects.values_list("state", flat=True)) <= {Job.DONE}
    run("verify")


def test_a_rewind_that_is_killed_again_and_again(operator: Operator) -> None:
    for _ in range(KILLS):
        before = done("rewind")
        expected = readable(BULK["source"])
        operator.kill_while("/rewind", {"to": "op:1" if expected else "op:2", "reason": "bad", **BULK})
        happened = done("rewind") - before
        assert happened in {0, 1}
        assert readable(BULK["source"]) == (ROWS - expected if happened else expected)
        assert readable("sheet") == 20
        operator.running.start()
    run("verify")


def test_a_rewind_that_is_a_job_is_done_once_however_often_it_is_killed(operator: Operator) -> None:
    common = {"actor": "olga", "reason": "bad", "reader": EVERYTHING, "part": Part(**BULK)}
    found = rewind(1, dry_run=True, **common)
    seen = {"seen": mark(found), "expected": size(found)}
    rewind_later.start(1, seen=seen, rows=ROWS, took=1.0, **common)
    for _ in range(KILLS):
        operator.kill_while("/rewind", None)
        assert readable(BULK["source"]) == (0 if done("rewind") else ROWS)
        assert Job.objects.get().state == (Job.DONE if done("rewind") else Job.RUNNING)
        operator.running.start()
    _wait_until_all_is_done()
    assert (Job.objects.get().state, done("rewind")) == (Job.DONE, 1)
    assert (readable(BULK["source"]), readable("sheet")) == (0, 20)
    run("verify")


def _wait_until_all_is_done() -> None:
    deadline = time.monotonic() + PATIENCE
    while pending().exists() or Job.objects.filter(state=Job.RUNNING).exists():
        assert time.monotonic() < deadline, "the work did not go on"
        threading.Event().wait(0.2)
