"""Spellings that differ only by case are two keys; both sides are told, nothing is merged."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from brain import journal
from brain.models import Fact
from brain.querysets import FactQuerySet
from brain.reader import Reader
from brain.saying import Saying
from brain.time import AsOf

MOST = 20  # spellings named in one answer


def similar_subjects(
    subject: str, reader: Reader, at: AsOf, *, scope: str, recursive: bool, predicate: str | None = None
) -> list[str]:
    """Other spellings of a subject for which this reader's recall would return something at (T, K)."""
    alike = Q(key__subject_folded=subject.casefold()) & ~Q(key__subject=subject)
    answered = Fact.objects.as_of(at, audit=reader.audit).within(scope, recursive=recursive).filter(alike)
    if predicate is not None:
        answered = answered.filter(key__predicate=predicate)
    return _spellings(answered, "key__subject")


def similar_on_write(said: Saying, reader: Reader) -> list[str]:
    """Existing spellings of the subject, or of the predicate where only that differs, in the saying's scope."""
    at = journal.resolve(reader=reader)
    answered = Fact.objects.as_of(at, audit=reader.audit).filter(
        key__scope=said.scope, key__subject_folded=said.subject.casefold()
    )
    subjects = _spellings(answered.exclude(key__subject=said.subject), "key__subject")
    if subjects:
        return subjects
    predicates = answered.filter(key__subject=said.subject, key__predicate_folded=said.predicate.casefold())
    return _spellings(predicates.exclude(key__predicate=said.predicate), "key__predicate")


def _spellings(answered: FactQuerySet | QuerySet[Fact], field: str) -> list[str]:
    return list(answered.order_by(field).values_list(field, flat=True).distinct()[:MOST])
