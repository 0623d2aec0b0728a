"""timeline: how many facts were learned and how many ended in each stretch of valid time, for the slider."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from django.db import connection
from django.db.models import F, Q, Window
from django.db.models.expressions import RawSQL
from django.db.models.functions import Lead

from brain.models import Fact, Operation
from brain.querysets import FactQuerySet, under
from brain.reader import Reader
from brain.time import AsOf

COUNT = """
WITH RECURSIVE edge(number, low, width, finish) AS (
    SELECT 0, CAST(%s AS BIGINT), CAST(%s AS BIGINT), CAST(%s AS BIGINT)
    UNION ALL SELECT number + 1, low + width, width, finish FROM edge WHERE low + width < finish
), bucket(number, low, high) AS (
    SELECT number, low, CASE WHEN low + width < finish THEN low + width ELSE finish END FROM edge
)
SELECT number, (SELECT COUNT(*) FROM ({found}) found) FROM bucket
"""
MOST_STRETCHES = 200  # erased stretches named in one answer


@dataclass(slots=True)
class Bucket:
    """[start, end) in epoch milliseconds; facts whose period begins, and whose period ends, within it."""

    start: int
    end: int
    learned: int = 0
    ended: int = 0


@dataclass(slots=True)
class Timeline:
    """`first` and `last`: the first and last instant at which anything begins or ends, None for an empty brain."""

    buckets: list[Bucket]
    first: int | None
    last: int | None
    erased: list[tuple[int, int]] = field(default_factory=list)


def timeline(
    reader: Reader,
    at: AsOf,
    *,
    start: int | None = None,
    end: int | None = None,
    buckets: int = 60,
    scope: str = "/",
    recursive: bool = True,
) -> Timeline:
    """Counts over [start, end), by default from the first change to the later of the last change and T."""
    told = (_journal_at(at.known_at), at.latest, at.as_of if end is None else None)
    asked = (*told, reader, start, end, buckets, scope, recursive)
    found = _recent.get(asked)
    if found is None:
        found = _recent[asked] = _timeline(reader, at, start, end, buckets, scope, recursive)
        while len(_recent) > MOST_RECENT:
            _recent.pop(next(iter(_recent)), None)
    return found


def _journal_at(known_at: int) -> str:
    """What names all that was told by K, in whichever database: the operation's hash."""
    return Operation.objects.filter(pk=known_at).values_list("hash", flat=True).first() or ""


# every change of facts is an operation, so what is drawn at one K stays as it is: a slider draws it many times
_recent: dict[tuple[object, ...], Timeline] = {}
MOST_RECENT = 64


