"""The OpenAPI document says all that the gate does: who may call, what every route may answer, which headers count."""

from __future__ import annotations

from http.client import responses as phrases
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, URLResolver
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase
from ninja.openapi.schema import REF_TEMPLATE, OpenAPISchema
from ninja.types import DictStrAny

from dashboard.api.errors import MEDIA_TYPE, PROBLEMS
from dashboard.api.grants import ROUTES
from dashboard.api.repeats import HEADER
from dashboard.api.shapes import Problem

HOT = "recall"
READ_REFUSALS = (401, 403, 404, 422, 429)
WRITE_REFUSALS = (401, 403, 404, 409, 413, 415, 422, 423, 429, 503)
SECURITY = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "session": {"type": "apiKey", "in": "cookie", "name": "sessionid", "description": "writes need X-CSRFToken too"},
}
KEY = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]([ -~]*[!-~])?$"},
    "description": "the same request within a day gets the same answer",
}


class DocsPage(DocsBase):
    """A page for people, rendered here: it loads nothing from anywhere."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        schema = api.get_openapi_schema(path_params=kwargs)
        routes = [
            {
                "path": path,
                "method": method.upper(),
                **operation,
                "grants": operation["x-grants"],
                "fields": _body_fields(operation, schema),
            }
            for path, operations in schema["paths"].items()
            for method, operation in operations.items()
        ]
        problems = [{"code": code, "status": status, "title": title} for code, (status, title) in PROBLEMS.items()]
        return render(request, "api/docs.html", {"info": schema["info"], "routes": routes, "problems": problems})


def _body_fields(operation: dict[str, Any], schema: OpenAPISchema) -> list[dict[str, Any]]:
    body = operation.get("requestBody")
    if body is None:
        return []
    name = body["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[-1]
    model = schema["components"]["schemas"][name]
    return [
        {"name": field, "required": field in model.get("required", ()), "description": details.get("description", "")}
        for field, details in model["properties"].items()
    ]


class DocumentedAPI(NinjaAPI):
    def __init__(self, **settings: Any) -> None:
        super().__init__(docs=DocsPage(), **settings)

    def _get_urls(self) -> list[URLResolver | URLPattern]:
        """Django tries one pattern after the other, so the hot path is the first."""
        return sorted(super()._get_urls(), key=lambda url: str(url.pattern) != HOT)

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: DictStrAny | None = None
    ) -> OpenAPISchema:
        schema = super().get_openapi_schema(path_prefix=path_prefix, path_params=path_params)
        root = path_prefix if path_prefix is not None else self.get_root_path(path_params or {})
        for path, operations in schema["paths"].items():
            for method, operation in operations.items():
                _complete(operation, method.upper(), "/" + path.removeprefix(root).lstrip("/"))
        schema["components"]["securitySchemes"] = SECURITY
        schema["components"]["schemas"]["Problem"] = Problem.model_json_schema(
            mode="serialization", ref_template=REF_TEMPLATE
        )
        schema["components"]["schemas"] |= schema["components"]["schemas"]["Problem"].pop("$defs", {})
        return schema


def _complete(operation: dict[str, Any], method: str, path: str) -> None:
    writes = method != "GET" and (method, path) != ("POST", "/recall")
    operation["security"] = [{name: []} for name in SECURITY]
    operation["tags"] = ["Writing" if writes else "Reading"]
    operation["x-grants"] = sorted(ROUTES.get((method, path), ()))
    if writes:
        operation.setdefault("parameters", []).append(KEY)
    elif method == "GET":
        operation["responses"][304] = {"description": "as the ETag in If-None-Match says"}
    for status in WRITE_REFUSALS if method != "GET" else READ_REFUSALS:
        operation["responses"].setdefault(
            status,
            {
                "description": phrases[status],
                "content": {MEDIA_TYPE: {"schema": {"$ref": REF_TEMPLATE.format(model="Problem")}}},
            },
        )
