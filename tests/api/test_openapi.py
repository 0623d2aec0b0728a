"""The OpenAPI document is made from the code and says what every answer looks like; a page shows it to people."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from pydantic import BaseModel

from dashboard.api.rest import api
from tests.api.callers import JAN, MAR, TIER, Agent
from tests.api.routes import ROUTES, Route


def shapes() -> dict[tuple[str, str], dict[int, Any]]:
    """(method, path) → status → the shape of that answer."""
    found = {}
    for router in api._get_bound_routers():
        for view in router.path_operations.values():
            for operation in view.operations:
                path = re.sub(r"{\w+:", "{", operation.path)
                models = {
                    status: model.model_fields["response"].annotation
                    for status, model in operation.response_models.items()
                    if isinstance(model, type) and issubclass(model, BaseModel)
                }
                found[operation.methods[0], path] = models
    return found


def test_the_document_is_openapi_3_1_and_open_to_all(client: Client, db: None) -> None:
    document = client.get("/api/v1/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    assert set(document["components"]["securitySchemes"]) == {"bearer", "session"}
    assert all(path.startswith("/api/v1/") for path in document["paths"])


def test_the_page_loads_nothing_from_elsewhere(client: Client, db: None) -> None:
    page = client.get("/api/v1/docs").content.decode()
    assert "/api/v1/facts/{fact_id}/retract" in page
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', page)


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_every_answer_is_one_that_the_document_tells_of(route: Route, operator: Agent) -> None:
    operator.say("$4,200", JAN)
    operator.say("$3,600", MAR)
    operator.say("$1", MAR, source_kind="turn")
    operator.say("europe", scope="/emea")
    operator.post("/holds", {"selector": {"subject": "elsewhere"}, "reason": "x"})
    receipt = operator.recall()["receipt"]
    at = {"name": "operator", "receipt_id": receipt}
    name = re.search(r"{(\w+)}", route.path)
    answer = route.asked(operator, at=at.get(name[1], "1") if name else "1")
    assert answer.status in route.statuses, answer.content
    shape = shapes()[route.method, route.path].get(answer.status)
    if shape is not None:
        shape.model_validate_json(answer.content, strict=True)


def test_many_answers_with_totals_and_counts_keep_their_shape(operator: Agent) -> None:
    operator.say("$4,200", JAN)
    for path in ("/facts", "/history", "/facts/1/chain", "/operations", "/claims", "/holds", "/scopes", "/tokens"):
        template = path.replace("/1/", "/{fact_id}/")
        shapes()["GET", template][200].model_validate_json(operator.get(path, count="true").content, strict=True)
    changes = operator.get("/diff", from_="2026-01-01", count="true")
    shapes()["GET", "/diff"][200].model_validate_json(changes.content, strict=True)
    batch = operator.post("/facts/batch", {"facts": [{"subject": TIER}], "atomic": False})
    shapes()["POST", "/facts/batch"][200].model_validate_json(batch.content, strict=True)


def test_an_answers_fields_have_the_names_that_the_document_gives_them(operator: Agent) -> None:
    stretch = api.get_openapi_schema(path_prefix="")["components"]["schemas"]["Stretch"]
    assert set(stretch["properties"]) == set(stretch["required"]) == {"from", "to"}
