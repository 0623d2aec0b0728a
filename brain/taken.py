"""What each form of forgetting takes: the rows it counts, and every row that goes with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import batched
from typing import Any

from django.db.models import Q, QuerySet

from brain import holds
from brain.describe import FactAt, describe
from brain.errors import Invalid
from brain.journal import resolve
from brain.models import Fact
from brain.querysets import FactQuerySet, under
from brain.reader import Reader
from brain.selectors import Selector

ORDER = ("key__subject", "key__predicate", "key__scope", "learned_at", "origin_id", "id")
BASES = ("learned_at", "ended_at")
CHUNK = 1_000  # rows in one statement


@dataclass(slots=True)
class Taking:
    """What a form takes: `counted` says what the counts count, `rows` every row that goes with it."""

    counted: FactQuerySet
    rows: FactQuerySet
    kind: str
    details: dict[str, Any]
    by_fact: bool = True
    scope: str = "/"

    def count(self, rows: QuerySet[Fact]) -> int:
        return rows.values("origin_id").distinct().count() if self.by_fact else rows.count()


def selected(selector: Selector, reader: Reader, *, purge: bool) -> Taking:
    """The facts that match, each with all its versions; to withhold, those that are not withheld already."""
    facts = selector.facts(reader.scope)
    if not purge:
        facts = facts.exclude(forgotten_in__isnull=False, restored_in__isnull=True)
    # what a purge erased must not stand in the journal, so its selector is named without its texts
    details = {"fields": sorted(selector.given())} if purge else {"selector": selector.given()}
    return Taking(facts, facts, "purge" if purge else "forget", details)


def aged(before: int, reader: Reader, *, basis: str, scope: str) -> Taking:
    """Rows learned before `before` that another has superseded by now, or whose period ended before it."""
    if basis not in BASES:
        raise Invalid.field("basis", f"must be one of {', '.join(BASES)}")
    within = Fact.objects.content().filter(under(reader.scope), under(scope))
    now = resolve().as_of
    counted = _superseded(within, before, now) if basis == "learned_at" else _ended(within, before, now)
    versions = within.filter(retracted_in__isnull=False, origin__in=counted.order_by().values("origin"))
    rows = within.filter(Q(pk__in=counted.order_by().values("pk")) | Q(pk__in=versions.order_by().values("pk")))
    return Taking(counted, rows, "retention", {"before": before, "basis": basis}, by_fact=False, scope=scope)


def _superseded(within: FactQuerySet, before: int, now: int) -> FactQuerySet:
    return within.filter(retracted_in__isnull=True, claim=False, superseded_at__lte=now, learned_at__lt=before)


def _ended(within: FactQuerySet, before: int, now: int) -> FactQuerySet:
    chained = Q(retracted_in__isnull=True, claim=False)
    replaced = Q(superseded_at__lt=before, superseded_at__lte=now)
    ran_out = Q(expires_at__lt=before, expires_at__lte=now)
    return within.filter((chained & (replaced | ran_out)) | Q(retracted_in__at__lt=before))


def scoped(scope: str) -> Taking:
    """Everything under a scope."""
    facts = Fact.objects.content().filter(under(scope))
    return Taking(facts, facts, "forget_scope", {}, scope=scope)


def listed(taking: Taking, reader: Reader) -> Iterator[tuple[FactAt, bool]]:
    """Every row that matches, by key and time, and whether a hold keeps it; as the rows stand when this begins."""
    at, ids = resolve().pinned(), list(taking.rows.order_by(*ORDER).values_list("pk", flat=True))
    kept = set(taking.rows.filter(holds.held()).order_by().values_list("pk", flat=True))
    sees = Reader(scope=reader.scope, audit=True)
    for chunk in batched(ids, CHUNK):
        rows = list(Fact.objects.content().filter(pk__in=chunk).select_related("key").order_by(*ORDER))
        for row, fact in zip(rows, describe(rows, at, sees), strict=True):
            yield fact, row.pk in kept
