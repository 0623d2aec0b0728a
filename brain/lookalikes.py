"""Spellings that differ only by case are two keys; both sides are told, nothing is merged."""

from __future__ import annotations

from django.db import connection
from django.db.models import Count, Q, QuerySet

from brain import journal
from brain.models import Fact, Key
from brain.querysets import FactQuerySet, under
from brain.reader import Reader
from brain.saying import Saying
from brain.time import AsOf

MOST = 20  # spellings named in one answer


def similar_subjects(
    subject: str, reader: Reader, at: AsOf, *, scope: str, recursive: bool = False, predicate: str | None = None
) -> list[str]:
    """Other spellings of a subject for which this reader's recall would return something at (T, K)."""
    if not _other_spellings(subject):
        return []
    alike = Q(key__subject_folded=subject.casefold()) & ~Q(key__subject=subject)
    answered = Fact.objects.as_of(at, audit=reader.audit).within(scope, recursive=recursive).filter(alike)
    if predicate is not None:
        answered = answered.filter(key__predicate=predicate)
    return _spellings(answered, "key__subject")


def similar_on_write(said: Saying, reader: Reader) -> list[str]:
    """Existing spellings of the subject, or of the predicate where only that differs, in the saying's scope."""
    if not _any_alike(said):
        return []
    at = journal.resolve(reader=reader)
    answered = Fact.objects.as_of(at, audit=reader.audit).filter(
        key__scope=said.scope, key__subject_folded=said.subject.casefold()
    )
    subjects = _spellings(answered.exclude(key__subject=said.subject), "key__subject")
    if subjects:
        return subjects
    predicates = answered.filter(key__subject=said.subject, key__predicate_folded=said.predicate.casefold())
    return _spellings(predicates.exclude(key__predicate=said.predicate), "key__predicate")


def groups(reader: Reader, at: AsOf, *, most: int) -> list[list[Fact]]:
    """Facts that answer now under subjects of one scope that differ only by case, one list a group, by spelling."""
    named = Key.objects.filter(under(reader.scope, "scope")).values("scope", "subject_folded").order_by()
    doubled = named.annotate(spellings=Count("subject", distinct=True)).filter(spellings__gt=1)
    places = list(doubled.order_by("subject_folded", "scope").values_list("scope", "subject_folded")[:most])
    if not places:
        return []
    alike = Q()
    for scope, folded in places:
        alike |= Q(key__scope=scope, key__subject_folded=folded)
    found: dict[tuple[str, str], list[Fact]] = {}
    rows = Fact.objects.as_of(at, audit=reader.audit).filter(alike).select_related("key")
    for row in rows.order_by("key__subject_folded", "key__subject", "key__predicate", "pk"):
        found.setdefault((row.key.scope, row.key.subject_folded), []).append(row)
    return [group for group in found.values() if len({row.key.subject for row in group}) > 1]


SPELLED_OTHERWISE = "SELECT 1 FROM fact_key WHERE subject_folded = %s AND subject <> %s LIMIT 1"
ALIKE = """
SELECT 1 FROM fact_key WHERE subject_folded = %s AND scope = %s
  AND (subject <> %s OR (predicate_folded = %s AND predicate <> %s)) LIMIT 1
"""


def _other_spellings(subject: str) -> bool:
    """Mostly there is none, and one seek tells."""
    with connection.cursor() as cursor:
        cursor.execute(SPELLED_OTHERWISE, [subject.casefold(), subject])
        return cursor.fetchone() is not None


def _any_alike(said: Saying) -> bool:
    subject, predicate = said.subject.casefold(), said.predicate.casefold()
    with connection.cursor() as cursor:
        cursor.execute(ALIKE, [subject, said.scope, said.subject, predicate, said.predicate])
        return cursor.fetchone() is not None


def _spellings(answered: FactQuerySet | QuerySet[Fact], field: str) -> list[str]:
    return list(answered.order_by(field).values_list(field, flat=True).distinct()[:MOST])
