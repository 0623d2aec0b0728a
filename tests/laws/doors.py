"""Every way to read what holds at (T, K), each answering with the ids of the facts."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import dataclass

from brain import journal, listing, tokens
from brain import time as instants
from brain.describe import FactAt
from brain.models import AgentToken
from brain.reader import Reader
from brain.recall import Recall, recall, recall_many
from brain.time import AsOf
from dashboard.api import tools
from tests.agents.people import Person
from tests.api.callers import Agent
from tests.laws.strategies import PLACES, SUBJECT


@dataclass
class Doors:
    """A caller with every grant, and a person who may read everything."""

    agent: Agent
    person: Person
    bearer: str

    @classmethod
    def open(cls) -> Doors:
        plain = tokens.issue("doors", grants=tokens.GRANTS, rate=0)[1]
        _, bearer = tokens.issue("pinned", grants=[tokens.READ], as_of=instants.EARLIEST, rate=0)
        return cls(Agent(plain), Person("auditor", "operator"), bearer)

    def ids(self, instant: int, known_at: int, *, audit: bool = True) -> dict[str, list[int]]:
        """Door → the ids that it answers with, sorted."""
        at = AsOf(instant, known_at, latest=known_at == journal.last_id())
        reader = Reader(audit=audit)
        found = {
            "recall": [fact.id for each in _recalls(at, reader) for fact in each.facts],
            "recall of many": [fact.id for facts in _many(at, reader).values() for fact in facts],
            "listing": [row.origin_id for row in listing.facts(reader, at, scope="/")],
        }
        return {door: sorted(ids) for door, ids in found.items()}

    def ids_over_the_api(self, instant: int, known_at: int) -> dict[str, list[int]]:
        clocks = {"as_of": instant, "known_at": f"op:{known_at}"}
        asked = {"recursive": True, **clocks}
        one = self.agent.get("/recall", subject=SUBJECT, **asked | {"recursive": "true"})["facts"]
        many = self.agent.post("/recall", {"subjects": [SUBJECT], **asked})["results"]
        ids = {
            "GET /recall": [fact["id"] for fact in one],
            "POST /recall": [fact["id"] for facts in many.values() for fact in facts],
            "GET /facts": [fact["id"] for fact in self.agent.get("/facts", limit=500, **clocks)["items"]],
            "GET /search": [
                one["fact"]["id"] for one in self.agent.get("/search", q="tier", limit=500, **clocks)["items"]
            ],
            "CSV": self._csv(clocks),
            "NDJSON": self._ndjson(clocks),
            "the page": self._page(instant, known_at),
        }
        return {door: sorted(found) for door, found in ids.items()}

    def ids_over_mcp(self, instant: int) -> dict[str, list[int]]:
        """What an agent pinned to T gets: K is now, and it holds no audit grant."""
        AgentToken.objects.filter(name="pinned").update(as_of=instant)
        recalled = self._tool("recall", {"subject": SUBJECT, "recursive": True})["facts"]
        found = self._tool("search_memory", {"q": "tier", "limit": 500})["items"]
        return {
            "recall by MCP": sorted(fact["id"] for fact in recalled),
            "search by MCP": sorted(one["fact"]["id"] for one in found),
        }

    def _tool(self, name: str, arguments: dict[str, object]) -> dict[str, object]:
        return tools.call(name, arguments, self.bearer).document

    def _csv(self, clocks: dict[str, object]) -> list[int]:
        text = self.agent.get("/export", format="csv", **clocks).content.decode()
        return [int(row["id"]) for row in csv.DictReader(io.StringIO(text))]

    def _ndjson(self, clocks: dict[str, object]) -> list[int]:
        lines = self.agent.get("/export", format="ndjson", **clocks).content.decode().splitlines()
        return [json.loads(line)["id"] for line in lines]

    def _page(self, instant: int, known_at: int) -> list[int]:
        query = {"as_of": instants.to_text(instant), "known_at": f"op:{known_at}"}
        answer = self.person.client.get("/", query_params=query, follow=True)
        return [int(number) for number in re.findall(r'<tr id="row-(\d+)"', answer.content.decode())]


def _recalls(at: AsOf, reader: Reader) -> list[Recall]:
    return [recall(SUBJECT, at=at, reader=reader, scope=scope) for scope in PLACES]


def _many(at: AsOf, reader: Reader) -> dict[str, list[FactAt]]:
    return recall_many([SUBJECT], at=at, reader=reader, recursive=True).results
