"""Withheld facts: what agents do not read any more, and the way to give one back."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from brain import journal, listing
from brain.describe import describe
from brain.models import Fact, Operation
from brain.tokens import AUDIT, FORGET
from dashboard import roles
from dashboard.allowed import needs
from dashboard.paging import Cursor, page
from dashboard.reading import Reading

SIZE = 50


@needs(FORGET, AUDIT)
def withheld_page(request: HttpRequest) -> HttpResponse:
    reader = roles.reader(request)
    at = journal.resolve(reader=reader)
    rows = listing.facts(reader, at, scope="/", status="forgotten")
    cursor = Cursor.parse(request.GET["cursor"]) if "cursor" in request.GET else None
    part = page(rows, "subject", cursor, SIZE, Reading(at, reader, at.as_of))
    facts = describe(part.rows, at, reader)
    context = {"page": part, "facts": list(zip(facts, _withheld_by(part.rows), strict=True)), "total": rows.count()}
    return render(request, "forget/withheld.html", context)


def _withheld_by(rows: list[Fact]) -> list[Operation | None]:
    operations = Operation.objects.in_bulk({row.forgotten_in_id for row in rows if row.forgotten_in_id is not None})
    return [operations.get(row.forgotten_in_id or 0) for row in rows]
