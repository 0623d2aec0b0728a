"""The tools of agents, spoken to by the SDK's own client over HTTP and stdio: the same rules as the routes."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client as Browser
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from brain import tokens
from brain.models import Approval
from dashboard.api import limits
from tests.agents.people import Person
from tests.api.callers import FEB, JAN, MAR, READ, TIER, WRITE, Agent

pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.django_db(transaction=True)]
NAMES = {"recall", "search_memory", "history", "remember", "memory_delete"}
ALL = [grant for grant in tokens.GRANTS if grant != "delete:direct"]

Talk = Callable[[Client], Awaitable[Any]]
Speak = Callable[[str, Talk], Any]


@pytest.fixture
def token() -> str:
    return tokens.issue("operator", grants=ALL, rate=0)[1]


def over_http(live_server: Any, mode: str) -> Speak:
    async def speak(plain: str, talk: Talk) -> Any:
        async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {plain}"}, timeout=30) as http:
            transport = streamable_http_client(f"{live_server.url}/mcp", http_client=http)
            async with Client(transport, mode=mode) as client:
                return await talk(client)

    return lambda plain, talk: asyncio.run(speak(plain, talk))


def over_stdio() -> Speak:
    async def speak(plain: str, talk: Talk) -> Any:
        environment = {**os.environ, "BRAIN_TOKEN": plain, "DJANGO_SETTINGS_MODULE": "dashboard.settings"}
        command = StdioServerParameters(
            command=sys.executable, args=["manage.py", "mcp"], env=environment, cwd=str(settings.BASE_DIR)
        )
        async with Client(command) as client:
            return await talk(client)

    return lambda plain, talk: asyncio.run(speak(plain, talk))


@pytest.fixture(params=["http", "http before 2026", "stdio"])
def speak(request: pytest.FixtureRequest) -> Speak:
    if request.param == "stdio":
        return over_stdio()
    return over_http(request.getfixturevalue("live_server"), "auto" if request.param == "http" else "legacy")


@pytest.fixture
def http(live_server: Any) -> Speak:
    return over_http(live_server, "auto")


def calling(name: str, **arguments: object) -> Talk:
    async def talk(client: Client) -> Any:
        return await client.call_tool(name, arguments)

    return talk


def test_an_agent_remembers_recalls_searches_and_asks_for_a_delete(speak: Speak, token: str) -> None:
    async def talk(client: Client) -> None:
        words = {"subject": TIER, "predicate": "list_price", "source": "pricing-sheet"}
        told = await client.call_tool("remember", {**words, "value": "$4,200"})
        assert told.structured_content["outcome"] == "created"
        recalled = (await client.call_tool("recall", {"subject": TIER})).structured_content
        assert [fact["value"] for fact in recalled["facts"]] == ["$4,200"]
        found = (await client.call_tool("search_memory", {"q": "teir renewal", "mode": "hybrid"})).structured_content
        assert [hit["fact"]["value"] for hit in found["items"]] == ["$4,200"]
        history = (await client.call_tool("history", {"subject": TIER, "recursive": False})).structured_content
        assert [row["actor"] for row in history["items"]] == ["operator"]
        deleted = await client.call_tool("memory_delete", {"traceId": "mt_1", "reason": "outdated"})
        assert deleted.structured_content["status"] == "pending_approval"
        assert json.loads(recalled_text(await client.call_tool("recall", {"subject": "nobody"})))["facts"] == []

    speak(token, talk)
    rest = Agent(token)
    assert Approval.objects.get().reason == "outdated"
    kinds = [receipt["query"]["kind"] for receipt in rest.get("/receipts")["items"]]
    assert kinds == ["recall", "search", "recall"]


def recalled_text(result: Any) -> str:
    return str(result.content[0].text)


def test_the_tools_and_what_they_say_of_themselves(speak: Speak, token: str) -> None:
    async def talk(client: Client) -> Any:
        return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in speak(token, talk)}
    assert set(tools) == NAMES
    hints = {name: (tool.annotations.read_only_hint, tool.annotations.destructive_hint) for name, tool in tools.items()}
    assert hints == {name: (name not in {"remember", "memory_delete"}, name == "memory_delete") for name in NAMES}
    assert all(tool.annotations.idempotent_hint and not tool.annotations.open_world_hint for tool in tools.values())
    for tool in tools.values():
        schema = tool.input_schema
        assert schema["additionalProperties"] is False
        assert not {"as_of", "known_at", "learned_at"} & set(schema["properties"])
    assert tools["memory_delete"].input_schema["required"] == ["traceId"]
    assert tools["remember"].input_schema["required"] == ["subject", "predicate", "value", "source"]


SAYING = {"subject": TIER, "predicate": "p", "value": "v", "source": "s"}
REFUSED = [
    ("recall", {}, "invalid", {"subject"}),
    ("recall", {"subject": 5}, "invalid", {"subject"}),
    ("recall", {"subject": TIER, "as_of": "2026-02-09"}, "invalid", {"as_of"}),
    ("recall", {"subject": TIER, "known_at": "op:1"}, "invalid", {"known_at"}),
    (
        "remember",
        {"subject": TIER, "predicate": "p", "value": "v", "source": "s", "learned_at": 1},
        "invalid",
        {"learned_at"},
    ),
    ("search_memory", {"q": "x", "mode": "exact"}, "invalid", {"mode"}),
    ("history", {"subject": TIER, "cursor": "x"}, "invalid", {"cursor"}),
    ("memory_delete", {"traceId": "1"}, "invalid", {"traceId"}),
    ("memory_delete", {"traceId": "mt_1", "expected_operation": 9}, "conflict", set()),
    ("recall", {"subject": TIER, "scope": "/apac"}, "forbidden", {"scope"}),
]


@pytest.mark.parametrize(("name", "arguments", "code", "fields"), REFUSED)
def test_a_refusal_is_the_problem_that_the_route_answers(
    http: Speak, name: str, arguments: dict[str, object], code: str, fields: set[str]
) -> None:
    plain = tokens.issue("emea", grants=ALL, scope="/emea", rate=0)[1]
    Agent(plain).say("$4,200", scope="/emea")
    result = http(plain, calling(name, **arguments))
    assert result.is_error
    assert result.structured_content["code"] == code
    assert {error["field"] for error in result.structured_content.get("errors", [])} == fields


def test_no_tool_of_that_name_is_an_error_of_the_protocol(http: Speak, token: str) -> None:
    async def talk(client: Client) -> None:
        with pytest.raises(MCPError, match="there is no tool 'forget'"):
            await client.call_tool("forget", {})

    http(token, talk)


def test_a_pinned_token_reads_at_its_instant_through_every_tool(speak: Speak, token: str) -> None:
    agent = Agent(token)
    agent.say("$4,200", JAN), agent.say("$3,600", MAR)
    pinned = tokens.issue("historian", grants=[READ], as_of=FEB, rate=0)[1]

    async def talk(client: Client) -> list[str]:
        answers = [
            await client.call_tool("recall", {"subject": TIER}),
            await client.call_tool("search_memory", {"q": "renewal"}),
            await client.call_tool("search_memory", {"q": "price of a renewal", "mode": "meaning"}),
            await client.call_tool("history", {"subject": TIER}),
        ]
        refused = await client.call_tool("remember", {"subject": "s", "predicate": "p", "value": "v", "source": "s"})
        assert refused.structured_content["code"] == "forbidden"
        return [recalled_text(answer) for answer in answers]

    for answer in speak(pinned, talk):
        assert "$4,200" in answer
        assert "$3,600" not in answer


def test_a_delete_through_mcp_and_through_rest_is_one_queue(http: Speak, token: str) -> None:
    plain = tokens.issue("bot", grants=[READ, WRITE], rate=0)[1]
    rest = Agent(plain)
    fact = rest.say("$4,200")
    asked = http(plain, calling("memory_delete", traceId=f"mt_{fact}")).structured_content
    again = rest.post("/tools/memory_delete", {"traceId": f"mt_{fact}"})
    assert asked == again.json
    assert Person("ann", "operator").decide(asked["approval_id"], "reject")["state"] == "rejected"
    by_mcp = http(plain, calling("memory_delete", traceId=f"mt_{fact}")).structured_content
    assert by_mcp == rest.post("/tools/memory_delete", {"traceId": f"mt_{fact}"}).json
    assert by_mcp["code"] == "approval_rejected"


def test_rates_hold_for_tools_as_for_routes(http: Speak, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = tokens.issue("slow", grants=[READ], rate=8)[1]
    monkeypatch.setattr(limits, "monotonic", lambda: 0.0)  # all within the same second

    async def talk(client: Client) -> list[Any]:
        await client.list_tools()
        return await asyncio.gather(*(client.call_tool("recall", {"subject": "s"}) for _ in range(9)))

    assert "rate_limited" in {answer.structured_content.get("code") for answer in http(plain, talk)}


# -- the door itself


def post(body: object, token: str | None, **headers: str):
    sent = {"Authorization": f"Bearer {token}"} if token else {}
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    accept = {"Accept": "application/json, text/event-stream"}
    return Browser().generic(
        "POST", "/mcp", raw, content_type="application/json", headers={**accept, **sent, **headers}
    )


PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def test_who_does_not_say_who_they_are_gets_no_answer(token: str) -> None:
    for bad in (None, "wrong"):
        answer = post(PING, bad)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
    assert post(PING, token).json()["result"] == {}


def test_a_page_from_elsewhere_is_refused_and_our_own_is_not(token: str) -> None:
    for origin in ("https://evil.example", "null", "http://testserver:81"):
        assert post(PING, token, Origin=origin).json()["code"] == "forbidden"
    assert post(PING, token, Origin="http://testserver").status_code == 200


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_there_is_no_stream_and_no_session(method: str, token: str) -> None:
    answer = Browser().generic(method, "/mcp", headers={"Authorization": f"Bearer {token}"})
    assert (answer.status_code, answer["Allow"]) == (405, "POST")


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", b"\xff", b'{"jsonrpc": "2.0"}', b"[" * 100_000])
def test_what_is_no_message_is_a_client_error(raw: bytes, token: str) -> None:
    assert 400 <= post(raw, token).status_code < 500


def test_a_large_message_and_another_type_are_refused(token: str) -> None:
    assert post(b" " * 2_000_000, token).status_code == 413
    answer = Browser().post("/mcp", "x", content_type="text/plain", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 415


def test_stdio_without_a_good_token_says_what_to_do(monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    monkeypatch.delenv("BRAIN_TOKEN", raising=False)
    with pytest.raises(CommandError, match="create_token"):
        call_command("mcp")
    monkeypatch.setenv("BRAIN_TOKEN", "pal_wrong")
    with pytest.raises(CommandError, match="revoked"):
        call_command("mcp")
