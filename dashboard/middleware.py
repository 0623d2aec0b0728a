"""Around every page: nobody reads without signing in, and clock times are shown in the reader's zone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone

ZONE_COOKIE = "zone"
DOORS_WITH_A_LOCK_OF_THEIR_OWN = ("/api/", "/mcp", "/healthz", "/readyz", "/metrics", "/static/")


class SignInRequired(LoginRequiredMiddleware):
    """Sends whoever has not signed in to the sign-in page; doors for programs answer for themselves."""

    def process_view(self, request: HttpRequest, view_func: Callable[..., Any], *rest: Any) -> HttpResponseBase | None:
        if request.path_info.startswith(DOORS_WITH_A_LOCK_OF_THEIR_OWN):
            return None
        return super().process_view(request, view_func, *rest)


def reader_zone(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Activates the zone that the browser named in a cookie, else the brain's."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with timezone.override(named_zone(request.COOKIES.get(ZONE_COOKIE, ""))):
            return get_response(request)

    return middleware


def named_zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name or settings.BRAIN_TIME_ZONE)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo(settings.BRAIN_TIME_ZONE)
