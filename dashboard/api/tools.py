"""The tools of agents: each is one route of the API, asked with the agent's own token, so that rules, refusals and
receipts are those of the route. What no tool has is an instant to read at: that is the token's."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from django.core.handlers.wsgi import WSGIRequest
from django.urls import resolve
from pydantic import BaseModel, Field, ValidationError

from brain.saying import CATEGORIES, CURATED, EXPERIENTIAL
from brain.search import MODES
from dashboard.api import agent_shapes, shapes, write_shapes
from dashboard.api.approving import DeleteBody
from dashboard.api.errors import Refusal, problem, rule
from dashboard.api.fields import Body, Id, Instant, Predicate, Remark, Scope, Source, Subject, Value, Writer

ROOT = "/api/v1"


class RecallTool(Body):
    """What holds for a subject."""

    subject: Subject
    predicate: Predicate | None = None
    scope: Scope | None = None
    recursive: bool = False


class SearchTool(Body):
    """What words or a question find."""

    q: Value
    mode: Literal[MODES] = "text"  # type: ignore[valid-type]
    limit: Annotated[int, Field(ge=1, le=500)] = 20
    scope: Scope | None = None
    recursive: bool = True


class HistoryTool(Body):
    """Every saying about a subject, oldest first."""

    subject: Subject
    predicate: Predicate | None = None
    scope: Scope | None = None
    recursive: bool = True
    limit: Annotated[int, Field(ge=1, le=500)] = 50
    cursor: Annotated[str, Field(min_length=1)] | None = None


class RememberTool(Body):
    """One saying, from now on."""

    subject: Subject
    predicate: Predicate
    value: Value
    source: Source
    written_by: Writer | None = None
    expires_at: Instant | None = None
    temporary: bool = False
    category: Literal[CATEGORIES] = "knowledge"  # type: ignore[valid-type]
    source_kind: Literal[CURATED + EXPERIENTIAL] | None = None  # type: ignore[valid-type]
    confidence: Annotated[float, Field(ge=0, le=1)] = 1.0
    scope: Scope | None = None
    expected_current: Id | None = None
    reason: Remark = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """`arguments` is what it takes, `answers` what it gives; `reads`, `destroys` and `repeats` (asked twice, it does
    no more than once) are hints for the model that calls it."""

    name: str
    title: str
    description: str
    arguments: type[Body]
    answers: tuple[type[BaseModel], ...]
    method: str
    path: str
    reads: bool = True
    destroys: bool = False
    repeats: bool = True

    def input_schema(self) -> dict[str, Any]:
        return self.arguments.model_json_schema() | {"title": self.name}

    def output_schema(self) -> dict[str, Any]:
        schemas = [answer.model_json_schema(mode="serialization") for answer in self.answers]
        if len(schemas) == 1:
            return schemas[0]
        return {"type": "object", "anyOf": schemas}


TOOLS = {
    tool.name: tool
    for tool in (
        Tool(
            "recall",
            "Recall a subject",
            "What the company brain holds about one subject: at most one current value for each predicate, with where "
            "it came from. No record is an empty list, not an error. `similar` names other spellings.",
            RecallTool,
            (shapes.Recalled,),
            "GET",
            "/recall",
        ),
        Tool(
            "search_memory",
            "Search the memory",
            "Facts that match words (mode text), a meaning (meaning) or both (hybrid), best first. Only facts that "
            "hold are found. Recall the subject before relying on one.",
            SearchTool,
            (agent_shapes.Hits,),
            "GET",
            "/search",
        ),
        Tool(
            "history",
            "History of a subject",
            "Every saying about a subject, oldest first: superseded and retracted ones too, each with who recorded it "
            "and why. Only what recall returns is current.",
            HistoryTool,
            (shapes.History,),
            "GET",
            "/history",
        ),
        Tool(
            "remember",
            "Remember a fact",
            "Stores that PREDICATE of SUBJECT is VALUE from now on, with its source. An earlier value is superseded, "
            "never erased; one that disagrees with a curated value waits as a claim (outcome contested).",
            RememberTool,
            (write_shapes.Remembered,),
            "POST",
            "/facts",
            reads=False,
        ),
        Tool(
            "memory_delete",
            "Delete a fact",
            "Asks to withhold one fact from every agent. traceId is mt_ and the fact's id. Mostly a person has to "
            "approve: the answer is then pending_approval. deleted false: there was nothing to delete.",
            DeleteBody,
            (agent_shapes.Deleted, agent_shapes.Pending),
            "POST",
            "/tools/memory_delete",
            reads=False,
            destroys=True,
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Answered:
    status: int
    document: dict[str, Any]

    @property
    def refused(self) -> bool:
        return self.status >= 400


def call(name: str, arguments: Mapping[str, Any], bearer: str) -> Answered:
    """Runs a tool with this token. A refusal is an answer with its problem document. Raises KeyError: no such tool."""
    tool = TOOLS[name]
    try:
        given = tool.arguments.model_validate(dict(arguments)).model_dump(mode="json", exclude_unset=True)
    except ValidationError as error:
        named = [(".".join(map(str, fault["loc"])) or "arguments", rule(fault)) for fault in error.errors()]
        refusal = Refusal.invalid(named)
        return _answered(problem(refusal.code, refusal.detail, refusal.errors))
    if tool.method == "GET":
        named_ones = {key: _word(value) for key, value in given.items() if value is not None}
        return _answered(_ask(tool, bearer, query=urlencode(named_ones)))
    return _answered(_ask(tool, bearer, body=json.dumps(given).encode()))


def _word(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


def _ask(tool: Tool, bearer: str, *, query: str = "", body: bytes = b"") -> Any:
    """The answer of the tool's route, asked in this process."""
    environ = {
        "REQUEST_METHOD": tool.method,
        "PATH_INFO": ROOT + tool.path,
        "QUERY_STRING": query,
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "HTTP_AUTHORIZATION": f"Bearer {bearer}",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "0",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.input": BytesIO(body),
        "wsgi.url_scheme": "http",
    }
    route = resolve(ROOT + tool.path)
    view: Callable[..., Any] = route.func
    return view(WSGIRequest(environ), *route.args, **route.kwargs)


def _answered(response: Any) -> Answered:
    return Answered(response.status_code, json.loads(response.content))
