"""Adding a fact: what exists is suggested while somebody types, look-alikes are flagged before they are saved."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from brain import journal, saying
from brain.errors import Invalid
from brain.suggesting import SUGGESTED, suggestions
from brain.tokens import WRITE
from dashboard import roles
from dashboard.allowed import actor, needs
from dashboard.editing import AddForm, opened
from dashboard.views.editing import back, show, tried


@needs(WRITE)
@require_http_methods(["GET", "POST"])
def add(request: HttpRequest) -> HttpResponse:
    context: dict[str, Any] = {"fact": None, "action": request.path, "place": "page", "back": back(request)}
    if request.method == "GET":
        about = {name: request.GET.get(name, "") for name in SUGGESTED}
        return show(request, context | {"form": opened(about, journal.last_id())})
    form = AddForm(request.POST)
    return tried(request, context | {"form": form}, lambda: form.fact(actor(request)))


@needs(WRITE)
def suggest(request: HttpRequest) -> HttpResponse:
    """Existing subjects, predicates, sources or scopes that contain what was typed, as options of a datalist."""
    field = request.GET.get("field", "")
    if field not in SUGGESTED:
        return HttpResponse(status=404)
    found = suggestions(field, _typed(field, request), subject=_typed("subject", request), reader=roles.reader(request))
    return render(request, "editing/suggestions.html", {"found": found})


def _typed(field: str, request: HttpRequest) -> str:
    try:
        return saying.text(field, request.GET.get(field, ""))
    except Invalid:
        return ""
