"""Around the routes for programs: what fails beside a route is a problem too, and a bearer takes the short way in."""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import get_resolver

from dashboard.api.errors import problem_of_status

API = "/api/"
DOORS = (API, "/mcp")
SENTENCES = {
    400: "the request cannot be read",
    404: "there is nothing here",
    405: "this route does not take that method",
    413: "the request is too large",
}
KEPT_HEADERS = ("Allow", "Retry-After")

View = Callable[[HttpRequest], HttpResponseBase]


def problems(get_response: View) -> View:
    """Outermost middleware: under the doors for programs, an error that is not JSON becomes a problem document."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        answer = get_response(request)
        if answer.status_code < 400 or not request.path_info.startswith(DOORS) or _is_json(answer):
            return answer
        sentence = SENTENCES.get(answer.status_code, "something broke on our side")
        replaced = problem_of_status(answer.status_code, sentence)
        replaced["Content-Length"] = str(len(replaced.content))
        replaced["X-Content-Type-Options"] = "nosniff"
        for name in KEPT_HEADERS:
            if name in answer.headers:
                replaced[name] = answer.headers[name]
        return replaced

    return middleware


def short_way(get_response: View) -> View:
    """Middleware: a request with an Authorization header needs none of what stands before the pages (session, CSRF,
    messages, zone); left out, it takes two thirds of the time of a recall."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if "HTTP_AUTHORIZATION" not in request.META or not request.path_info.startswith(API):
            return get_response(request)
        answer = _called(request)
        if isinstance(answer, HttpResponse) and "Content-Length" not in answer.headers:
            answer.headers["Content-Length"] = str(len(answer.content))
        return answer

    return middleware


def _called(request: HttpRequest) -> HttpResponseBase:
    """What Django does with a request when no middleware is left."""
    try:
        request.get_host()  # refuses a host that is not ours
        match = get_resolver().resolve(request.path_info)
        request.resolver_match = match
        answer: HttpResponseBase = match.func(request, *match.args, **match.kwargs)
    except Http404:
        return problem_of_status(404, SENTENCES[404])
    except SuspiciousOperation:
        return problem_of_status(400, SENTENCES[400])
    return answer


def _is_json(answer: HttpResponseBase) -> bool:
    return answer.headers.get("Content-Type", "").split(";")[0].endswith("json")
