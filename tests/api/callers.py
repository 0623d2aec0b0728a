"""Who calls the API in the tests: an agent with a token, and a person with a browser session."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.test import Client

from brain import time, tokens

ROOT = "/api/v1"
JAN, FEB, MAR, APR = (time.parse(day) for day in ("2026-01-12", "2026-02-09", "2026-03-03", "2026-04-01"))
TIER = "Tier 2 renewal"
READ, WRITE, AS, CURATED = "memory:read", "memory:write", "write:as", "write:curated"
FORGET, MANAGE, AUDIT = "memory:forget", "memory:manage", "audit:read"


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Any
    content: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.content)

    @property
    def code(self) -> str | None:
        return self.json.get("code")

    @property
    def fields(self) -> set[str]:
        """The fields that a refusal names."""
        return {error["field"] for error in self.json.get("errors", [])}

    def __getitem__(self, name: str) -> Any:
        return self.json[name]


def answer_of(response: HttpResponse) -> Answer:
    content = b"".join(response.streaming_content) if response.streaming else response.content
    return Answer(response.status_code, response.headers, content)


class Agent:
    """Talks JSON with a bearer token; `headers` are sent along with every request."""

    def __init__(self, plain: str, name: str = "") -> None:
        self.name, self.client = name, Client(headers={"Authorization": f"Bearer {plain}"})

    def get(self, path: str, *, headers: dict[str, str] | None = None, **query: object) -> Answer:
        named = {name.removesuffix("_"): value for name, value in query.items() if value is not None}
        return self.send("GET", path + (f"?{urlencode(named)}" if named else ""), headers=headers)

    def post(self, path: str, body: object = None, *, key: str | None = None) -> Answer:
        raw = b"" if body is None else json.dumps(body).encode()
        return self.send("POST", path, raw, headers={"Idempotency-Key": key} if key is not None else None)

    def delete(self, path: str) -> Answer:
        return self.send("DELETE", path)

    def send(
        self,
        method: str,
        path: str,
        raw: bytes = b"",
        *,
        headers: dict[str, str] | None = None,
        content_type: str = "application/json",
    ) -> Answer:
        return answer_of(self.client.generic(method, ROOT + path, raw, content_type=content_type, headers=headers))

    # what most tests say and ask

    def remember(self, value: str, learned_at: object = JAN, **more: object) -> Answer:
        words = {"subject": TIER, "predicate": "list_price", "source": "pricing-sheet", "learned_at": learned_at}
        return self.post("/facts", {**words, "value": value, **more})

    def say(self, value: str, learned_at: object = JAN, **more: object) -> int:
        """The id of a fact that was stored."""
        answer = self.remember(value, learned_at, **more)
        assert answer.status in {200, 201}, answer.content
        return answer["fact"]["id"]

    def recall(self, subject: str = TIER, **query: object) -> Answer:
        return self.get("/recall", subject=subject, **query)

    def values(self, subject: str = TIER, **query: object) -> list[str]:
        answer = self.recall(subject, **query)
        assert answer.status == 200, answer.content
        return [fact["value"] for fact in answer["facts"]]


def agent(name: str, *grants: str, **terms: Any) -> Agent:
    """An agent with a new token: with these grants, or with all of them."""
    return Agent(tokens.issue(name, grants=grants or tokens.GRANTS, rate=0, **terms)[1], name)
