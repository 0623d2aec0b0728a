"""Compare: two instants side by side, what was added, changed and removed between them; the rest is not shown."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import islice
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from brain import time as instants
from brain.compare import Change, counts
from brain.errors import Invalid
from brain.lookalikes import similar_subjects
from dashboard import when
from dashboard.comparing import COUNTED, Comparison, asked, resumed
from dashboard.htmx import render, wants_partial
from dashboard.money import step
from dashboard.reading import Reading, address, with_reading
from dashboard.spreadsheets import download, lines
from dashboard.timebar import BESIDE, TimeBar

FORMATS = {"csv": False, "sheet": True}
COLUMNS = (
    *("scope", "subject", "predicate", "change", "before", "after", "difference", "percent"),
    *("before_learned_at", "before_expires_at", "after_learned_at", "after_expires_at"),
)


@with_reading
def compare(request: HttpRequest, reading: Reading) -> HttpResponseBase:
    compared = asked(request, reading)
    refused = bool(reading.errors or compared.errors)
    where = address(request, to=compared.to, known_to=compared.known_to)
    if not refused and typed_in_words(request, compared) and not wants_partial(request):
        return redirect(where)
    if request.GET.get("format") in FORMATS and not refused:
        return exported(compared, for_spreadsheets=FORMATS[request.GET["format"]])
    context: dict[str, Any] = {"compared": compared, "time": TimeBar(request, reading), "time_target": "#compare"}
    context["starts"] = starts(reading)
    try:
        context |= listed(request, compared) if not refused and not compared.is_one_point else {}
    except Invalid as refusal:
        context["problem"], refused = refusal.errors[0][1], True
    status = 422 if refused else 200
    return render(request, "compare/page.html", context, partial="compare", beside=BESIDE, status=status, address=where)


def typed_in_words(request: HttpRequest, compared: Comparison) -> bool:
    """Whether the right side is not named in the one form that a link as evidence has."""
    asked_for = {"to": compared.to, "known_to": compared.known_to}
    return any(request.GET.get(name, "") != text for name, text in asked_for.items())


def listed(request: HttpRequest, compared: Comparison) -> dict[str, Any]:
    cursor, place = request.GET.get("cursor", ""), None
    if cursor:
        compared, place = resumed(compared, cursor)
    rows, more = compared.page(place)
    found: dict[str, Any] = {"rows": rows, "more": more, "later": bool(cursor)}
    if not cursor:
        found |= counted(compared, whole="count" in request.GET)
    if not rows and compared.subject:
        found["similar"] = similar_subjects(
            compared.subject, compared.reading.reader, compared.right, scope="/", recursive=True
        )
    return found


def counted(compared: Comparison, *, whole: bool) -> dict[str, Any]:
    """How many changes of each kind; of a large comparison only the first ones, unless all are asked for."""
    changes = compared.changes()
    found = counts(changes if whole else islice(changes, COUNTED + 1))
    total = sum(found.values())
    partial = not whole and total > COUNTED
    return {"counts": found, "total": total, "partial": partial, "counted": COUNTED}


def starts(reading: Reading) -> list[tuple[str, str]]:
    """Instants that people compare today with, in words and as addresses carry them."""
    today = when.local(reading.now, reading.zone).replace(hour=0, minute=0, second=0, microsecond=0)
    days = [
        ("yesterday", today - timedelta(days=1)),
        ("a week ago", today - timedelta(days=7)),
        ("a month ago", today - timedelta(days=30)),
        (f"the start of {today.year}", today.replace(month=1, day=1)),
    ]
    return [(words, instants.to_text(instants.from_datetime(day))) for words, day in days]


# -- the same as a file


def exported(compared: Comparison, *, for_spreadsheets: bool) -> HttpResponseBase:
    names = (f"{instants.to_text(at.as_of):.10}" for at in (compared.left, compared.right))
    rows = (cells(change) for change in compared.changes())
    pieces = lines(COLUMNS, rows, for_spreadsheets=for_spreadsheets)
    return download(f"changes-{'-to-'.join(names)}.csv", pieces)


def cells(change: Change) -> list[object]:
    old, new = change.before, change.after
    moved = step(old.value, new.value) if old and new else None
    percent = "" if moved is None or moved.percent is None else f"{moved.percent:.2f}"
    difference = "" if moved is None else f"{moved.difference.normalize():f}"
    values = [old.value if old else "", new.value if new else ""]
    periods = [text for side in (old, new) for text in _period(side)]
    return [change.scope, change.subject, change.predicate, change.change, *values, difference, percent, *periods]


def _period(side: Any) -> Iterator[str]:
    for name in ("learned_at", "expires_at"):
        instant = getattr(side, name, None)
        yield "" if instant is None else instants.to_text(instant)
