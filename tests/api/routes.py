"""The routes as the OpenAPI document lists them, each with a well-formed request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from dashboard.api.rest import api
from tests.api.callers import TIER, Agent, Answer

QUERIES: dict[str, dict[str, str]] = {
    "/recall": {"subject": TIER},
    "/diff": {"from": "2026-01-01"},
    "/search": {"q": "renewal"},
    "DELETE /scopes": {"scope": "/emea"},
    "/feed": {"after": "0", "wait": "0"},
}
SAYING = {"subject": TIER, "predicate": "list_price", "value": "$1", "source": "s"}
REASON = {"reason": "because"}
BODIES: dict[str, dict[str, Any]] = {
    "/recall": {"subjects": [TIER]},
    "/facts": SAYING,
    "/facts/batch": {"facts": [SAYING]},
    "/facts/{fact_id}/retract": REASON,
    "/facts/{fact_id}/restore": REASON,
    "/facts/{fact_id}/end": {"at": "2099-01-01", **REASON},
    "/forget": {"selector": {"subject": TIER}, **REASON},
    "/rewind": {"to": "op:0", **REASON},
    "/claims/{fact_id}/accept": REASON,
    "/claims/{fact_id}/reject": REASON,
    "/freeze": REASON,
    "/unfreeze": REASON,
    "/holds": {"selector": {"subject": TIER}, **REASON},
    "/scopes": {"scope": "/emea"},
    "/tokens": {"name": "another", "grants": ["memory:read"]},
    "/tools/memory_delete": {"traceId": "mt_1"},
    "/receipts/{receipt_id}/answer": {"text": "It is $1."},
    "/approvals/{approval_id}/approve": REASON,
    "/approvals/{approval_id}/reject": REASON,
}


@dataclass(frozen=True, slots=True)
class Route:
    method: str
    path: str
    grants: frozenset[str]
    parameters: frozenset[str]
    statuses: frozenset[int]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    def query(self) -> dict[str, str]:
        return QUERIES.get(str(self), QUERIES.get(self.path, {})) if self.method != "POST" else {}

    def url(self, at: str = "1") -> str:
        return "/".join(quote(at) if part.startswith("{") else part for part in self.path.split("/"))

    def asked(self, by: Agent, *, at: str = "1", **more: str) -> Answer:
        """A well-formed request; `at` stands for whatever the path names."""
        query = urlencode({**self.query(), **more})
        full = f"{self.url(at)}?{query}" if query else self.url(at)
        if self.method == "POST":
            return by.post(full, BODIES.get(self.path, {}))
        return by.send(self.method, full)


def _routes() -> list[Route]:
    paths = api.get_openapi_schema(path_prefix="")["paths"]
    return [
        Route(
            method.upper(),
            path,
            frozenset(operation["x-grants"]),
            frozenset(parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "query"),
            frozenset(operation["responses"]),
        )
        for path, operations in sorted(paths.items())
        for method, operation in sorted(operations.items())
    ]


ROUTES = _routes()
