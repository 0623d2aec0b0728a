"""The operations of a rewind on a line of time, the stretch to be undone marked; every bar counts journal rows."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, F
from django.utils import timezone

from brain import journal
from brain.models import Operation
from brain.querysets import big
from brain.time import SECOND
from brain.timeline import Bucket
from dashboard.charts import Axis, Bar, Scale, axis, histogram
from dashboard.rewinding import Asked

BARS = 90
BEFORE = 2  # the stretch before the undone one is drawn so many times as long


@dataclass(frozen=True, slots=True)
class UndoChart:
    bars: list[Bar]
    axis: Axis
    undone_x: str
    undone_width: str
    since: int


def undo_chart(asked: Asked) -> UndoChart | None:
    """None where nothing lies after the point that is gone back to."""
    since, now = asked.since, journal.now()
    if since is None or asked.operations is not None:
        return None
    length = max(now - since, 60 * SECOND)
    start = max(_first(asked.actor) or since, since - BEFORE * length) - length // 50
    width = max((now - start) // BARS, 1)
    on = Scale(start, start + width * (BARS + 1), width, "")
    bars = histogram(_counted(on, asked.actor), on, now)
    return UndoChart(bars, axis(on, timezone.get_current_timezone()), on.x(since), on.span(since, on.end), since)


def _first(actor: str | None) -> int | None:
    found = Operation.objects.filter(actor=actor) if actor else Operation.objects.all()
    return found.order_by("pk").values_list("at", flat=True).first()


def _counted(on: Scale, actor: str | None) -> list[Bucket]:
    found = Operation.objects.filter(at__gte=on.start)
    found = found.filter(actor=actor) if actor else found
    number = (F("at") - big(on.start)) / big(on.width)
    grouped = found.order_by().annotate(_n=number).values("_n").annotate(c=Count("pk")).values_list("_n", "c")
    return [Bucket(on.start + n * on.width, on.start + (n + 1) * on.width, learned=count) for n, count in grouped]