def _timeline(
    reader: Reader, at: AsOf, start: int | None, end: int | None, buckets: int, scope: str, recursive: bool
) -> Timeline:
    rows = _counted(reader, at).within(scope, recursive=recursive).filter(under(reader.scope))
    first, last = _span(rows, reader)
    begin = start if start is not None else (first if first is not None else at.as_of)
    finish = end if end is not None else max(last or 0, at.as_of) + 1
    if reader.pin is not None:
        finish = min(finish, reader.pin + 1)
    stretches = _erased(reader, at, scope, recursive)
    if finish <= begin:
        return Timeline([], first, last, stretches)
    width = -(-(finish - begin) // buckets)
    counted = _Counts(begin, finish, width)
    counted.learned(rows)
    counted.ended(rows, at)
    return Timeline(counted.buckets, first, last, stretches)


def _counted(reader: Reader, at: AsOf) -> FactQuerySet:
    rows = Fact.objects.in_chains(at).visible(at, audit=reader.audit)
    return rows if reader.pin is None else rows.filter(learned_at__lte=reader.pin)


def _span(rows: FactQuerySet, reader: Reader) -> tuple[int | None, int | None]:
    expiries = rows.filter(expires_at__isnull=False)
    if reader.pin is not None:
        expiries = expiries.filter(expires_at__lte=reader.pin)
    first, last = _edge(rows, "learned_at", ""), _edge(rows, "learned_at", "-")
    return first, max((end for end in (last, _edge(expiries, "expires_at", "-")) if end is not None), default=None)


def _edge(rows: FactQuerySet, column: str, order: str) -> int | None:
    """The least or the greatest, from the end of an index: an aggregate of both would scan it."""
    return rows.order_by(f"{order}{column}").values_list(column, flat=True).first()


class _Counts:
    """Buckets of equal width over [begin, finish), filled by grouping in the database."""

    def __init__(self, begin: int, finish: int, width: int) -> None:
        self.begin, self.finish, self.width = begin, finish, width
        self.buckets = [Bucket(at, min(at + width, finish)) for at in range(begin, finish, width)]

    def learned(self, rows: FactQuerySet) -> None:
        for number, count in self._grouped(rows, "learned_at"):
            self.buckets[number].learned += count

    def ended(self, rows: FactQuerySet, at: AsOf) -> None:
        """A row ends when it expires or is superseded, whichever comes first."""
        grouped = self._ended_by_links(rows) if at.latest else self._ended_by_order(rows)
        for number, count in grouped:
            self.buckets[number].ended += count

    def _ended_by_links(self, rows: FactQuerySet) -> list[tuple[int, int]]:
        replaced = rows.filter(Q(expires_at__isnull=True) | Q(expires_at__gte=F("superseded_at")))
        expired = rows.filter(Q(superseded_at__isnull=True) | Q(superseded_at__gt=F("expires_at")))
        return [*self._grouped(replaced, "superseded_at"), *self._grouped(expired, "expires_at")]

    def _grouped(self, rows: FactQuerySet, column: str) -> list[tuple[int, int]]:
        """Bucket → rows in it, by one range of the column's index each: to group by a quotient would sort them all."""
        edges = {f"{column}__gte": RawSQL("bucket.low", ()), f"{column}__lt": RawSQL("bucket.high", ())}
        found, values = rows.filter(**edges).order_by().values("pk").query.sql_with_params()
        with connection.cursor() as cursor:
            cursor.execute(COUNT.format(found=found), [self.begin, self.width, self.finish, *values])
            return list(cursor.fetchall())

    def _ended_by_order(self, rows: FactQuerySet) -> list[tuple[int, int]]:
        following = Window(Lead("learned_at"), [F("key_id"), F("temporary")], [F("learned_at"), F("origin_id")])
        found: Counter[int] = Counter()
        for expiry, instant in rows.annotate(_next=following).order_by().values_list("expires_at", "_next").iterator():
            ends = min((end for end in (expiry, instant) if end is not None), default=self.finish)
            if self.begin <= ends < self.finish:
                found[(ends - self.begin) // self.width] += 1
        return list(found.items())


def _erased(reader: Reader, at: AsOf, scope: str, recursive: bool) -> list[tuple[int, int]]:
    """Stretches that retention erased, merged where they touch; the latest MOST_STRETCHES of them."""
    erased = Fact.objects.filter(erasure__isnull=False).order_by().values("pk")  # by its own index: they are few
    holes = Fact.objects.in_chains(at).filter(under(reader.scope), pk__in=erased, erasure="retention")
    holes = holes.within(scope, recursive=recursive)
    if reader.pin is not None:
        holes = holes.filter(learned_at__lte=reader.pin)
    merged: list[tuple[int, int]] = []
    periods = holes.order_by("learned_at", "pk").values_list("learned_at", "superseded_at", "expires_at")
    for begins, replaced, expires in periods.iterator():
        ends = reader.cut(min((end for end in (replaced, expires) if end is not None), default=at.as_of)) or at.as_of
        if merged and begins <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], ends))
        else:
            merged.append((begins, ends))
    return merged[-MOST_STRETCHES:]


def changes_near(reader: Reader, at: AsOf, instant: int, *, scope: str, steps: int) -> int | None:
    """The instant of the change `steps` after `instant` (before it, when negative), or the farthest there is."""
    rows = _counted(reader, at).filter(under(reader.scope), under(scope))
    forward = steps > 0
    compare, order = ("gt", "") if forward else ("lt", "-")
    found: set[int] = set()
    for column in ("learned_at", "expires_at"):
        near = rows.filter(**{f"{column}__{compare}": instant}).order_by(f"{order}{column}")
        found.update(near.values_list(column, flat=True).distinct()[: abs(steps)])
    nearest = sorted(end for end in map(reader.cut, found) if end is not None)
    if not nearest:
        return None
    return nearest[: abs(steps)][-1] if forward else nearest[-abs(steps) :][0]
