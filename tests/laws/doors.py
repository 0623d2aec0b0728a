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

    # -- over HTTP, with every grant

    def get_recall(self, instant: int, known_at: int) -> list[int]:
        answer = self.agent.get("/recall", subject=SUBJECT, recursive="true", **_clocks(instant, known_at))
        return [fact["id"] for fact in answer["facts"]]

    def post_recall(self, instant: int, known_at: int) -> list[int]:
        body = {"subjects": [SUBJECT], "recursive": True, **_clocks(instant, known_at)}
        return [fact["id"] for facts in self.agent.post("/recall", body)["results"].values() for fact in facts]

    def get_facts(self, instant: int, known_at: int) -> list[int]:
        return [fact["id"] for fact in self.agent.get("/facts", limit=500, **_clocks(instant, known_at))["items"]]

    def get_search(self, instant: int, known_at: int) -> list[int]:
        found = self.agent.get("/search", q="tier", limit=500, **_clocks(instant, known_at))["items"]
        return [one["fact"]["id"] for one in found]

    def csv(self, instant: int, known_at: int) -> list[int]:
        text = self.agent.get("/export", format="csv", **_clocks(instant, known_at)).content.decode()
        return [int(row["id"]) for row in csv.DictReader(io.StringIO(text))]

    def ndjson(self, instant: int, known_at: int) -> list[int]:
        answer = self.agent.get("/export", format="ndjson", **_clocks(instant, known_at))
        return [json.loads(line)["id"] for line in answer.content.decode().splitlines()]

    def page(self, instant: int, known_at: int) -> list[int]:
        query = {"as_of": instants.to_text(instant), "known_at": f"op:{known_at}"}
        answer = self.person.client.get("/", query_params=query, follow=True)
        return [int(number) for number in re.findall(r'<tr id="row-(\d+)"', answer.content.decode())]

    # -- over MCP, as an agent that is pinned to T: K is now, and it holds no audit grant

    def recall_tool(self, instant: int) -> list[int]:
        return [fact["id"] for fact in self._tool("recall", instant, subject=SUBJECT, recursive=True)["facts"]]

    def search_tool(self, instant: int) -> list[int]:
        return [one["fact"]["id"] for one in self._tool("search_memory", instant, q="tier", limit=500)["items"]]

    def _tool(self, name: str, instant: int, **arguments: object) -> dict[str, object]:
        AgentToken.objects.filter(name="pinned").update(as_of=instant)
        return tools.call(name, arguments, self.bearer).document


OVER_HTTP = ["get_recall", "post_recall", "get_facts", "get_search", "csv", "ndjson", "page"]
OVER_MCP = ["recall_tool", "search_tool"]


def _clocks(instant: int, known_at: int) -> dict[str, object]:
    return {"as_of": instant, "known_at": f"op:{known_at}"}


def _recalls(at: AsOf, reader: Reader) -> list[Recall]:
    return [recall(SUBJECT, at=at, reader=reader, scope=scope) for scope in PLACES]


def _many(at: AsOf, reader: Reader) -> dict[str, list[FactAt]]:
    return recall_many([SUBJECT], at=at, reader=reader, recursive=True).results
