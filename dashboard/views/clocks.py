"""Two clocks: the auditor's map of one key, when a value holds against when the brain was told."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from brain import clocks, journal
from brain.describe import FactAt, describe
from brain.history import history
from brain.models import Fact, Key, Operation
from brain.time import AsOf
from brain.tokens import AUDIT
from dashboard.allowed import need
from dashboard.htmx import render
from dashboard.mapping import Drawing, distance
from dashboard.reading import Reading, address, with_reading
from dashboard.timebar import BESIDE, TimeBar
from dashboard.versions import Version, versions

MOST = 400  # sayings of a key beyond which its map is not drawn


@dataclass(frozen=True, slots=True)
class Line:
    """A saying in words: when it was told, from when it holds, and how far the two lie apart."""

    version: Version
    distance: str
    mark: str


@with_reading
def two_clocks(request: HttpRequest, reading: Reading, name: str) -> HttpResponseBase:
    need(request, AUDIT)
    keys = keys_of(name, reading)
    if not keys:
        raise Http404
    key = chosen(keys, request)
    time = TimeBar(request, reading)
    told = told_of(key, reading)
    context: dict[str, Any] = {"subject": name, "key": key, "keys": keys, "time": time, "time_target": "#clocks"}
    context |= {"lines": [line(version) for version in told[:MOST]], "many": len(told) > MOST}
    context |= reads(key, reading) | neighbours(key, reading)
    if not context["many"]:
        context["map"] = drawn(key, reading, time)
    return render(request, "clocks/page.html", context, partial="clocks", beside=BESIDE, address=address(request))


def keys_of(subject: str, reading: Reading) -> list[Key]:
    """The subject's keys that this reader can see a saying of, the ones with most sayings first."""
    seen = Fact.objects.existing(audit=reading.reader.audit).filter(key__subject=subject)
    counted = dict(seen.order_by().values_list("key").annotate(n=Count("pk")))
    found = Key.objects.filter(pk__in=counted)
    return sorted(found, key=lambda key: (-counted[key.pk], key.predicate, key.scope))


def chosen(keys: list[Key], request: HttpRequest) -> Key:
    asked = (request.GET.get("predicate", ""), request.GET.get("scope", "/"))
    return next((key for key in keys if (key.predicate, key.scope) == asked), keys[0])


def told_of(key: Key, reading: Reading) -> list[Version]:
    """Every saying of the key told to this day, in the order in which it was told; one more than MOST at most."""
    now = replace(reading, at=journal.resolve(reader=reading.reader), chosen=None, known="", known_instant=None)
    rows = history(now.reader, now.at, subject=key.subject, predicate=key.predicate, scope=key.scope, recursive=False)
    return versions(list(rows.order_by("recorded_in_id", "learned_at", "pk")[: MOST + 1]), now)


def drawn(key: Key, reading: Reading, time: TimeBar) -> Any:
    """The map is of everything told to this day; the point that is read is where both clocks stand."""
    found = clocks.two_clocks(key, reading.reader)
    point = (reading.at.as_of, told_at(reading))
    return Drawing(found, time.scale, now=reading.now, read=point, zone=reading.zone).drawn()


def told_at(reading: Reading) -> int:
    """The second clock as an instant."""
    if not reading.known:
        return reading.now
    found = Operation.objects.filter(pk=reading.at.known_at).values_list("at", flat=True).first()
    return reading.known_instant or found or 0


def reads(key: Key, reading: Reading) -> dict[str, Any]:
    """What is read at the point, and at the same instant as told to this day."""
    last = Operation.objects.order_by("-id").values_list("id", flat=True).first() or 0
    here = answer(key, reading.at.pinned(), reading)
    today = answer(key, AsOf(reading.at.as_of, last, latest=False), reading)
    return {"here": here, "today": today}


def answer(key: Key, at: AsOf, reading: Reading) -> dict[str, Any] | None:
    """The fact that is read, who told it, and how long after its day."""
    rows = Fact.objects.as_of(at, audit=reading.reader.audit).filter(key=key).select_related("key", "recorded_in")
    found: Fact | None = rows.first()
    if found is None:
        return None
    fact: FactAt = describe([found], at, reading.reader)[0]
    told = found.recorded_in
    return {"fact": fact, "told": told, "late": distance(told.at, at.as_of) if told.at > at.as_of else ""}


def neighbours(key: Key, reading: Reading) -> dict[str, Any]:
    """The operations that changed the key's story next before and next after the point's: steps of the second clock."""
    known = reading.at.known_at
    marks: set[int] = set()
    for column in ("recorded_in", "retracted_in", "forgotten_in", "restored_in"):
        marks.update(Fact.objects.filter(key=key, claim=False).values_list(column, flat=True).distinct())
    marks.discard(None)
    stands = max((mark for mark in marks if mark <= known), default=0)
    earlier = max((mark for mark in marks if mark < stands), default=0)
    later = min((mark for mark in marks if mark > known), default=None)
    down = f"op:{earlier}" if stands else None
    up = None if not reading.known else "" if later is None else f"op:{later}"
    return {"earlier": down, "later": up}


def line(version: Version) -> Line:
    told, dated = version.fact.recorded_at, version.fact.learned_at
    words = "" if told is None else distance(told, dated)
    mark = "m-late" if words.endswith("back") else "m-scheduled" if words.endswith("ahead") else "m-was"
    return Line(version, words, "m-mistake" if version.mistaken else mark)
