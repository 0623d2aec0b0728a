"""The JSON API: its routes, the gate that all of them share, and the OpenAPI document made from both."""

from __future__ import annotations

from ninja import NinjaAPI

from dashboard.api import (  # noqa: F401
    answered,
    approving,
    errors,
    export,
    feeding,
    forgetting,
    handing,
    managing,
    me,
    reads,
    recall,
    searching,
    times,
    writes,
)
from dashboard.api.gate import allowed, gate
from dashboard.api.openapi import DocumentedAPI
from dashboard.api.routing import router
from dashboard.api.strict_json import StrictParser

api: NinjaAPI = DocumentedAPI(
    title="Palimpsest",
    version="1",
    description="A company brain on two clocks: which value held at an instant, and what had been told by then.",
    urls_namespace="api",
    parser=StrictParser(),
)
errors.register(api)
api.add_decorator(gate, mode="view")
api.add_decorator(allowed, mode="operation")
api.add_router("", router)
