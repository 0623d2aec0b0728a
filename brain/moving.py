"""How a rewind moves rows, however many: unsaid in one statement, said again as tuples, without model instances.

Within a turn, while nothing else changes; the chains are relinked afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import batched
from operator import itemgetter
from typing import Any

from django.db.models import Exists, Max, OuterRef

from brain import guard
from brain.inserting import insert_values
from brain.journal import Entry, new_salt, salted
from brain.models import Fact
from brain.querysets import FactQuerySet
from brain.rows import KEY, SIGNED

CHUNK = 5_000  # rows said again at a time
COLUMNS = tuple(field.attname for field in Fact._meta.concrete_fields)
FETCHED = (*COLUMNS, *(name.replace(".", "__") for name in KEY))
PLACE = {name: place for place, name in enumerate((*COLUMNS, *KEY))}
_signed = itemgetter(*(PLACE[name] for name in SIGNED))
_told = itemgetter(*(PLACE[name] for name in (*KEY, "value")))

Values = Sequence[Any]  # of a row in the order of FETCHED


def unsay(unsaid: FactQuerySet, entry: Entry) -> set[int]:
    """Marks the rows unsaid and takes them out of their chains; returns the facts that they spoke of, one each."""
    facts = set()
    rows = unsaid.order_by("pk").values_list("pk", "origin_id", "digest")
    for pk, origin, digest in rows.iterator():
        facts.add(origin)
        entry.touch("unsaid", pk, digest)
    unsaid.order_by().update(retracted_in=entry.id, superseded_by=None, superseded_at=None)
    return facts


def say_again(again: FactQuerySet, entry: Entry) -> tuple[int, int]:
    """Says the latest of each fact's rows again, but for facts that somebody else's saying, which stays, speaks of
    now. Returns how many were said, and how many of them or beside them are withheld, erased or blocked."""
    said = kept = 0
    for chunk in batched(_latest_of_closed(again), CHUNK):
        rows = list(Fact.objects.filter(pk__in=chunk).order_by("pk").values_list(*FETCHED))
        copies = _copies(rows, entry)
        insert_values(Fact, [copy[: len(COLUMNS)] for copy in copies])
        said += len(copies)
        kept += len(rows) - len(copies) + sum(map(_is_kept_from_readers, copies))
    return said, kept


def _latest_of_closed(again: FactQuerySet) -> list[int]:
    open_now = Fact.objects.filter(origin=OuterRef("origin"), retracted_in__isnull=True)
    latest = again.filter(~Exists(open_now)).order_by().values("origin_id").annotate(row=Max("pk"))
    return sorted(latest.values_list("row", flat=True))


def _copies(rows: Sequence[Values], entry: Entry) -> list[list[Any]]:
    blocked = guard.blocked(_told(row) for row in rows if not row[PLACE["erasure"]])
    return [_copy(row, entry) for row in rows if row[PLACE["erasure"]] or _told(row) not in blocked]


def _copy(row: Values, entry: Entry) -> list[Any]:
    """What `rows.said_again` makes of a row, but as values, and closed until the chains are relinked: only one row
    of a track may have no successor."""
    copy = list(row)
    number = copy[PLACE["id"]] = entry.next_fact()
    copy[PLACE["recorded_in_id"]], copy[PLACE["retracted_in_id"]] = entry.id, None
    link = (None, None) if copy[PLACE["claim"]] else (number, copy[PLACE["learned_at"]])
    copy[PLACE["superseded_by_id"]], copy[PLACE["superseded_at"]] = link
    if not copy[PLACE["erasure"]]:
        salt = copy[PLACE["salt"]] = new_salt()
        copy[PLACE["digest"]] = salted(salt, _signed(copy))
    entry.touch("said", number, copy[PLACE["digest"]])
    return copy


def _is_kept_from_readers(row: Values) -> bool:
    forgotten = row[PLACE["forgotten_in_id"]] is not None and row[PLACE["restored_in_id"]] is None
    return bool(row[PLACE["erasure"]]) or forgotten
