"""Every request passes here, in this order: who, how often, how much, seen before, well-formed, allowed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from time import perf_counter
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from ninja.operation import Operation
from pydantic import BaseModel, ValidationError

from dashboard.api import counting, limits, repeats, strict_json
from dashboard.api.auth import Caller, caller_of, refuse_forgery
from dashboard.api.errors import REFUSALS, Refusal, refused, rule
from dashboard.api.grants import ROUTES

View = Callable[..., HttpResponseBase]
READS_BY_POST = frozenset({("POST", "/recall")})


class ApiRequest(HttpRequest):
    """What a route is handed: the request with its caller, its route and the document in its body."""

    caller: Caller
    route: Route
    document: object


@dataclass(frozen=True, slots=True)
class Route:
    method: str
    path: str
    parameters: frozenset[str]
    takes_body: bool

    @classmethod
    def of(cls, operation: Operation) -> Route:
        queries = (model for model in operation.models if model.__ninja_param_source__ == "query")
        names = (name for model in queries for name in model.__ninja_flatten_map__)
        takes_body = any(model.__ninja_param_source__ == "body" for model in operation.models)
        return cls(operation.methods[0], re.sub(r"{\w+:", "{", operation.path), frozenset(names), takes_body)

    @property
    def writes(self) -> bool:
        return self.method != "GET" and (self.method, self.path) not in READS_BY_POST

    @property
    def grants(self) -> frozenset[str]:
        return ROUTES.get((self.method, self.path), frozenset())


def gate(run: View) -> View:
    """Decorates ninja's `Operation.run`: all that comes before a route's own parameters are parsed."""
    operation: Operation = run.__self__  # type: ignore[attr-defined]
    route, model = Route.of(operation), getattr(operation.view_func, "taken", None)
    if model is not None:
        run = _directly(operation, model)

    @wraps(run)
    def guarded(request: ApiRequest, **parameters: Any) -> HttpResponseBase:
        started = perf_counter()
        request.route = route
        try:
            answer = _pass(request, lambda: run(request, **parameters))
        except REFUSALS as refusal:
            answer = refused(request, refusal)
        counting.count(route.method, route.path, answer.status_code, perf_counter() - started)
        return answer

    return guarded


def takes(model: type[BaseModel]) -> Callable[[View], View]:
    """Marks a route whose query is all it takes: it is parsed here, without what ninja does for every other kind of
    parameter, which took as long as the recall itself."""

    def mark(view: View) -> View:
        view.taken = model  # type: ignore[attr-defined]
        return view

    return mark


def _directly(operation: Operation, model: type[BaseModel]) -> View:
    def run(request: ApiRequest) -> HttpResponseBase:
        try:
            given = model.model_validate(request.GET.dict())
        except ValidationError as error:
            faults = error.errors(include_url=False, include_input=False)
            raise Refusal.invalid((".".join(map(str, fault["loc"])), rule(fault)) for fault in faults) from None
        answer: HttpResponseBase = operation.view_func(request, given)
        return answer

    return run


def _pass(request: ApiRequest, run: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    route, caller = request.route, caller_of(request)
    request.caller = caller
    limits.limit_rate(caller)
    if route.method == "GET":
        return _parsed(request, run)
    body = limits.body_of(request, route.path)
    refuse_forgery(request, caller)
    if not route.writes:
        return _parsed(request, run)
    return repeats.once(request, caller.identity, body, lambda: _parsed(request, run))


def _parsed(request: ApiRequest, run: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    given = strict_json.query(request)
    errors = [(name, "is unknown") for name in given if name not in request.route.parameters]
    errors += [(name, "is given more than once") for name, values in given.items() if len(values) > 1]
    if request.method != "GET" and request.body:
        request.document = strict_json.document(request.body)
        errors += _unasked(request)
    if errors:
        raise Refusal.invalid(errors)
    return run()


def _unasked(request: ApiRequest) -> list[tuple[str, str]]:
    """What a body says to a route that takes none."""
    if request.route.takes_body or request.document == {}:
        return []
    names = request.document if isinstance(request.document, dict) else ["body"]
    return [(name, "is unknown") for name in names]


def allowed(view: View) -> View:
    """Decorates a route: its parameters are well-formed by now; the caller must hold one of its grants."""

    @wraps(view)
    def guarded(request: ApiRequest, *args: Any, **parameters: Any) -> HttpResponseBase:
        if not request.route.grants & request.caller.grants:
            needed = " or ".join(sorted(request.route.grants)) or "a grant that nobody has"
            raise Refusal("forbidden", f"this takes {needed}")
        return view(request, *args, **parameters)

    return guarded
