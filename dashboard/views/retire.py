"""Retiring single facts: held until, written by mistake, withheld, erased, given back; each says what it leaves."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.shortcuts import render as render_page
from django.urls import reverse

from brain import journal, receipts
from brain.describe import FactAt, describe
from brain.errors import BrainError, NotFound
from brain.forget import restore
from brain.listing import fact as one_fact
from brain.models import Fact
from brain.retire import end
from brain.seen import MovedOn, as_seen, mark, size
from brain.tokens import FORGET, WRITE
from brain.whatif import what_if
from dashboard import fields, roles
from dashboard.allowed import actor, needs
from dashboard.answering import asked_in_words
from dashboard.confirming import Confirmation, Reason
from dashboard.fields import Numbers
from dashboard.htmx import render
from dashboard.leftovers import BY_KIND
from dashboard.retiring import own_or_any, retract_all

LOOK = "A preview; nothing is stored."


class EndForm(Reason):
    at = fields.Through(
        label="Held through", required=False, widget=forms.TextInput(attrs={"placeholder": "30 Jun 2026"})
    )
    never = forms.BooleanField(label="It has no end", required=False)
    field_order = ["at", "never", "reason"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "at" not in self.errors and (cleaned.get("at") is None) != bool(cleaned.get("never")):
            self.add_error("at", "Name the last day on which it holds, or say that it has no end.")
        return cleaned


@needs(WRITE, FORGET)
def end_fact(request: HttpRequest, number: int) -> HttpResponse:
    [row] = own_or_any(request, [number])
    asked = {"at": request.GET.get("at", ""), "never": request.GET.get("never", "")}
    form = EndForm(request.POST) if request.method == "POST" else EndForm(initial=asked)
    if request.method == "POST" and form.is_valid():
        return _end(request, row, form)
    context = _about(request, row) | {"form": form, "leaves": BY_KIND["end"]}
    if any(asked.values()):
        context |= _ending(request, row, asked)
    return render(request, "retire/end.html", context, partial="consequence", status=422 if form.errors else 200)


def _ending(request: HttpRequest, row: Fact, asked: dict[str, str]) -> dict[str, Any]:
    """What would hold at the end, in place of what holds there without it; or why not."""
    form = EndForm({**asked, "reason": LOOK})
    if not form.is_valid():
        return {"refusal": next(iter(form.errors.values()))[0]}
    at, reader = form.cleaned_data["at"], roles.reader(request)
    looked = at if at is not None else row.expires_at
    try:
        moved = what_if(
            lambda: end(row.origin_id, at=at, actor=actor(request), reason=LOOK, reader=reader), [row.key_id], at=looked
        )
    except BrainError as refusal:
        return {"refusal": _plain(refusal)}
    return {"at": at, "moved": moved[0] if moved else None, "looked": looked, "seen": True}


def _plain(refusal: BrainError) -> str:
    return PLAIN.get(refusal.errors[0][1], refusal.detail) if refusal.errors else refusal.detail


PLAIN = {
    "must be later than learned_at": "It has to end after the day from which it holds.",
    "a temporary value needs an end": "A value for a time needs an end.",
}


def _end(request: HttpRequest, row: Fact, form: EndForm) -> HttpResponse:
    given = form.cleaned_data
    try:
        done = end(
            row.origin_id, at=given["at"], actor=actor(request), reason=given["reason"], reader=roles.reader(request)
        )
    except BrainError as refusal:
        context = _about(request, row) | {"form": form, "refusal": _plain(refusal), "leaves": BY_KIND["end"]}
        return render(request, "retire/end.html", context, partial="consequence", status=409)
    said = "It had that end already; nothing was changed." if done.outcome == "unchanged" else "Saved: its end is set."
    return _back(request, row, f"{said} Operation {done.operation_id}.")


def _about(request: HttpRequest, row: Fact) -> dict[str, Any]:
    return {"fact": _shown(request, row), "row": row}


def _shown(request: HttpRequest, row: Fact) -> FactAt:
    reader = roles.reader(request)
    return describe([row], journal.resolve(reader=reader), reader)[0]


def _back(request: HttpRequest, row: Fact, said: str) -> HttpResponse:
    messages.success(request, said)
    return redirect(f"{reverse('subject', args=[row.key.subject])}?fact={row.origin_id}#detail")


# -- written by mistake


@needs(WRITE, FORGET)
def retract_fact(request: HttpRequest, number: int) -> HttpResponse:
    return _retract(request, own_or_any(request, [number]))


@needs(WRITE, FORGET)
def retract_facts(request: HttpRequest) -> HttpResponse:
    """Several at once, as the admin's action asks for it."""
    try:
        ids = Numbers().clean(", ".join(request.GET.getlist("ids")))
    except forms.ValidationError as problem:
        raise Http404(problem.messages[0]) from problem
    if not ids:
        raise Http404("no facts were named")
    return _retract(request, own_or_any(request, ids))


