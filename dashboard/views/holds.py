"""Legal holds: what they keep is seen before they are placed; lifting one asks for a reason too."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from brain import holds, journal
from brain.describe import describe
from brain.errors import BrainError
from brain.models import LegalHold
from brain.selectors import Selector
from brain.tokens import MANAGE
from dashboard import fields, roles
from dashboard.allowed import actor, needs
from dashboard.confirming import Reason
from dashboard.forgetting import WORDS, Selecting

SAMPLE = 10


class HoldForm(Selecting):
    """The selector of a hold; it never blocks."""

    kind, slug, title, verb, purge = "place_hold", "hold", "Place a hold", "Hold", False
    block = None  # type: ignore[assignment]

    @property
    def selector(self) -> Selector:
        return Selector(**self.cleaned_data)


@needs(MANAGE)
def holds_page(request: HttpRequest) -> HttpResponse:
    form = HoldForm(request.GET)
    asked = form.is_valid() and form.names
    reason = Reason(request.POST if request.method == "POST" else None)
    if request.method == "POST" and asked and reason.is_valid():
        return _place(request, form.selector, reason.cleaned_data["reason"])
    context: dict[str, Any] = {"form": form if request.GET else HoldForm(), "asked": asked, "reason": reason}
    context["holds"] = [(hold, _words(hold)) for hold in holds.holds(roles.reader(request)).select_related("placed_in")]
    if asked:
        context |= _kept(request, form)
    status = 422 if reason.errors or (request.GET and form.errors) else 200
    return render(request, "holds/page.html", context, status=status)


def _kept(request: HttpRequest, form: HoldForm) -> dict[str, Any]:
    reader = roles.reader(request)
    facts = form.selector.facts(reader.scope)
    sample = facts.select_related("key").order_by("origin_id", "-id")[:SAMPLE]
    shown = describe(sample, journal.resolve(reader=reader), reader)
    return {"size": facts.order_by().values("origin_id").distinct().count(), "sample": shown, "query": form.query}


def _words(hold: LegalHold) -> list[tuple[str, str]]:
    """What a hold keeps: words and text of each field of its selector."""
    found = []
    for name, value in hold.selector.items():
        text = fields.runs(tuple(value)) if isinstance(value, list) else str(value)
        found.append((WORDS.get(name, name), text))
    return found


def _place(request: HttpRequest, selector: Selector, reason: str) -> HttpResponse:
    hold, done = holds.place(selector, actor=actor(request), reason=reason, reader=roles.reader(request))
    messages.success(request, f"Hold {hold.pk} is placed: nobody can forget what it matches. Operation {done.pk}.")
    return redirect("holds")


@require_POST
@needs(MANAGE)
def lift_hold(request: HttpRequest, number: int) -> HttpResponse:
    reason = Reason(request.POST)
    if not reason.is_valid():
        messages.error(request, "The hold stays: lifting it needs a reason.")
        return redirect("holds")
    try:
        done = holds.lift(
            number, actor=actor(request), reason=reason.cleaned_data["reason"], reader=roles.reader(request)
        )
    except BrainError as refusal:
        messages.error(request, refusal.detail)
    else:
        messages.success(request, f"Hold {number} is lifted. Operation {done.pk}.")
    return redirect("holds")
