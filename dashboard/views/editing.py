"""Editing: a fact's value is changed in its row, previewed as old → new, saved through remember, and may be undone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect, reswap, retarget, trigger_client_event

from brain import journal, listing
from brain.describe import FactAt, describe
from brain.errors import BrainError, Conflict, NotFound
from brain.foresee import foresee
from brain.models import Fact
from brain.remember import remember
from brain.retire import retract
from brain.time import AsOf
from brain.tokens import FORGET, WRITE
from dashboard import roles
from dashboard.allowed import actor, may, needs
from dashboard.editing import ChangeForm, Draft, begun
from dashboard.foretelling import foretold, overtaken
from dashboard.htmx import wants_partial
from dashboard.paging import Page
from dashboard.reading import Reading, encode
from dashboard.reading import of as reading_of
from dashboard.views.facts import rows_of

EDITABLE = {"current", "scheduled", "covered"}
UNDONE = "Undone right after it was saved"


@dataclass(frozen=True, slots=True)
class Saved:
    """What was saved: the fact that says it, and what agents read at its beginning before."""

    fact: FactAt
    old: FactAt | None
    may_undo: bool


@needs(WRITE)
@require_http_methods(["GET", "POST"])
def change(request: HttpRequest, fact_id: int) -> HttpResponse:
    fact = found(request, fact_id)
    context = {"fact": fact, "action": request.path, "place": place(request), "back": back(request)}
    context["again"] = request.POST.get("again") or request.GET.get("again", "")
    if request.method == "GET":
        if fact.status not in EDITABLE:
            return show(
                request, context | {"refusal": "This value does not hold any more, so there is nothing to edit."}
            )
        return show(request, context | {"form": begun(fact, journal.last_id())})
    form = ChangeForm(request.POST, of=fact)
    return tried(request, context | {"form": form}, lambda: form.change(fact, actor(request)))


def found(request: HttpRequest, fact_id: int) -> FactAt:
    reader = roles.reader(request)
    at = journal.resolve(reader=reader)
    try:
        return describe([listing.fact(fact_id, at, reader)], at, reader)[0]
    except NotFound:
        raise Http404 from None


def place(request: HttpRequest) -> str:
    """Where the form stands: in a row of the table, or on a page of its own."""
    asked = request.POST.get("place", "")
    return asked if asked in ("row", "page") else "row" if wants_partial(request) else "page"


def back(request: HttpRequest) -> str:
    """The address of the list that the person came from."""
    asked = request.POST.get("next") or request.GET.get("next", "")
    return asked if url_has_allowed_host_and_scheme(asked, allowed_hosts=None) else reverse("facts")


def the_list(request: HttpRequest) -> str:
    """The list of facts as the person left it, where they came from it."""
    facts = reverse("facts")
    return back(request) if back(request).partition("?")[0] == facts else facts


# -- preview and save


def tried(request: HttpRequest, context: dict[str, Any], drafted: Callable[[], Draft]) -> HttpResponse:
    """Saves what was previewed; everything else is previewed, or comes back with what is wrong with it."""
    form: ChangeForm = context["form"]
    if not form.is_valid():
        return show(request, context, status=422)
    draft, wants = drafted(), request.POST.get("step") == "save" or form.cleaned_data["over"] is not None
    try:
        said = draft.guarded()
        if wants and form.cleaned_data["shown"] == draft.mark:
            saved = remember(said, actor=actor(request), reason=draft.reason, reader=roles.reader(request))
            return kept(request, context, saved.fact)
        seen = foresee(said, actor=actor(request), reader=roles.reader(request))
    except Conflict:
        return show(request, context | {"overtaken": overtaken(draft, roles.reader(request))}, status=422)
    except BrainError as refusal:
        return show(request, context | {"refusal": refusal.detail}, status=422)
    return show(request, context | {"foretold": foretold(seen, draft)})


def show(request: HttpRequest, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """The preview alone while somebody types, else the form in its row or on its page."""
    live = request.POST.get("step") == "live"
    if not wants_partial(request):
        template = "editing/page.html"
    elif live:
        template, status = "editing/form.html#foreseen", 200
    else:
        template = "editing/row.html" if request.method == "GET" else "editing/form.html"
    context = context | {"list": the_list(request)}
    if "form" in context:
        context = context | {"problems": context["form"].problems(unfinished=live)}
    response = HttpResponse(render_to_string(template, context, request), status=status)
    response["Vary"] = "HX-Request"
    return response


def kept(request: HttpRequest, context: dict[str, Any], row: Fact) -> HttpResponse:
    """In a row: the new row, and a line with the way to undo it. Elsewhere: a page that says so."""
    where = f"{reverse('facts-saved', args=[row.origin_id])}?{encode({'next': context['back']})}"
    if not wants_partial(request):
        return redirect(where)
    if context["place"] == "page":
        return HttpResponseClientRedirect(where)
    saved = saved_now(request, found(request, row.origin_id))
    response = swapped(request, context["fact"].id, saved)
    return reswap(retarget(response, f"#editor-{context['fact'].id}"), "delete")


def swapped(request: HttpRequest, old: int, saved: Saved, *, undone: bool = False) -> HttpResponse:
    """The row of the fact `old` replaced by what holds now, beside the line that says what was done."""
    reading = reading_of(request)
    rows = row_now(saved.fact, reading)
    context = {"saved": saved, "undone": undone, "rows": rows, "replaces": old, "back": back(request)}
    context |= {"again": request.POST.get("again", ""), "time": {"tense": "now", "query": ""}, "may_write": True}
    response = HttpResponse(render_to_string("editing/saved.html#swapped", context, request))
    focus = f"row-{rows[0].fact.id}" if rows else ""
    return trigger_client_event(response, "edited", {"row": focus}, after="settle")


def row_now(fact: FactAt, reading: Reading) -> list[Any]:
    """The table's row of what holds now of the fact's key: one, or none."""
    held = Fact.objects.as_of(reading.at, audit=reading.reader.audit).about(fact.subject, fact.predicate)
    found = list(held.filter(key__scope=fact.scope).select_related("key"))
    return rows_of(Page(found, 0, None, None), reading)


def saved_now(request: HttpRequest, fact: FactAt) -> Saved:
    reader = roles.reader(request)
    row = listing.fact(fact.id, journal.resolve(reader=reader), reader)
    before = AsOf(fact.learned_at, row.recorded_in_id - 1, latest=False)
    rows = Fact.objects.as_of(before).filter(key=row.key_id).select_related("key")
    held = describe(rows, before, reader)
    return Saved(fact, held[0] if held else None, may_undo(request, fact))


def may_undo(request: HttpRequest, fact: FactAt) -> bool:
    mine = fact.written_by == actor(request) or may(request, FORGET)
    return mine and fact.status not in ("retracted", "forgotten")


@needs(WRITE)
def saved(request: HttpRequest, fact_id: int) -> HttpResponse:
    told = saved_now(request, found(request, fact_id))
    context = {"saved": told, "back": back(request), "list": the_list(request)}
    return HttpResponse(render_to_string("editing/saved.html", context, request))


@require_POST
@needs(WRITE)
def undo(request: HttpRequest, fact_id: int) -> HttpResponse:
    """Unsays what was just saved; the value before holds again."""
    fact = found(request, fact_id)
    if fact.written_by != actor(request) and not may(request, FORGET):
        raise PermissionDenied("Somebody else wrote this. Undoing it is for operators.")
    retract(fact.id, actor=actor(request), reason=UNDONE, reader=roles.reader(request))
    if wants_partial(request):
        return swapped(request, fact.id, Saved(fact, saved_now(request, fact).old, may_undo=False), undone=True)
    messages.success(request, f"Undone: {fact.subject}, {fact.predicate} is as it was before.")
    return redirect(back(request))
