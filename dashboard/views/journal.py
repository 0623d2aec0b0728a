"""Journal: every operation, newest first, with what it did and the way to undo it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.shortcuts import render as render_page
from django.urls import reverse
from django.views.decorators.http import require_POST

from brain import journal, touched
from brain.compare import diff
from brain.describe import describe
from brain.models import Operation
from brain.reader import Reader
from brain.time import AsOf
from brain.tokens import AUDIT
from dashboard import roles, verification
from dashboard.allowed import needs
from dashboard.htmx import render
from dashboard.journal_filter import JournalFilter
from dashboard.journaling import Line, line, says
from dashboard.reading import encode

SIZE, TOUCHES = 50, 100
FEW = 4  # facts; an operation with no more shows them in the list
MOST_CHANGES = 100


@needs(AUDIT)
def journal_page(request: HttpRequest) -> HttpResponse:
    reader, filters = roles.reader(request), JournalFilter(request.GET)
    context: dict[str, Any] = {"filters": filters, "verification": verification.latest(), "tab": "journal"}
    if filters.is_valid():
        context |= listed(request, reader, filters)
    status = 200 if filters.is_valid() else 422
    return render(request, "journal/page.html", context, partial="journal", status=status)


def listed(request: HttpRequest, reader: Reader, filters: JournalFilter) -> dict[str, Any]:
    found = filters.operations(reader)
    before = request.GET.get("cursor", "")
    part = found.filter(pk__lt=int(before)) if before.isdecimal() and len(before) < 19 else found
    page = list(part[: SIZE + 1])
    older = page[SIZE - 1].pk if len(page) > SIZE else None
    total = found.count()
    context = {"lines": lines(page[:SIZE], reader), "older": older, "later": part is not found, "total": total}
    return context | {"last": journal.last_id()}


@needs(AUDIT)
def journal_news(request: HttpRequest) -> HttpResponse:
    """How many operations have come since the page was drawn; 204 while there are none."""
    shown, filters = request.GET.get("shown", ""), JournalFilter(request.GET)
    if not (shown.isdecimal() and len(shown) < 19 and filters.is_valid()) or journal.last_id() <= int(shown):
        return HttpResponse(status=204)
    come = filters.operations(roles.reader(request)).filter(pk__gt=int(shown)).count()
    kept = encode({name: str(request.GET[name]) for name in request.GET if name != "shown"})
    context = {"come": come, "last": shown, "address": f"{reverse('journal')}?{kept}" if kept else reverse("journal")}
    return render_page(request, "journal/news.html", context) if come else HttpResponse(status=204)


def lines(operations: list[Operation], reader: Reader) -> list[Line]:
    few = [operation.pk for operation in operations if 0 < sum(operation.counts.values()) <= FEW]
    told = touched.told(few, touched.rows(few, reader))
    before = touched.replaced([touch.row for touch in told if touch.did == touched.SAID], reader)
    touches: dict[int, list[tuple[touched.Touched, str | None]]] = {}
    for touch in told:
        touches.setdefault(touch.operation, []).append((touch, before.get(touch.row.pk)))
    return [line(operation, touches.get(operation.pk, [])) for operation in operations]


@needs(AUDIT)
def operation_page(request: HttpRequest, number: int) -> HttpResponse:
    reader = roles.reader(request)
    operation = journal.operations(reader).filter(pk=number).first()
    if operation is None:
        raise Http404
    context = {"line": line(operation, []), "operation": operation, "says": says(operation), "tab": "journal"}
    context |= facts_of(request, operation, reader) | {"changes": changes_of(operation, reader)}
    context |= {"previous": number - 1 or None, "next": number + 1 if journal.last_id() > number else None}
    return render(request, "journal/operation.html", context, partial="touched")


def facts_of(request: HttpRequest, operation: Operation, reader: Reader) -> dict[str, Any]:
    """A page of the facts that the operation touched, as they stand now."""
    rows = touched.rows([operation.pk], reader)
    after = request.GET.get("after", "")
    part = rows.filter(pk__gt=int(after)) if after.isdecimal() and len(after) < 19 else rows
    page = list(part[: TOUCHES + 1])
    touches = touched.told([operation.pk], page[:TOUCHES])
    facts = describe([touch.row for touch in touches], journal.resolve(reader=reader), reader)
    more = page[TOUCHES - 1].pk if len(page) > TOUCHES else None
    return {"touches": list(zip(touches, facts, strict=True)), "more": more}


def changes_of(operation: Operation, reader: Reader) -> list[Any]:
    """What held just before the operation and what held just after it, where that differs."""
    before, after = (AsOf(operation.at, known, latest=False) for known in (operation.pk - 1, operation.pk))
    found = diff(reader, before, after)
    return [change for change, _ in zip(found, range(MOST_CHANGES + 1), strict=False)]


@require_POST
@needs(AUDIT)
def verify(request: HttpRequest) -> HttpResponse:
    checked = verification.run()
    messages.info(request, checked.sentence)
    return redirect("journal")