def _retract(request: HttpRequest, rows: list[Fact]) -> HttpResponse:
    form = Confirmation.posted(request.POST) if request.method == "POST" else None
    if form is None or not form.is_valid():
        return _mistake(request, rows, form)
    given, reader = form.cleaned_data, roles.reader(request)
    try:
        as_seen(
            lambda: retract_all(rows, actor=actor(request), reason=given["reason"], reader=reader, dry_run=False), given
        )
    except MovedOn as moved:
        return _mistake(request, rows, None, problem=moved.detail)
    except BrainError as refusal:
        return _mistake(request, rows, None, problem=refusal.detail)
    return _back(request, rows[0], "Taken back: it counts as never said from now on. The journal can undo that.")


def _mistake(request: HttpRequest, rows: list[Fact], form: Confirmation | None, *, problem: str = "") -> HttpResponse:
    reader = roles.reader(request)
    context: dict[str, Any] = {"row": rows[0], "fact": _shown(request, rows[0]), "leaves": BY_KIND["retract"]}
    context |= {"facts": describe(rows, journal.resolve(reader=reader), reader), "problem": problem}
    try:
        found = retract_all(rows, actor=actor(request), reason=LOOK, reader=reader, dry_run=True)
    except BrainError as refusal:
        return render_page(request, "retire/retract.html", context | {"refusal": refusal.detail}, status=409)
    context |= {"found": found, "size": size(found), "form": form or Confirmation(size(found), mark(found))}
    context["relying"] = [(row, asked_in_words(row)) for row in receipts.relying(found.relied, 20)]
    status = 422 if form else 409 if problem else 200
    return render_page(request, "retire/retract.html", context, status=status)


# -- withhold, erase, give back


@needs(FORGET)
def withhold_fact(request: HttpRequest, number: int) -> HttpResponse:
    return redirect(f"{reverse('forget-form', args=['withhold'])}?ids={number}")


@needs(FORGET)
def erase_fact(request: HttpRequest, number: int) -> HttpResponse:
    return redirect(f"{reverse('forget-form', args=['erase'])}?ids={number}")


@needs(FORGET)
def restore_fact(request: HttpRequest, number: int) -> HttpResponse:
    reader = roles.reader(request)
    try:
        row = one_fact(number, journal.resolve(reader=reader), reader)
    except NotFound as missing:
        raise Http404(missing.detail) from missing
    form = Reason(request.POST if request.method == "POST" else None)
    problem = ""
    if form.is_valid():
        try:
            done = restore(number, actor=actor(request), reason=form.cleaned_data["reason"], reader=reader)
        except BrainError as refusal:
            problem = refusal.detail
        else:
            return _back(request, row, f"Given back: agents read it again. Operation {done.operation_id}.")
    context = _about(request, row) | {"form": form, "problem": problem}
    return render_page(request, "retire/restore.html", context, status=422 if form.errors or problem else 200)
