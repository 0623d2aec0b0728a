"""Every error is a problem document (RFC 9457) with a code of its own: never HTML, never a trace."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from brain.errors import BlockedByForget, BrainError
from brain.tokens import FORGET

MEDIA_TYPE = "application/problem+json"
MEANING = "/api/v1/docs#"  # where a code is explained: the problem's type
PROBLEMS: dict[str, tuple[int, str]] = {
    "bad_request": (400, "The request cannot be read"),
    "unauthenticated": (401, "Not signed in"),
    "forbidden": (403, "Not allowed"),
    "as_of_pinned": (403, "The token is pinned to one instant"),
    "other_user": (403, "Written by somebody else"),
    "self_approval": (403, "Nobody decides on their own request"),
    "approval_rejected": (403, "A person rejected this request"),
    "approval_expired": (403, "Nobody decided in time"),
    "not_found": (404, "Not found"),
    "method_not_allowed": (405, "Method not allowed"),
    "conflict": (409, "Something else holds"),
    "idempotency_mismatch": (409, "The key was used for another request"),
    "already_decided": (409, "Already decided"),
    "blocked_by_forget": (409, "Forgotten, and not to be taught again"),
    "held": (409, "Under a legal hold"),
    "too_large": (413, "Too large"),
    "unsupported_media_type": (415, "Not JSON"),
    "invalid": (422, "Invalid input"),
    "frozen": (423, "Frozen"),
    "rate_limited": (429, "Too many requests"),
    "internal": (500, "Something broke on our side"),
    "busy": (503, "Busy, safe to retry"),
}
BY_STATUS = {400: "bad_request", 401: "unauthenticated", 403: "forbidden", 404: "not_found", 405: "method_not_allowed"}
LONGEST_NAME = 100  # characters of an unknown field's name that are said back

Errors = Iterable[tuple[str, str]]


class Refusal(Exception):
    """A refusal that belongs to the door, not to the brain."""

    def __init__(
        self, code: str, detail: str, errors: Errors = (), *, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.code, self.detail, self.errors, self.headers = code, detail, list(errors), headers or {}

    @classmethod
    def invalid(cls, errors: Errors) -> Refusal:
        named = list(errors)
        return cls("invalid", "; ".join(f"{field}: {message}" for field, message in named), named)


REFUSALS = (Refusal, BrainError, ValidationError, HttpError, Http404)


def problem(
    code: str, detail: str, errors: Errors = (), *, headers: Mapping[str, str] | None = None, status: int | None = None
) -> HttpResponse:
    known, title = PROBLEMS[code]
    document: dict[str, Any] = {
        "type": MEANING + code,
        "title": title,
        "status": status or known,
        "detail": detail,
        "code": code,
    }
    if named := [{"field": field[:LONGEST_NAME], "message": message} for field, message in errors]:
        document["errors"] = named
    # escaped to ASCII: a name that is said back may hold what UTF-8 cannot
    answer = HttpResponse(json.dumps(document), status=status or known, content_type=MEDIA_TYPE, headers=headers)
    answer["Cache-Control"] = "no-store"
    if code == "unauthenticated":
        answer["WWW-Authenticate"] = 'Bearer realm="palimpsest"'
    return answer


def refused(request: HttpRequest, error: Exception | type[Exception]) -> HttpResponse:
    """The problem document of any of REFUSALS."""
    if isinstance(error, Refusal):
        return problem(error.code, error.detail, error.errors, headers=error.headers)
    if isinstance(error, BrainError):
        return problem(shown_code(error, request), error.detail, error.errors)
    if isinstance(error, ValidationError):
        return refused(request, Refusal.invalid(map(_named, error.errors)))
    if isinstance(error, HttpError):
        return problem_of_status(error.status_code, error.message)
    return problem("not_found", "there is nothing here")


def shown_code(error: BrainError, request: HttpRequest) -> str:
    """What was forgotten is not given away: only who may forget learns that a value is blocked."""
    caller = getattr(request, "caller", None)
    if isinstance(error, BlockedByForget) and (caller is None or not caller.holds(FORGET)):
        return "forbidden"
    return error.code


def problem_of_status(status: int, detail: str) -> HttpResponse:
    code = BY_STATUS.get(status) or ("internal" if status >= 500 else "bad_request")
    return problem(code, detail, status=status)


def _named(error: Mapping[str, Any]) -> tuple[str, str]:
    """(field, rule) of one of ninja's errors, whose place is (where, parameter of the view, field, …)."""
    place = [str(part) for part in error["loc"]]
    inner = place[1:] if place[0] in {"query", "path", "header"} else place[2:]
    return ".".join(inner) or "body", rule(error)


def rule(error: Mapping[str, Any]) -> str:
    """The rule that was broken, in our words where pydantic's are about code."""
    if error["type"] == "missing":
        return "is required"
    if error["type"] == "extra_forbidden":
        return "is unknown"
    return str(error["msg"]).removeprefix("Value error, ")


def register(api: NinjaAPI) -> None:
    for kind in REFUSALS:
        api.add_exception_handler(kind, refused)
