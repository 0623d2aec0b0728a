"""Lists of facts at (T, K) by status and filter, and one fact with its chain."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Exists, OuterRef, Q

from brain.errors import Invalid, NotFound
from brain.models import Fact, Operation
from brain.querysets import FactQuerySet, under, unexpired, withheld
from brain.reader import Reader
from brain.time import DAY, AsOf

STATUSES = ("current", "scheduled", "covered", "superseded", "expired", "claim", "retracted", "forgotten", "all")


def facts(
    reader: Reader,
    at: AsOf,
    *,
    scope: str,
    recursive: bool = True,
    status: str = "current",
    subject: str | None = None,
    predicate: str | None = None,
    value: str | None = None,
    source: str | None = None,
    written_by: str | None = None,
    category: str | None = None,
    q: str | None = None,
    contested: bool = False,
    runs_out_within: int | None = None,
) -> FactQuerySet:
    """The facts of one status that this reader may list, each once: its latest saying told by K. Texts match
    case-folded: `value` a part of the value, `q` a part of any text of the row, the others whole. `runs_out_within`
    is a number of days after T."""
    found = in_status(reader, at, status).within(scope, recursive=recursive).filter(under(reader.scope))
    if subject is not None:
        found = found.filter(key__subject_folded=subject.casefold())
    if predicate is not None:
        found = found.filter(key__predicate_folded=predicate.casefold())
    if category is not None:
        found = found.filter(category=category.casefold())
    for narrow, words in (("with_value_like", value), ("from_source", source), ("by_writer", written_by)):
        found = found if words is None else getattr(found, narrow)(words)
    found = found.contested(at, audit=reader.audit) if contested else found
    found = found if runs_out_within is None else running_out(found, reader, at, runs_out_within)
    return (found if q is None else found.matching(q)).select_related("key")


def running_out(rows: FactQuerySet, reader: Reader, at: AsOf, days: int) -> FactQuerySet:
    """Those of the rows that expire within so many days after T, as far as this reader may see an expiry."""
    by = at.as_of + days * DAY
    return rows.running_out(at.as_of, by if reader.pin is None else min(by, reader.pin))


def in_status(reader: Reader, at: AsOf, status: str) -> FactQuerySet:
    """All facts of one status at (T, K), as this reader may see them."""
    if status not in STATUSES:
        raise Invalid.field("status", f"must be one of {', '.join(STATUSES)}")
    every = Fact.objects.existing(audit=reader.audit)
    if reader.pin is not None:
        every = every.filter(learned_at__lte=reader.pin)
    if status == "current":
        return every.as_of(at, audit=reader.audit)
    if status == "all":
        return every.recorded_by(at).filter(_is_last_saying(at))
    if status == "retracted":
        return every.recorded_by(at).exclude(_told(at)).filter(_is_last_saying(at))
    if status == "forgotten":
        return every.told_by(at).filter(withheld(at, audit=reader.audit))
    return _unwithheld(every, at, reader, status)


def _unwithheld(every: FactQuerySet, at: AsOf, reader: Reader, status: str) -> FactQuerySet:
    rows = every.exclude(withheld(at, audit=reader.audit))
    if status == "claim":
        return rows.told_by(at).filter(claim=True)
    if status == "scheduled":
        return rows.in_chains(at).filter(learned_at__gt=at.as_of)
    if status == "expired":
        return rows.winners(at).filter(expires_at__lte=at.as_of)
    if status == "covered":
        answers = Fact.objects.answering(at).filter(key=OuterRef("key"), temporary=True)
        return rows.winners(at).filter(Exists(answers), unexpired(at.as_of), temporary=False)
    winners = Fact.objects.winners(at).filter(pk=OuterRef("pk"))
    return rows.in_chains(at).filter(~Exists(winners), learned_at__lte=at.as_of)


def _told(at: AsOf) -> Q:
    return Q(retracted_in__isnull=True) if at.latest else Q(retracted_in__isnull=True) | Q(retracted_in__gt=at.known_at)


def _is_last_saying(at: AsOf) -> Q:
    later = Fact.objects.recorded_by(at).filter(origin=OuterRef("origin"), pk__gt=OuterRef("pk"))
    return ~Q(Exists(later))


def fact(fact_id: int, at: AsOf, reader: Reader) -> Fact:
    """A fact's latest saying told by K. Raises NotFound, the same for what lies elsewhere and what never was."""
    found = Fact.objects.existing(audit=reader.audit).recorded_by(at).filter(under(reader.scope), origin=fact_id)
    if reader.pin is not None:
        found = found.filter(learned_at__lte=reader.pin)
    row: Fact | None = found.select_related("key").order_by("-id").first()
    if row is None:
        raise NotFound(f"there is no fact {fact_id}")
    return row


def chain(fact_id: int, at: AsOf, reader: Reader) -> list[Fact]:
    """Every saying of the fact's key told of by K, oldest first."""
    key = fact(fact_id, at, reader).key_id
    rows = Fact.objects.existing(audit=reader.audit).recorded_by(at).filter(key=key)
    if reader.pin is not None:
        rows = rows.filter(learned_at__lte=reader.pin)
    return list(rows.select_related("key").order_by("learned_at", "origin_id", "id"))


def touches(rows: Sequence[Fact], at: AsOf, reader: Reader) -> dict[int, list[Operation]]:
    """Row id → the operations told of by K that touched the row, in order, as far as this reader may see them."""
    marks = {row.pk: {row.recorded_in_id, row.retracted_in_id, row.forgotten_in_id, row.restored_in_id} for row in rows}
    named = {mark for found in marks.values() for mark in found if mark is not None}
    found = Operation.objects.filter(pk__in=named).order_by("id")
    if not at.latest:
        found = found.filter(pk__lte=at.known_at)
    if reader.pin is not None:
        found = found.filter(at__lte=reader.pin)
    operations = list(found)
    return {pk: [operation for operation in operations if operation.pk in marks[pk]] for pk in marks}
