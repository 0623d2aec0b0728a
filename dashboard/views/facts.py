"""Facts: the table of what holds at the instant read, with what is to be known of each row."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from brain import journal
from brain.describe import describe
from brain.errors import Invalid
from brain.models import Fact
from brain.querysets import FactQuerySet
from dashboard.chips import chips, end_of, next_values
from dashboard.filters import FactFilter, Further
from dashboard.htmx import is_moving, render, wants_partial
from dashboard.paging import Cursor, Page, fixed, page
from dashboard.reading import Reading, address, encode, with_reading
from dashboard.tables import FactTable, Row
from dashboard.timebar import BESIDE, TimeBar

SIZE, SIGHT = 50, 25  # rows of a page, and of one that is passed while the slider is held
ORDER = "subject"


@with_reading
def facts(request: HttpRequest, reading: Reading) -> HttpResponse:
    try:
        found = listed(request, reading)
    except Invalid as refusal:
        found = {"problem": refusal.errors[0][1], "filters": FactFilter(request.GET, reading)}
    context = found | {
        "time": TimeBar(request, reading),
        "time_target": "#facts",
        "empty_brain": not found.get("total") and not Fact.objects.exists(),
    }
    refused = bool(reading.errors or "problem" in found or found["filters"].errors)
    status = 422 if refused else 200
    return render(
        request,
        "facts/page.html",
        context,
        partial="facts",
        beside=_beside(request),
        status=status,
        address=address(request),
    )


def _beside(request: HttpRequest) -> tuple[str, ...]:
    """What asks by itself (the brain changed, the slider rests) leaves the time bar, and what is typed there, alone."""
    return () if request.htmx.trigger in ("refresh", "further") else BESIDE  # type: ignore[attr-defined]


def _slides(request: HttpRequest) -> bool:
    """The slider asks without an element's name, many times a second."""
    return wants_partial(request) and not request.htmx.trigger  # type: ignore[attr-defined]


def _further(request: HttpRequest, filters: FactFilter, rows: FactQuerySet) -> list[tuple[Further, str]] | None:
    """What the list could be narrowed to, each with its address; None while the slider moves: that counts later."""
    if _slides(request):
        return None
    return [(one, address(request, cursor="", **{one.name: one.value})) for one in filters.further(rows)]


def listed(request: HttpRequest, reading: Reading) -> dict[str, Any]:
    """The page of the list that the address names. Raises Invalid for an order or a page that there is not."""
    cursor = Cursor.parse(request.GET["cursor"]) if "cursor" in request.GET else None
    reading, order = fixed(reading, cursor), request.GET.get("order", ORDER)
    filters = FactFilter(request.GET, reading)
    rows = filters.qs
    part = page(rows, order, cursor, SIGHT if is_moving(request) else SIZE, reading)
    table = FactTable(rows_of(part, reading), order=order, past=_compares(reading, filters))
    total = rows.count()
    found = {"filters": filters, "table": table, "page": part, "total": total}
    return found | {
        "sentence": filters.sentence(total),
        "further": _further(request, filters, rows),
        "export_address": export_address(request),
        "sheet_address": sheet_address(request),
    }


def export_address(request: HttpRequest) -> str:
    """The whole list that the page shows a part of, as the API exports it: the parameters have the same names."""
    params = request.GET.copy()
    params.pop("cursor", None)
    params["format"] = "csv"
    return f"{reverse('api:export')}?{encode(params)}"


def sheet_address(request: HttpRequest) -> str:
    """The same list as a file in which no cell is run as a formula."""
    params = request.GET.copy()
    params.pop("cursor", None)
    return f"{reverse('facts-sheet')}?{encode(params)}"


def _compares(reading: Reading, filters: FactFilter) -> bool:
    return reading.tense == "past" and filters.chosen_status == "current"


def rows_of(part: Page, reading: Reading) -> list[Row]:
    described = describe(part.rows, reading.at, reading.reader)
    following = next_values(described, reading)
    today = values_today(part.rows, reading)
    rows: list[Row] = []
    for saying, fact in zip(part.rows, described, strict=True):
        again = bool(rows) and rows[-1].fact.subject == fact.subject
        told = chips(fact, reading, following)
        rows.append(Row(fact, saying.key_id, told, end_of(fact), again, today.get(saying.key_id)))
    return rows


def values_today(rows: list[Fact], reading: Reading) -> dict[int, str]:
    """Key → the value that holds now, for a page that is read in the past."""
    if reading.tense != "past":
        return {}
    now = journal.resolve(reader=reading.reader)
    held = Fact.objects.as_of(now, audit=reading.reader.audit).filter(key__in={row.key_id for row in rows})
    return dict(held.order_by().values_list("key_id", "value"))
