"""What a page reads: both clocks as its address names them, in the one form that a link as evidence has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate
from urllib.parse import quote, urlencode
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.encoding import escape_uri_path

from brain import journal
from brain import time as instants
from brain.errors import Invalid
from brain.models import Operation
from brain.reader import Reader
from brain.time import DAY, AsOf
from brain.timeline import changes_near
from dashboard import roles, when
from dashboard.htmx import wants_partial

GRAINS = [DAY, 3_600_000, 60_000]


@dataclass(frozen=True, slots=True)
class Reading:
    """`chosen` is the T that was asked for, `known` the K as links carry it; None and "" mean now."""

    at: AsOf
    reader: Reader
    now: int
    chosen: int | None = None
    known: str = ""
    known_instant: int | None = None
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def tense(self) -> str:
        if self.chosen is not None and self.chosen > self.now:
            return "ahead"
        return "now" if self.chosen is None and not self.known else "past"

    @property
    def params(self) -> dict[str, str]:
        clocks = {"as_of": instants.to_text(self.chosen) if self.chosen is not None else "", "known_at": self.known}
        return {name: text for name, text in clocks.items() if text}

    @property
    def query(self) -> str:
        return encode(self.params)

    @property
    def zone(self) -> ZoneInfo:
        return timezone.get_current_timezone()


def encode(params: dict[str, str] | QueryDict) -> str:
    """A query string in which instants stay legible."""
    pairs = list(params.lists()) if isinstance(params, QueryDict) else list(params.items())
    return urlencode(pairs, doseq=True, safe=":/", quote_via=quote)


def address(request: HttpRequest, **changed: str) -> str:
    """This page's address with some parameters changed; an empty one is dropped."""
    params = request.GET.copy()
    for name, text in changed.items():
        params.pop(name, None)
        if text:
            params[name] = text
    path, query = escape_uri_path(request.path), encode(params)
    return f"{path}?{query}" if query else path


def canonical(request: HttpRequest, reading: Reading) -> QueryDict:
    """The parameters that name what was read: instants in UTC, nothing empty, nothing left of how they were chosen."""
    params = request.GET.copy()
    for name in ("step", "snap"):
        params.pop(name, None)
    for name in ("as_of", "known_at"):
        if name not in reading.errors:
            params[name] = reading.params.get(name, "")
    for name, texts in list(params.lists()):
        params.setlist(name, [text for text in texts if text.strip()])
    return params


def with_reading[**Rest](
    view: Callable[Concatenate[HttpRequest, Reading, Rest], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, Rest], HttpResponseBase]:
    """Hands the view what it is to read. An instant typed in words is redirected to its address in UTC; from there on
    `request.GET` holds only the canonical parameters."""

    @wraps(view)
    def read(request: HttpRequest, /, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponseBase:
        reading, asked = of(request), address(request)
        request.GET = canonical(request, reading)  # type: ignore[assignment]
        if request.method == "GET" and not wants_partial(request) and asked != address(request):
            return redirect(address(request))
        return view(request, reading, *args, **kwargs)

    return read


def of(request: HttpRequest) -> Reading:
    may = roles.grants(request.user)
    if roles.READ not in may:
        raise PermissionDenied("Your account has no role yet, so there is nothing that it may read.")
    reader, errors = roles.reader(request), dict[str, str]()
    chosen = _caught("as_of", lambda: _instant(request.GET.get("as_of", "")), errors)
    known = request.GET.get("known_at", "").strip()
    if known and not reader.audit:
        raise PermissionDenied("Reading what the brain knew at an earlier time takes the role of an auditor.")
    told = _caught("known_at", lambda: _known(known, chosen), errors)
    try:
        at = journal.resolve(chosen, told, reader=reader)
    except Invalid as refusal:
        errors |= dict(refusal.errors)
        chosen, told, at = None, None, journal.resolve(reader=reader)
    moved = _moved(request, at, reader, chosen)
    known = instants.to_text(told) if isinstance(told, int) else told or ""
    at = at if moved is None else AsOf(moved, at.known_at, at.latest)
    return Reading(at, reader, journal.now(), moved, known, _told_when(told), errors)


def _moved(request: HttpRequest, at: AsOf, reader: Reader, chosen: int | None) -> int | None:
    """T as the time bar moves it: `step` changes on, or drawn to what lies within `snap` milliseconds."""
    steps, within = request.GET.get("step", ""), request.GET.get("snap", "")
    if steps.removeprefix("-").isdecimal() and len(steps) < 5:
        return step(at, int(steps), reader, from_now=chosen is None)
    if chosen is not None and within.isdecimal():
        return snap(at, int(within[:18]), reader)
    return chosen


def _caught[Found](name: str, find: Callable[[], Found], errors: dict[str, str]) -> Found | None:
    try:
        return find()
    except ValueError as problem:
        errors[name] = str(problem)
        return None


def _instant(text: str) -> int | None:
    text = text.strip()
    if not text or text.lower() == "now":
        return None
    zone: Any = timezone.get_current_timezone()
    return when.typed(text, zone, ZoneInfo(settings.BRAIN_TIME_ZONE))


def _known(text: str, chosen: int | None) -> int | str | None:
    """An instant, an operation, or `as_of`: the same as the first clock."""
    if text == "as_of":
        return chosen
    return text if text.startswith("op:") else _instant(text)


def _told_when(told: int | str | None) -> int | None:
    if isinstance(told, str):
        return Operation.objects.filter(pk=int(told[3:])).values_list("at", flat=True).first()
    return told


def step(at: AsOf, steps: int, reader: Reader, *, from_now: bool) -> int | None:
    """The change that many steps away; now is a stop on the way too, and None stands for it."""
    now, way = journal.now(), 1 if steps > 0 else -1
    target = changes_near(reader, at, at.as_of, scope="/", steps=steps) if steps else at.as_of
    ran_out = target is None or (
        abs(steps) > 1 and target == changes_near(reader, at, at.as_of, scope="/", steps=steps - way)
    )
    if not from_now and (now - at.as_of) * way > 0 and (ran_out or target is None or (target - now) * way > 0):
        return None
    if target is None:
        return None if from_now else at.as_of
    return target


def snap(at: AsOf, within: int, reader: Reader) -> int:
    """The nearest change that lies no further than `within` from T; else T cut to the coarsest round time that does."""
    near = (changes_near(reader, at, at.as_of - side, scope="/", steps=side) for side in (1, -1))
    close = [instant for instant in near if instant is not None and abs(instant - at.as_of) <= within]
    if close:
        return min(close, key=lambda instant: abs(instant - at.as_of))
    offset = when.local(at.as_of, timezone.get_current_timezone()).utcoffset()
    shift = int(offset.total_seconds() * 1000) if offset else 0
    grain = next((grain for grain in GRAINS if grain <= within * 2), 1)
    return (at.as_of + shift) // grain * grain - shift
