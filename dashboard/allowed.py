"""A page says which grants open it, and the server refuses everyone else, whatever was shown to them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from brain.tokens import AUDIT, FORGET, MANAGE, WRITE
from dashboard import roles

type View = Callable[..., HttpResponseBase]

CLAIMS = "claims"  # settling claims: people who keep prices may, though they do not manage the brain
WHY = {
    AUDIT: "This is for auditors and operators.",
    FORGET: "Taking facts away is for operators.",
    MANAGE: "This is for operators.",
    WRITE: "Your role reads; it does not write.",
    CLAIMS: "Settling claims is for the people who keep prices, and for operators.",
}


def may(request: HttpRequest, grant: str) -> bool:
    held = roles.grants(request.user)
    if grant == CLAIMS:
        return MANAGE in held or "pricing" in roles.roles(request.user)
    return grant in held


def need(request: HttpRequest, *grants: str) -> None:
    """Raises PermissionDenied unless the person holds one of the grants."""
    if not any(may(request, grant) for grant in grants):
        raise PermissionDenied(WHY.get(grants[0], "Your role does not open this page."))


def needs(*grants: str) -> Callable[[View], View]:
    """Decorates a view: any one of the grants opens it."""

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            need(request, *grants)
            return view(request, *args, **kwargs)

        return guarded

    return decorate


def actor(request: HttpRequest) -> str:
    return str(request.user.get_username())
