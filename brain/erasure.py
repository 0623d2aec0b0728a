"""Erasing takes the content of rows that are holes already from every table; it can stop and go on at any chunk.

A row with an erasure and a salt still holds content that no read returns; without salt it is an empty hole. The
journal keeps the digests. A key whose last content goes by purge goes with all its holes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from django.db.models import Exists, OuterRef, Q, QuerySet

from brain import idempotency, receipts
from brain.holes import drop_rows, fold
from brain.leaks import SHORTEST, Leaks, folded
from brain.models import (
    Approval,
    Fact,
    IdempotentAnswer,
    Key,
    LegalHold,
    Operation,
    Scope,
)
from brain.querysets import under
from brain.turns import turn

CHUNK = 2_000  # rows erased in one transaction of a job
EMPTY = {"value": "", "source": "", "written_by": "", "folded": "", "salt": None, "category": "", "source_kind": ""}


def pending() -> QuerySet[Fact]:
    """Rows that are holes to every reader while their content still stands."""
    return Fact.objects.filter(erasure__isnull=False, salt__isnull=False)


def erase_all(progress: Callable[[int], None] = lambda rows: None, chunk: int = CHUNK) -> None:
    """Erases whatever is pending, in transactions of `chunk` rows; `progress` hears how many rows each took."""
    words = Words()
    while rows := erase_chunk(words, chunk):
        progress(rows)


def erase_chunk(words: Words, limit: int) -> int:
    """Erases up to `limit` pending rows, whole or not at all; returns how many there were."""
    with turn():
        rows = list(pending().select_related("key").order_by("key_id", "pk")[:limit])
        if rows:
            _erase(rows, words)
    return len(rows)


def _erase(rows: Collection[Fact], words: Words) -> None:
    facts = {row.origin_id for row in rows}
    living = set(Fact.objects.content().filter(origin__in=facts).values_list("origin_id", flat=True))
    texts = {row.value for row in rows if row.origin_id not in living}  # what another version says may be quoted
    touched = {mark for row in rows for mark in (row.recorded_in_id, row.retracted_in_id) if mark}
    keys = {row.key_id for row in rows}
    Fact.objects.filter(pk__in=[row.pk for row in rows]).update(**EMPTY, confidence=0)
    receipts.erase(facts, texts)
    idempotency.erase(facts)
    Approval.objects.filter(fact__in=facts).update(reason="", decision_reason="", detail="")
    _blank_journal(touched, texts, words)
    if any(row.erasure == Fact.PURGE for row in rows):
        _drop_keys(keys)
    fold(keys)


# -- texts


class Words:
    """The first eight characters of everything that reasons and details say, so that an erased text that is nowhere
    among them costs one look; kept up to date for as long as a job runs."""

    def __init__(self) -> None:
        self.starts: set[str] = set()
        self.seen = 0

    def suspects(self, texts: Iterable[str]) -> list[str]:
        self._catch_up()
        return [text for text in texts if folded(text)[:SHORTEST] in self.starts]

    def _catch_up(self) -> None:
        for pk, reason, details in _worded().filter(pk__gt=self.seen).values_list("pk", "reason", "details").iterator():
            self.seen = max(self.seen, pk)
            self._add(reason)
            self._add(str(details))
        for texts in Approval.objects.order_by().values_list("reason", "decision_reason", "detail"):
            for text in texts:
                self._add(text)
        for reason, selector in LegalHold.objects.order_by().values_list("reason", "selector"):
            self._add(reason)
            self._add(str(selector))

    def _add(self, text: str) -> None:
        words = folded(text)
        self.starts.update(words[n : n + SHORTEST] for n in range(len(words) - SHORTEST + 1))


def _worded() -> QuerySet[Operation]:
    return Operation.objects.exclude(reason="", details={}).order_by("pk")


def _blank_journal(touched: Collection[int], texts: Collection[str], words: Words) -> None:
    """Blanks the reasons and details of operations all of whose facts are gone, and whatever names an erased text."""
    _blank(_all_gone(touched))
    suspects = words.suspects(texts)
    leaks = Leaks(suspects)
    for found in leaks.among(_worded(), "reason", "details"):
        _blank(found)
    for found in leaks.among(Approval.objects.all(), "reason", "decision_reason", "detail"):
        Approval.objects.filter(pk__in=found).update(reason="", decision_reason="", detail="")
    for found in leaks.among(LegalHold.objects.all(), "reason"):
        LegalHold.objects.filter(pk__in=found).update(reason="")
    IdempotentAnswer.objects.filter(operation__in=touched).update(answer="")
    for found in Leaks(texts).among(IdempotentAnswer.objects.exclude(answer=""), "answer"):
        IdempotentAnswer.objects.filter(pk__in=found).update(answer="")


def _all_gone(touched: Collection[int]) -> list[int]:
    def left(column: str) -> Exists:
        return Exists(Fact.objects.content().filter(**{column: OuterRef("pk")}))

    found = Operation.objects.filter(pk__in=touched)
    return list(found.exclude(left("recorded_in") | left("retracted_in")).values_list("pk", flat=True))


def _blank(operations: Collection[int]) -> None:
    """Drops the texts of operations together with the salts of their digests; the digests and the chain stay."""
    Operation.objects.filter(pk__in=operations).update(reason="", reason_salt="", details={}, details_salt="")


# -- rows and keys


def _drop_keys(keys: Collection[int]) -> None:
    alive = Fact.objects.filter(key=OuterRef("pk")).filter(Q(erasure__isnull=True) | Q(salt__isnull=False))
    empty = list(Key.objects.filter(~Exists(alive), pk__in=keys).values_list("pk", flat=True))
    drop_rows(Fact.objects.filter(key__in=empty))
    Key.objects.filter(pk__in=empty)._raw_delete(Key.objects.db)


def drop_scope(scope: str) -> None:
    """The last step of forgetting a scope: nothing stays under its name but journal rows without texts."""
    with turn():
        keys = Key.objects.filter(under(scope, "scope"))
        drop_rows(Fact.objects.filter(key__in=keys.order_by().values("pk")))
        keys.order_by()._raw_delete(keys.db)
        receipts.erase_scope(scope)
        named = Q(under(scope, "scope"))
        Approval.objects.filter(named).delete()
        LegalHold.objects.filter(named, lifted_in__isnull=False).delete()
        Scope.objects.filter(under(scope, "name"), frozen_in__isnull=True).delete()
        operations = Operation.objects.filter(named)
        IdempotentAnswer.objects.filter(operation__in=operations.values("pk")).update(answer="")
        operations.update(reason="", reason_salt="", details={}, details_salt="", scope="/")
