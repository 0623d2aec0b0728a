"""The first screen's ways in, and the way out: the sample brain, and the list shown as a sheet that is safe to open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from brain import journal, keyset
from brain.describe import FactAt, describe
from brain.errors import Invalid
from brain.tokens import MANAGE
from brain.turns import turn
from dashboard import demo
from dashboard.allowed import needs
from dashboard.fact_cells import COLUMNS, cells
from dashboard.filters import FactFilter
from dashboard.reading import Reading, encode, with_reading
from dashboard.spreadsheets import download, lines
from dashboard.views.facts import ORDER

CHUNK = 1_000
LOADED = "The sample brain is here. Move the slider to 9 February 2026: Tier 2 renewal was $4,200 then."


@require_POST
@needs(MANAGE)
def sample(request: HttpRequest) -> HttpResponse:
    """Tells an empty brain the sample's story, once however often it is asked for."""
    with turn():
        if journal.last_id():
            messages.info(request, "The brain is not empty any more, so the sample was not loaded.")
        else:
            demo.load(request.user)  # type: ignore[arg-type]
            messages.success(request, LOADED)
    return redirect("facts")


@with_reading
def sheet(request: HttpRequest, reading: Reading) -> HttpResponseBase:
    """The list that the Facts page shows, whole, for a spreadsheet."""
    reading = replace(reading, at=reading.at.pinned())
    filters = FactFilter(request.GET, reading)
    order = request.GET.get("order", ORDER)
    try:
        keyset.ordered(filters.qs, order)
    except Invalid:
        return redirect(f"{reverse('facts')}?{encode(request.GET)}")
    if not filters.is_valid():
        return redirect(f"{reverse('facts')}?{encode(request.GET)}")
    rows = (cells(fact) for fact in _facts(filters, order, reading))
    return download("facts-for-spreadsheets.csv", lines(COLUMNS, rows, for_spreadsheets=True))


def _facts(filters: FactFilter, order: str, reading: Reading) -> Iterator[FactAt]:
    after = None
    while True:
        rows, after = keyset.page(filters.qs, order, after, CHUNK)
        yield from describe(rows, reading.at, reading.reader)
        if after is None:
            return
