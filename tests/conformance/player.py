"""Plays conformance cases through anything that can call the API; each case runs in a scope of its own.

In a step, "fact@3" is the fact written by step 3 of the case and "op@3" its operation.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

Answer = dict[str, Any]


class Door(Protocol):
    """A way to call the API: the status and the JSON of the answer."""

    def call(self, method: str, path: str, body: object = None, **query: str) -> tuple[int, Answer]: ...


def cases(file: str) -> Iterator[dict[str, Any]]:
    yield from json.loads(Path(__file__).with_name(file).read_text())


@dataclass
class Case:
    door: Door
    case: dict[str, Any]
    scope: str = field(default_factory=lambda: f"/conformance/{uuid.uuid4().hex[:12]}")
    facts: dict[int, int] = field(default_factory=dict)
    operations: dict[int, int] = field(default_factory=dict)

    def play(self) -> None:
        for number, step in enumerate(self.case["steps"], 1):
            asked = self._resolved({name: value for name, value in step.items() if name not in {"do", "expect"}})
            status, answer = self._do(step["do"], asked)
            where, want = f"step {number} ({step['do']})", step.get("expect", {})
            if "status" in want:
                _refused(where, want, status, answer)
                continue
            assert 200 <= status < 300, f"{where}: status {status}: {answer}"
            self._note(number, answer)
            for name, value in want.items():
                _holds(where, name, value, answer)

    def _resolved(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: self._resolved(one) for name, one in value.items()}
        if isinstance(value, list):
            return [self._resolved(one) for one in value]
        if isinstance(value, str) and value.startswith("fact@"):
            return self.facts[int(value[5:])]
        if isinstance(value, str) and value.startswith("op@"):
            return f"op:{self.operations[int(value[3:])]}"
        return value

    def _note(self, number: int, answer: Answer) -> None:
        if isinstance(answer.get("fact"), dict):
            self.facts[number] = answer["fact"]["id"]
        if answer.get("operation") is not None:
            self.operations[number] = answer["operation"]

    def _do(self, verb: str, asked: Answer) -> tuple[int, Answer]:
        if verb == "remember":
            return self.door.call("POST", "/facts", {"scope": self.scope, **asked})
        if verb in {"recall", "history"}:
            return self.door.call("GET", f"/{verb}", **{"scope": self.scope, **asked})
        if verb in {"retract", "end", "restore"}:
            return self.door.call("POST", f"/facts/{asked.pop('fact')}/{verb}", asked)
        if verb in {"accept", "reject"}:
            return self.door.call("POST", f"/claims/{asked.pop('fact')}/{verb}", asked)
        if verb == "rewind":
            return self.door.call("POST", "/rewind", {"scope": self.scope, **asked})
        if verb == "forget":
            return self.door.call("POST", "/forget", self._narrowed(asked))
        assert verb == "memory_delete", f"unknown step {verb}"
        trace = {"traceId": f"mt_{asked.pop('fact')}"} if "fact" in asked else {}
        return self.door.call("POST", "/tools/memory_delete", asked | trace)

    def _narrowed(self, asked: Answer) -> Answer:
        """A forget keeps to the case's scope, so that cases do not meet."""
        if "superseded_before" in asked:
            return {"scope": self.scope, **asked}
        if asked.get("selector") and "ids" not in asked["selector"]:
            return {**asked, "selector": {"scope": self.scope, **asked["selector"]}}
        return asked


def _refused(where: str, want: Answer, status: int, answer: Answer) -> None:
    assert (status, answer.get("code")) == (want["status"], want["code"]), f"{where}: {status} {answer}"
    named = {error["field"].split(".")[-1] for error in answer.get("errors", [])}
    assert named >= set(want.get("fields", [])), f"{where}: names {sorted(named)}"


def _holds(where: str, name: str, want: Any, answer: Answer) -> None:
    got = answer.get(name)
    if name == "facts":
        got = {fact["predicate"]: fact["value"] for fact in answer["facts"]}
        assert len(got) == len(answer["facts"]), f"{where}: two values of one predicate"
    elif name == "contested":
        got, want = {fact["predicate"] for fact in answer["facts"] if fact["contested"]}, set(want)
    elif name == "claims":
        got = len(answer["claims"])
    elif name == "count":
        got = len(answer["items"])
    elif name == "similar":
        got, want = sorted(answer["similar"]), sorted(want)
    assert got == want, f"{where}: {name} is {got!r}, wanted {want!r}"
