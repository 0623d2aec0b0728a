"""What fails before or beside a route (no such route, wrong method, bad host, a fault of ours) is a problem too."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from dashboard.api.errors import problem_of_status

DOORS = ("/api/", "/mcp")
SENTENCES = {
    400: "the request cannot be read",
    404: "there is nothing here",
    405: "this route does not take that method",
    413: "the request is too large",
}
KEPT_HEADERS = ("Allow", "Retry-After")


def problems(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
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


def _is_json(answer: HttpResponseBase) -> bool:
    return answer.headers.get("Content-Type", "").split(";")[0].endswith("json")
