"""Two points of the two clocks side by side: what is compared, in words; and each change with the difference marked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from brain import journal, saying
from brain import time as instants
from brain.compare import Change, diff
from brain.errors import Invalid
from brain.models import Key
from brain.time import AsOf
from dashboard import when
from dashboard.marking import Piece, marked
from dashboard.money import Step, step
from dashboard.reading import Reading

SIZE = 50
SALT = "compare"
COUNTED = 2_000  # changes that a page counts by itself; the rest when asked


@dataclass(frozen=True, slots=True)
class Row:
    """A change with both values in pieces; `step` where both are amounts of one currency."""

    change: Change
    before: list[Piece]
    after: list[Piece]
    step: Step | None

    @property
    def same_value(self) -> bool:
        """Whether only the end of the period is another one."""
        old, new = self.change.before, self.change.after
        return old is not None and new is not None and old.value == new.value


@dataclass(slots=True)
class Comparison:
    """The left side is what the time bar reads, the right side `right`; `to` and `known_to` are the right side as links
    carry it, "" for now."""

    reading: Reading
    right: AsOf
    to: str = ""
    known_to: str = ""
    subject: str = ""
    predicate: str = ""
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def left(self) -> AsOf:
        return self.reading.at

    @property
    def is_one_point(self) -> bool:
        return (self.left.as_of, self.left.known_at) == (self.right.as_of, self.right.known_at) or (
            not self.reading.params and not self.to and not self.known_to
        )

    def changes(self, after: tuple[object, ...] | None = None) -> Iterator[Change]:
        left, right = self.left.pinned(), self.right.pinned()
        subject, predicate = self.subject or None, self.predicate or None
        return diff(self.reading.reader, left, right, subject=subject, predicate=predicate, after=after)

    def page(self, after: tuple[object, ...] | None) -> tuple[list[Row], str]:
        """A page of changes, and what its next page goes on from, "" on the last."""
        found = list(islice(self.changes(after), SIZE + 1))
        more = _cursor(self, found[SIZE - 1]) if len(found) > SIZE else ""
        return [row(change) for change in found[:SIZE]], more

    def words(self, at: AsOf, *, now: bool, told: str) -> str:
        """What one side is: what we now say held then, or what the brain had been told by an earlier time."""
        day = "now" if now else when.moment(at.as_of, self.reading.zone)
        if told:
            return f"what the brain, told what it knew by {told}, said of {day}"
        return "what holds now" if now else f"what we now say held on {day}"

    @property
    def typed_to(self) -> str:
        return when.minute(self.right.as_of, self.reading.zone) if self.to else ""

    @property
    def left_words(self) -> str:
        reading = self.reading
        return self.words(self.left, now=reading.chosen is None, told=_told(reading.known, reading))

    @property
    def right_words(self) -> str:
        return self.words(self.right, now=not self.to, told=_told(self.known_to, self.reading))


def _told(known: str, reading: Reading) -> str:
    if not known or known.startswith("op:"):
        return known
    return when.moment(instants.parse(known), reading.zone)


def row(change: Change) -> Row:
    old, new = change.before, change.after
    if old is None or new is None:
        return Row(change, _plain(old), _plain(new), None)
    before, after = marked(old.value, new.value)
    return Row(change, before, after, step(old.value, new.value))


def _plain(side: Any) -> list[Piece]:
    return [] if side is None else [Piece(side.value, changed=False)]


# -- from an address


def asked(request: HttpRequest, reading: Reading) -> Comparison:
    errors: dict[str, str] = {}
    to = _instant(request.GET.get("to", ""), reading, "to", errors)
    known = request.GET.get("known_to", "").strip()
    if known and not reading.reader.audit:
        raise PermissionDenied("Reading what the brain knew at an earlier time takes the role of an auditor.")
    told = known if known.startswith("op:") else _instant(known, reading, "known_to", errors)
    try:
        right = journal.resolve(to, told, reader=reading.reader)
    except Invalid as refusal:
        errors |= {"known_to" if name == "known_at" else "to": problem for name, problem in refusal.errors}
        right = journal.resolve(reader=reading.reader)
    compared = Comparison(reading, right, errors=errors)
    compared.to = instants.to_text(to) if to is not None else ""
    compared.known_to = told if isinstance(told, str) else instants.to_text(told) if told is not None else ""
    for name in ("subject", "predicate"):
        setattr(compared, name, _name(request, name, errors))
    return compared


def _instant(text: str, reading: Reading, name: str, errors: dict[str, str]) -> int | None:
    if not text.strip() or text.strip().lower() == "now":
        return None
    try:
        return when.typed(text, reading.zone, ZoneInfo(settings.BRAIN_TIME_ZONE))
    except ValueError as problem:
        errors[name] = str(problem)
        return None


def _name(request: HttpRequest, name: str, errors: dict[str, str]) -> str:
    raw = request.GET.get(name, "")
    try:
        return saying.text(name, raw) if raw.strip() else ""
    except Invalid as refusal:
        errors[name] = f"This {refusal.errors[0][1]}."
        return ""


# -- pages go on from a key, at both points of the first page


def _cursor(compared: Comparison, last: Change) -> str:
    left, right = compared.left, compared.right
    numbers = [last.position[3], left.as_of, left.known_at, right.as_of, right.known_at]
    return signing.dumps(numbers, salt=SALT)


def resumed(compared: Comparison, cursor: str) -> tuple[Comparison, tuple[object, ...]]:
    """The comparison at the points of its first page, and the place to go on from. Raises Invalid for another link."""
    try:
        pk, *points = signing.loads(cursor, salt=SALT)
    except (signing.BadSignature, ValueError):
        raise Invalid.field("cursor", "This link to a page of the list is broken. Start from the first page.") from None
    key = Key.objects.filter(pk=pk).first()
    if key is None:
        raise Invalid.field("cursor", "The row that this page went on from is gone. Start from the first page.")
    left, right = AsOf(points[0], points[1], latest=False), AsOf(points[2], points[3], latest=False)
    reading = replace(compared.reading, at=left)
    fixed = Comparison(reading, right, compared.to, compared.known_to, compared.subject, compared.predicate)
    return fixed, (key.subject, key.predicate, key.scope, key.pk)
