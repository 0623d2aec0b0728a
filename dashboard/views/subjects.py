"""Subject: every predicate of one subject with its supersession timeline, one version in full, and all as a table."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.http import HttpRequest, HttpResponse

from brain import listing
from brain.errors import Invalid
from brain.history import history
from brain.lookalikes import similar_subjects
from brain.models import Fact, Operation
from brain.querysets import FactQuerySet
from brain.recall import erased_until
from dashboard.htmx import render
from dashboard.lanes import lanes
from dashboard.paging import Cursor, fixed, page
from dashboard.reading import Reading, address, with_reading
from dashboard.timebar import BESIDE, TimeBar
from dashboard.versions import Version, versions
from dashboard.zoom import zoomed

EACH_WAY, SIZE = 600, 100


@with_reading
def subject(request: HttpRequest, reading: Reading, name: str) -> HttpResponse:
    rows = history(reading.reader, reading.at, subject=name)
    time = TimeBar(request, reading)
    context: dict[str, Any] = {"subject": name, "time": time, "time_target": "#subject"}
    status = 422 if reading.errors else 200
    try:
        context |= _known(request, reading, name, rows, time)
    except Invalid as refusal:
        context["problem"], status = refusal.errors[0][1], 422
    if not context.get("lanes") and status == 200:
        context["similar"] = similar_subjects(name, reading.reader, reading.at, scope="/", recursive=True)
        status = 404
    return render(
        request,
        "subjects/page.html",
        context,
        partial="subject",
        beside=BESIDE,
        status=status,
        address=address(request),
    )


def _known(request: HttpRequest, reading: Reading, name: str, rows: FactQuerySet, time: TimeBar) -> dict[str, Any]:
    zoom = zoomed(time.drawn, request.GET.get("span", ""))
    found = versions(_near(rows, reading.at.as_of), reading)
    chosen = _chosen(found, request.GET.get("fact", ""))
    horizon = reading.known_instant if reading.known_instant is not None else reading.now
    drawn = lanes(found, zoom.drawn.scale, horizon=horizon, selected=chosen.fact.id if chosen else None)
    total = rows.count()
    table = _table(request, reading, rows, found, total)
    detail = _detail(chosen, found, reading) if chosen else None
    gaps = erased_until(Fact.objects.about(name).erased_answers(reading.at), reading.at, reading.reader)
    erased = max(gaps.values(), default=None)
    counts = {"total": total, "drawn": len(found), "erased_before": erased}
    return table | counts | {"lanes": drawn, "detail": detail, "zoom": zoom}


def _near(rows: FactQuerySet, instant: int) -> list[Fact]:
    """The sayings that can be drawn: the last ones up to the instant and the first ones after it."""
    before = rows.filter(learned_at__lte=instant).order_by("-learned_at", "-origin_id", "-id")[:EACH_WAY]
    return [*reversed(before), *rows.filter(learned_at__gt=instant)[:EACH_WAY]]


def _chosen(found: list[Version], asked: str) -> Version | None:
    """The version asked for by its fact's id, in its latest saying; else one that holds: contested, or much revised."""
    if asked.isdecimal():
        named = [version for version in found if version.fact.id == int(asked)]
        if named:
            return named[-1]
    sayings = Counter(version.row.key_id for version in found)
    return max(
        found,
        key=lambda v: (v.fact.status == "current", v.fact.contested, sayings[v.row.key_id], v.start),
        default=None,
    )


def _table(
    request: HttpRequest, reading: Reading, rows: FactQuerySet, found: list[Version], total: int
) -> dict[str, Any]:
    """Few rows are told by predicate, many page by page in the order in which they held."""
    if total <= SIZE:
        return {"rows": sorted(found, key=lambda version: (version.fact.predicate, version.fact.scope))}
    cursor = Cursor.parse(request.GET["cursor"]) if "cursor" in request.GET else None
    part = page(rows, "-learned_at", cursor, SIZE, fixed(reading, cursor))
    return {"rows": versions(part.rows, reading), "page": part}


def _detail(chosen: Version, found: list[Version], reading: Reading) -> dict[str, Any]:
    lane = [v for v in found if v.row.key_id == chosen.row.key_id and not v.restated]
    place = lane.index(chosen) if chosen in lane else 0
    sayings = [v.row for v in found if v.fact.id == chosen.fact.id]
    successor = next((v for v in lane if v.fact.id == chosen.fact.superseded_by), None)
    touched = listing.touches([*sayings, *([successor.row] if successor else [])], reading.at, reading.reader)
    return {
        "version": chosen,
        "number": place + 1,
        "count": len(lane),
        "previous": lane[place - 1] if place else None,
        "next": lane[place + 1] if place + 1 < len(lane) else None,
        "successor": successor,
        "events": _events(sayings, successor, touched),
    }


def _events(
    sayings: list[Fact], successor: Version | None, touched: dict[int, list[Operation]]
) -> list[tuple[Operation, str]]:
    """Each operation that touched the fact, in order, with what it did to it."""
    operations = {operation.pk: operation for found in touched.values() for operation in found}
    did: dict[int, str] = {}
    for n, row in enumerate(sayings):
        did[row.recorded_in_id] = "said it again" if n else "wrote it"
    for row in sayings:
        marks = ((row.retracted_in_id, "unsaid it"), (row.forgotten_in_id, "withheld it"))
        for mark, words in (*marks, (row.restored_in_id, "gave it back")):
            if mark is not None:
                did.setdefault(mark, words)
    if successor is not None:
        did.setdefault(successor.row.recorded_in_id, "replaced it")
    return [(operations[pk], words) for pk, words in sorted(did.items()) if pk in operations]
