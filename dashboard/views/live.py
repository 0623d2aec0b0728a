"""Live: an open page asks what has changed since it was drawn, and learns it in one small answer."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django_htmx.http import trigger_client_event

from brain.journal import last_id
from dashboard import roles
from dashboard.allowed import actor, needs
from dashboard.news import changed_since, sentence
from dashboard.roles import READ

CHANGED = "brain-changed"


@needs(READ)
def live(request: HttpRequest) -> HttpResponse:
    """204 while there is nothing new. `opened` is the operation at which the page was opened, `shown` the one that its
    rows show, `told` the last one that its reader was told of."""
    opened, shown, told = (_number(request, name) for name in ("opened", "shown", "told"))
    last, busy = last_id(), "editing" in request.GET
    if last == (max(shown, told) if busy else shown) or reads_the_past(request):
        return HttpResponse(status=204)
    others = changed_since(opened, roles.reader(request), but=actor(request))
    context = {"news": sentence(others) if others else "", "opened": opened, "told": last}
    context |= {"shown": shown if busy else last, "waiting": busy and bool(others), "page": page_address(request)}
    response = render(request, "editing/live.html", context)
    return response if busy else trigger_client_event(response, CHANGED, after="swap")


def _number(request: HttpRequest, name: str) -> int:
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 19 else 0


def page_address(request: HttpRequest) -> str:
    """Path and query of the page that asks."""
    parts = urlsplit(request.headers.get("HX-Current-URL", ""))
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def reads_the_past(request: HttpRequest) -> bool:
    asked = parse_qs(urlsplit(page_address(request)).query)
    return "as_of" in asked or "known_at" in asked
