"""An agent in a hundred lines: it lets a model ask the brain, and leaves with the brain what the model then said.

    BRAIN_URL=http://127.0.0.1:8000 BRAIN_TOKEN=pal_… MODEL_URL=https://host/v1 MODEL=name MODEL_KEY=… \\
        python -m tests.agents.example "What do customers pay to renew Tier 2?"

The model is any that speaks OpenAI's chat completions with tools. Which instant it reads at is the token's affair: one
pinned to February answers as of February.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

Message = dict[str, Any]
Model = Callable[[list[Message], list[dict[str, Any]]], Message]

TURNS = 6  # questions to the brain before an answer is due
RULES = (
    "Answer from the company's memory only. Search it, recall the subject, and say values exactly as they stand, with "
    "their source. When it holds no record, say so."
)
TEXT = {"type": "string"}
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": description,
            "parameters": {"type": "object", "properties": {argument: TEXT}, "required": [argument]},
        },
    }
    for name, argument, description in (
        ("recall", "subject", "What the company memory holds about one subject, spelled exactly"),
        ("search", "q", "Facts that match a question, best first"),
    )
]


@dataclass
class Brain:
    """The JSON API, as this agent's token may use it."""

    url: str
    token: str

    def get(self, path: str, **query: str) -> dict[str, Any]:
        return self._send(f"{path}?{urlencode(query)}")

    def post(self, path: str, body: object) -> dict[str, Any]:
        return self._send(path, json.dumps(body).encode())

    def _send(self, path: str, body: bytes | None = None) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}/api/v1{path}", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return dict(json.load(answer))
        except urllib.error.HTTPError as refusal:
            return dict(json.load(refusal))  # a problem document: the model is told what was refused and why


def ask(question: str, brain: Brain, model: Model) -> str:
    """The model's answer, which is stored with the last receipt that it relied on."""
    messages: list[Message] = [{"role": "system", "content": RULES}, {"role": "user", "content": question}]
    receipt = None
    for _ in range(TURNS):
        said = model(messages, TOOLS)
        messages.append(said)
        if not said.get("tool_calls"):
            break
        for call in said["tool_calls"]:
            arguments = json.loads(call["function"]["arguments"])
            mode = {"mode": "hybrid"} if call["function"]["name"] == "search" else {}
            found = brain.get(f"/{call['function']['name']}", **arguments, **mode)
            receipt = found.get("receipt") or receipt
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": json.dumps(found)})
    answer = str(messages[-1].get("content") or "I do not know.")
    if receipt is not None:
        brain.post(f"/receipts/{receipt}/answer", {"text": answer})
    return answer


def chat_completions(url: str, name: str, key: str) -> Model:
    """A model behind an OpenAI-compatible endpoint."""

    def model(messages: list[Message], tools: list[dict[str, Any]]) -> Message:
        body = json.dumps({"model": name, "messages": messages, "tools": tools}).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
        request = urllib.request.Request(f"{url.rstrip('/')}/chat/completions", body, headers)
        with urllib.request.urlopen(request, timeout=120) as answer:
            return dict(json.load(answer)["choices"][0]["message"])

    return model


if __name__ == "__main__":
    named = chat_completions(os.environ["MODEL_URL"], os.environ["MODEL"], os.environ.get("MODEL_KEY", ""))
    print(ask(sys.argv[1], Brain(os.environ["BRAIN_URL"], os.environ["BRAIN_TOKEN"]), named))
