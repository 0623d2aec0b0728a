"""Rewind: what to undo, what that would change, why, the typed count; then one operation on top of the journal."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from brain import journal, receipts, rewind_later
from brain.errors import BrainError
from brain.models import Fact, Job, Operation
from brain.rewind import Rewound, TouchedSince, rewind
from brain.seen import MovedOn, as_seen, mark, size
from brain.tokens import MANAGE
from brain.turns import PATIENCE
from dashboard import roles
from dashboard.allowed import actor, needs
from dashboard.answering import asked_in_words
from dashboard.journaling import UNDOABLE
from dashboard.rewinding import Asked, RewindConfirmation, RewindForm, is_canonical
from dashboard.undo_chart import undo_chart
from dashboard.views.journal import lines

LOOK = "A preview; nothing is stored."  # the verb asks for a reason even of a rehearsal
RECENT, SHOWN, RELYING = 20, 200, 20


@needs(MANAGE)
def rewind_page(request: HttpRequest) -> HttpResponse:
    form = RewindForm(request.GET)
    if not form.is_valid():
        return _choose(request, form, status=422)
    if not form.names_a_target or "change" in request.GET:
        return _choose(request, form)
    asked = form.asked
    if request.method == "POST":
        return _commit(request, asked)
    if not is_canonical(request.GET, asked):
        return redirect(f"{request.path}?{asked.query}")
    return _preview(request, asked)


def _choose(request: HttpRequest, form: RewindForm, *, status: int = 200) -> HttpResponse:
    """The first step: what to undo. Shows the latest operations, of the actor asked for, to go back before."""
    reader, who = roles.reader(request), form.cleaned_data.get("actor")
    recent = list(journal.operations(reader, actor=who).filter(kind__in=UNDOABLE)[:RECENT])
    known = RewindForm(request.GET if request.GET else None)
    context = {"form": known, "recent": lines(recent, reader), "actor": who, "actors": _actors()}
    return render(request, "rewind/choose.html", context, status=status)


def _actors() -> list[str]:
    latest = Operation.objects.order_by("-pk").values("pk")[:2000]
    return sorted(set(Operation.objects.filter(pk__in=latest).values_list("actor", flat=True).distinct()))[:200]


def _rewind(request: HttpRequest, asked: Asked, *, reason: str, dry_run: bool) -> Rewound:
    reader = roles.reader(request)
    return rewind(asked.point, actor=actor(request), reason=reason, reader=reader, part=asked.part, dry_run=dry_run)


def _preview(
    request: HttpRequest, asked: Asked, *, form: RewindConfirmation | None = None, problem: str = "", status: int = 200
) -> HttpResponse:
    started = perf_counter()
    try:
        found = _rewind(request, asked, reason=LOOK, dry_run=True)
    except BrainError as refusal:
        return _refused(request, asked, refusal)
    took = perf_counter() - started
    rows = found.retracted + found.restored
    form = form or RewindConfirmation(size(found), mark(found), rows=rows, took=round(took, 1))
    context = {"asked": asked, "found": found, "form": form, "problem": problem, "took": took, "now": journal.now()}
    context |= {"patience": PATIENCE, "later": rows > rewind_later.AT_ONCE}
    context |= {"chart": undo_chart(asked), "shown": found.changes[:SHOWN], "size": size(found)}
    context["relying"] = [(row, asked_in_words(row)) for row in receipts.relying(found.relied, RELYING)]
    return render(request, "rewind/preview.html", context, status=status)


def _refused(request: HttpRequest, asked: Asked, refusal: BrainError) -> HttpResponse:
    context: dict[str, Any] = {"asked": asked, "refusal": refusal.detail}
    if isinstance(refusal, TouchedSince):
        fact = Fact.objects.filter(origin=refusal.fact).select_related("key").order_by("-pk").first()
        later = Operation.objects.get(pk=refusal.operation)
        together = ",".join(map(str, sorted({*(asked.operations or ()), later.pk})))
        said = Fact.objects.filter(recorded_in__in=asked.operations or ()).order_by().values("origin_id")
        context["undone"] = not Fact.objects.filter(origin__in=said, retracted_in__isnull=True).exists()
        context |= {"fact": fact, "later": later, "together": together, "first": min(asked.operations or (1,)) - 1}
    return render(request, "rewind/refused.html", context, status=409)


def _commit(request: HttpRequest, asked: Asked) -> HttpResponse:
    form = RewindConfirmation.posted(request.POST)
    if not form.is_valid():
        return _preview(request, asked, form=form, status=422)
    given = form.cleaned_data
    if (given["rows"] or given["expected"]) > rewind_later.AT_ONCE:
        return redirect("job", number=_start(request, asked, given).pk)
    try:
        done = as_seen(lambda: _rewind(request, asked, reason=given["reason"], dry_run=False), given)
    except MovedOn as moved:
        return _preview(request, asked, problem=moved.detail, status=409)
    except BrainError as refusal:
        return _refused(request, asked, refusal)
    return redirect(reverse("receipt", args=[done.operation.pk if done.operation else 0]))


def _start(request: HttpRequest, asked: Asked, given: dict[str, Any]) -> Job:
    return rewind_later.start(
        asked.point,
        actor=actor(request),
        reason=given["reason"],
        reader=roles.reader(request),
        part=asked.part,
        seen={"seen": given["seen"], "expected": given["expected"]},
        rows=given["rows"] or given["expected"],
        took=given["took"] or 0.0,
    )
