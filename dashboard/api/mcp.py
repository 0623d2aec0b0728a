"""The Model Context Protocol over HTTP and stdio: the official SDK speaks it, the tools answer.

Over HTTP each POST is answered on its own with JSON, without a session: any worker can answer any of them.
"""

from __future__ import annotations

import json
from collections.abc import MutableMapping
from typing import Any

from asgiref.sync import async_to_sync, sync_to_async
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from mcp import types
from mcp.server import Server, ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError

from dashboard.api import limits
from dashboard.api.auth import by_bearer
from dashboard.api.errors import REFUSALS, Refusal, problem, refused
from dashboard.api.tools import TOOLS, Tool, call

NAME, VERSION = "palimpsest", "1"
INSTRUCTIONS = (
    "The company's memory. Recall a subject before answering about it, say values as they stand, and name the source. "
    "An empty recall means that there is no record: say so. What you learn, remember with its source."
)
TOOL_CALL = "tools/call"  # counted against the token's rate where the tool's route is asked


def server(bearer: str) -> Server[Any]:
    """A server that answers for one token."""

    async def list_tools(
        context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(tool) for tool in TOOLS.values()])

    async def call_tool(
        context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        if params.name not in TOOLS:
            raise MCPError(code=types.INVALID_PARAMS, message=f"there is no tool {params.name[:100]!r}")
        answer = await sync_to_async(call)(params.name, params.arguments or {}, bearer)
        text = types.TextContent(type="text", text=json.dumps(answer.document, ensure_ascii=False))
        return types.CallToolResult(content=[text], structured_content=answer.document, is_error=answer.refused)

    return Server(NAME, version=VERSION, instructions=INSTRUCTIONS, on_list_tools=list_tools, on_call_tool=call_tool)


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema(),
        output_schema=tool.output_schema(),
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.reads,
            destructive_hint=tool.destroys,
            idempotent_hint=tool.repeats,
            open_world_hint=False,
        ),
    )


# -- over HTTP


@csrf_exempt
def endpoint(request: HttpRequest) -> HttpResponse:
    """POST /mcp. A page from elsewhere cannot ask: its Origin gives it away."""
    try:
        return _answer(request)
    except REFUSALS as refusal:
        return refused(request, refusal)


def _answer(request: HttpRequest) -> HttpResponse:
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"{request.scheme}://{request.get_host()}":
        raise Refusal("forbidden", "this Origin may not ask here")
    if request.method != "POST":
        refusal = problem("method_not_allowed", "messages are sent with POST; there is no stream and no session")
        refusal["Allow"] = "POST"
        return refusal
    header = request.headers.get("Authorization", "")
    caller = by_bearer(header)
    body = limits.body_of(request, request.path)
    if _method(body) != TOOL_CALL:
        limits.limit_rate(caller)
    return async_to_sync(_spoken)(request, body, header.partition(" ")[2].strip())


def _method(body: bytes) -> object:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return message.get("method") if isinstance(message, dict) else None


async def _spoken(request: HttpRequest, body: bytes, bearer: str) -> HttpResponse:
    """One request handed to the SDK as its ASGI application expects it, and the answer that it sends."""
    manager = StreamableHTTPSessionManager(server(bearer), json_response=True, stateless=True)
    sent: list[MutableMapping[str, Any]] = []
    given = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> MutableMapping[str, Any]:
        return given.pop() if given else {"type": "http.disconnect"}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    async with manager.run():
        await manager.handle_request(_scope(request), receive, send)
    return _response(sent)


def _scope(request: HttpRequest) -> dict[str, Any]:
    headers = [(name.lower().encode(), value.encode("latin-1", "replace")) for name, value in request.headers.items()]
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": request.scheme,
        "path": request.path,
        "raw_path": request.path.encode(),
        "query_string": b"",
        "headers": headers,
        "server": ("localhost", 0),
        "client": ("127.0.0.1", 0),
    }


def _response(sent: list[MutableMapping[str, Any]]) -> HttpResponse:
    start = next(message for message in sent if message["type"] == "http.response.start")
    content = b"".join(message.get("body", b"") for message in sent if message["type"] == "http.response.body")
    answer = HttpResponse(content, status=start["status"])
    for name, value in start.get("headers", []):
        if name.lower() != b"content-length":
            answer[name.decode("latin-1")] = value.decode("latin-1")
    answer["Cache-Control"] = "no-store"
    return answer
