"""Forget: four forms, each previewed in counts and rows, confirmed by typing the count, and receipted."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse

from brain import journal, receipts, storage
from brain.errors import BrainError
from brain.forget import Forgotten
from brain.seen import MovedOn, as_seen, mark, size
from brain.taken import listed
from brain.time import DAY
from brain.tokens import FORGET
from dashboard import roles
from dashboard.allowed import actor, needs
from dashboard.answering import asked_in_words
from dashboard.confirming import Confirmation
from dashboard.fact_cells import COLUMNS, cells
from dashboard.forgetting import FORMS, Form
from dashboard.journaling import ERASING
from dashboard.leftovers import TABLE
from dashboard.reading import encode
from dashboard.spreadsheets import download, lines
from dashboard.views.receipt import keep_storage

LOOK = "A preview; nothing is stored."
SHOWN, RELYING = 200, 20


@needs(FORGET)
def forget_page(request: HttpRequest) -> HttpResponse:
    """The first question: which of the four ways."""
    return render(request, "forget/page.html", {"forms": FORMS.values(), "leaves": TABLE})


@needs(FORGET)
def forget_form(request: HttpRequest, slug: str) -> HttpResponse:
    if slug not in FORMS:
        raise Http404
    form = FORMS[slug](request.GET)
    if not form.is_valid():
        return _choose(request, form, status=422)
    if not form.names or "change" in request.GET:
        return _choose(request, form)
    if request.method == "POST":
        return _commit(request, form)
    if not form.is_canonical(request.GET):
        return redirect(f"{request.path}?{form.query}")
    return _preview(request, form)


@needs(FORGET)
def forget_rows(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Every row that the preview counts, for a spreadsheet."""
    if slug not in FORMS:
        raise Http404
    form = FORMS[slug](request.GET)
    if not form.is_valid() or not form.names:
        return redirect(f"{reverse('forget-form', args=[slug])}?{encode(request.GET)}")
    try:
        _forget(request, form, reason=LOOK, dry_run=True)
    except BrainError as refusal:
        return _refused(request, form, refusal)
    reader = roles.reader(request)
    rows = ([*cells(fact), fact.id, "yes" if held else ""] for fact, held in listed(form.taking(reader), reader))
    return download(f"to-{slug}.csv", lines((*COLUMNS, "Fact", "On hold"), rows, for_spreadsheets=True))


def _refused(request: HttpRequest, form: Form, refusal: BrainError) -> HttpResponse:
    return render(request, "forget/refused.html", {"asked": form, "refusal": refusal.detail}, status=409)


def _choose(request: HttpRequest, form: Form, *, status: int = 200) -> HttpResponse:
    shown = form if request.GET else type(form)()
    now = journal.now()
    ages = [(days, now - days * DAY) for days in (90, 365, 730)] if form.slug == "age" else []
    return render(request, "forget/choose.html", {"form": shown, "ages": ages}, status=status)


def _forget(request: HttpRequest, form: Form, *, reason: str, dry_run: bool) -> Forgotten:
    return form.carry_out(actor=actor(request), reason=reason, reader=roles.reader(request), dry_run=dry_run)


def _preview(
    request: HttpRequest,
    form: Form,
    *,
    confirm: Confirmation | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    try:
        found = _forget(request, form, reason=LOOK, dry_run=True)
    except BrainError as refusal:
        return _refused(request, form, refusal)
    confirm = confirm or Confirmation(size(found), mark(found))
    context: dict[str, Any] = {"asked": form, "found": found, "form": confirm, "problem": problem}
    context |= {"size": size(found), "shown": found.changes[:SHOWN], "now": journal.now()}
    context["erases"] = form.kind in ERASING
    context["relying"] = [(row, asked_in_words(row)) for row in receipts.relying(found.relied, RELYING)]
    return render(request, "forget/preview.html", context, status=status)


def _commit(request: HttpRequest, form: Form) -> HttpResponse:
    confirm = Confirmation.posted(request.POST)
    if not confirm.is_valid():
        return _preview(request, form, confirm=confirm, status=422)
    given = confirm.cleaned_data
    try:
        done = as_seen(lambda: _forget(request, form, reason=given["reason"], dry_run=False), given)
    except MovedOn as moved:
        return _preview(request, form, problem=moved.detail, status=409)
    except BrainError as refusal:
        return _refused(request, form, refusal)
    return _done(request, done)


def _done(request: HttpRequest, done: Forgotten) -> HttpResponse:
    if done.operation is None:
        raise Http404
    if done.job is not None:
        return redirect("job", number=done.job.pk)
    if done.storage is not None:  # the verb ran inside our turn, so its bytes go now that the turn has ended
        keep_storage(request, done.operation, storage.wipe())
    return redirect(reverse("receipt", args=[done.operation.pk]))
