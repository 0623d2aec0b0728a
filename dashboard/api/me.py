"""GET /me: what the caller is to the brain."""

from __future__ import annotations

from django.http import HttpResponse

from brain.tokens import GRANTS
from dashboard.api.answers import instant, read_json
from dashboard.api.gate import ApiRequest
from dashboard.api.routing import router
from dashboard.api.shapes import Me


@router.get("/me", response=Me, operation_id="me")
def get_me(request: ApiRequest) -> HttpResponse:
    """The caller's name, grants, scope and pinned instant."""
    caller, token = request.caller, request.caller.token
    answer = {
        "name": caller.name,
        "owner": caller.owner.get_username() if caller.owner else None,
        "grants": [grant for grant in GRANTS if caller.holds(grant)],
        "scope": caller.scope,
        "as_of": instant(caller.pin),
        "expires_at": instant(token.expires_at) if token else None,
        "rate": token.rate if token else None,
    }
    return read_json(request, answer, answer)
