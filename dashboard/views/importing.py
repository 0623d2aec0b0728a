"""Import: a sheet is uploaded or pasted, its columns are mapped, it is previewed against the brain, and stored as one
operation."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from brain import staging
from brain.errors import BrainError, Invalid, NotFound
from brain.models import Operation
from brain.staging import Staged
from brain.tokens import AUDIT, WRITE
from dashboard import importing
from dashboard.allowed import actor, may, needs
from dashboard.htmx import wants_partial
from dashboard.mapping_form import MappingForm

MOST_BYTES = 50_000_000
SUFFIXES = (".csv", ".xlsx", ".ndjson")
SHOWN = 100
OUTCOMES = [
    ("created", "new", "nothing was said of them before"),
    ("superseded", "changed", "the value before is replaced"),
    ("scheduled", "scheduled", "they begin later"),
    ("backfilled", "backdated", "what holds now stays"),
    ("contested", "contested", "kept as claims until a person settles them"),
    ("unchanged", "unchanged", "the brain says so already"),
]


@needs(WRITE)
@require_http_methods(["GET", "POST"])
def upload(request: HttpRequest) -> HttpResponse:
    context: dict[str, Any] = {"most": MOST_BYTES // 1_000_000}
    if request.method == "POST":
        try:
            staged = received(request)
            small = staged.file(staged.state()["file"]).stat().st_size <= importing.INLINE_BYTES
            importing.start(staged, "reading", importing.read_columns, small=small)
            problem = staged.state()["problem"]
            if not problem:
                return redirect("import-one", token=staged.token)
            staged.drop()
        except BrainError as refusal:
            problem = refusal.errors[0][1] if refusal.errors else refusal.detail
        context |= {"problem": problem, "pasted": request.POST.get("pasted", "")}
    context["waiting"] = staging.waiting(owner=actor(request))
    return render(request, "importing/upload.html", context, status=422 if "problem" in context else 200)


def received(request: HttpRequest) -> Staged:
    """Keeps what was uploaded or pasted. Raises Invalid for anything else."""
    file, pasted = request.FILES.get("file"), request.POST.get("pasted", "")
    if isinstance(file, UploadedFile):
        name = PurePath(file.name or "").name[-60:]
        if not name.lower().endswith(SUFFIXES):
            raise Invalid.field("file", f"“{name}” must end in .csv, .xlsx or .ndjson")
        return staging.stage(name, file.chunks(), owner=actor(request), most=MOST_BYTES)
    if not pasted.strip():
        raise Invalid.field("file", "choose a file, or paste some rows with their header")
    name = "pasted.ndjson" if pasted.lstrip().startswith("{") else "pasted.csv"
    return staging.stage(name, [pasted.strip("\r\n").encode()], owner=actor(request), most=MOST_BYTES)


@needs(WRITE)
@require_http_methods(["GET", "POST"])
def one(request: HttpRequest, token: str) -> HttpResponse:
    try:
        staged = staging.find(token, owner=actor(request))
        state = importing.looked_at(staged)
        return acted(request, staged, state) if request.method == "POST" else shown(request, staged, state)
    except NotFound:
        raise Http404 from None


def acted(request: HttpRequest, staged: Staged, state: dict[str, Any]) -> HttpResponse:
    step, small = request.POST.get("step", ""), state.get("rows", 0) <= importing.INLINE_ROWS
    if step == "discard" and state["step"] not in importing.RUNNING:
        staged.drop()
        return redirect("import")
    if step == "columns" and state["step"] == "previewed":
        staged.note(step="columns", problem="")
    elif step == "preview" and state["step"] in ("columns", "previewed"):
        form = MappingForm(state, request.POST, writes_as=may(request, "write:as"))
        if not form.is_valid():
            return shown(request, staged, state, form=form)
        plan = form.plan()
        importing.start(staged, "previewing", importing.preview, small=small, plan=plan.as_state())
    elif step == "commit" and state["step"] == "previewed":
        if state["bad"] and not request.POST.get("skip_bad"):
            return shown(
                request, staged, state | {"problem": "Say that the bad rows are to be left out, or mend them."}
            )
        reason = request.POST.get("reason", "")
        importing.start(staged, "committing", importing.commit_as_seen, small=small, reason=reason)
    return redirect("import-one", token=staged.token)


def shown(
    request: HttpRequest, staged: Staged, state: dict[str, Any], *, form: MappingForm | None = None
) -> HttpResponse:
    context: dict[str, Any] = {"token": staged.token, "state": state, "may_audit": may(request, AUDIT)}
    refused = bool(form is not None and form.errors) or (request.method == "POST" and bool(state.get("problem")))
    if state["step"] in importing.RUNNING:
        template = "importing/progress.html"
    elif state["step"] == "columns":
        template = "importing/columns.html"
        context["form"] = form or MappingForm(state, writes_as=may(request, "write:as"))
    elif state["step"] == "previewed":
        template = "importing/preview.html"
        context |= previewed(request, staged, state)
    else:
        template = "importing/done.html"
        context |= stored(state)
    if wants_partial(request) and state["step"] in importing.RUNNING:
        return render(request, f"{template}#progress", context)
    answer = render(request, template, context, status=422 if refused else 200)
    if wants_partial(request):
        answer["HX-Refresh"] = "true"
    return answer


def previewed(request: HttpRequest, staged: Staged, state: dict[str, Any]) -> dict[str, Any]:
    found, counts = importing.previewed(staged), state["counts"]
    outcomes = [(name, word, words, counts[name]) for name, word, words in OUTCOMES if counts.get(name)]
    first = next((name for name, *_ in outcomes if name != "unchanged"), "unchanged")
    chosen = request.GET.get("show", "superseded" if "superseded" in counts else first)
    begin = int(request.GET["from"]) if request.GET.get("from", "").isdecimal() else 0
    rows = found["shown"].get(chosen, [])
    return {
        "outcomes": outcomes,
        "chosen": chosen,
        "rows": [dict(zip(FIELDS, row, strict=True)) for row in rows[begin : begin + SHOWN]],
        "begin": begin,
        "more": begin + SHOWN if len(rows) > begin + SHOWN else None,
        "first": begin + 1,
        "last": min(begin + SHOWN, len(rows)),
        "kept": len(rows),
        "most": importing.MOST_SHOWN,
        "bad": found["bad"],
        "changing": total(counts, but=("unchanged",)),
        "will_store": bool(total(counts)),
    }


FIELDS = ("line", "scope", "subject", "predicate", "old", "new", "learned_at", "expires_at")


def total(counts: dict[str, int], but: Iterable[str] = ()) -> int:
    return sum(number for name, number in counts.items() if name not in but)


def stored(state: dict[str, Any]) -> dict[str, Any]:
    operation = Operation.objects.filter(pk=state["operation"]).first()
    counts = operation.counts if operation else {}
    return {
        "operation": operation,
        "outcomes": [(name, word, words, counts[name]) for name, word, words in OUTCOMES if counts.get(name)],
        "stored": total(counts, but=("unchanged",)),
    }
