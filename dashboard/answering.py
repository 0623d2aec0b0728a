"""Receipts in a list: what was asked in words, what was served, what was said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from brain.models import Fact, Receipt

MOST_VALUES = 3


def asked_in_words(receipt: Receipt) -> str:
    """Tier 2 renewal, list_price; or the words that were searched for."""
    query = receipt.query
    named = query.get("subject") or ", ".join(query.get("subjects", []))
    if query.get("q"):
        return f"search for “{query['q']}”"
    if not named:
        return "the question was erased" if receipt.erased else "everything"
    return f"{named}, {query['predicate']}" if query.get("predicate") else str(named)


@dataclass(frozen=True, slots=True)
class Served:
    """One receipt as the list shows it. `values`: what it served that is still there and not withheld."""

    receipt: Receipt
    asked: str
    values: list[Fact]
    more: int


def served(receipts: Iterable[Receipt], *, audit: bool) -> list[Served]:
    """The receipts with the first values that each served, in one query."""
    receipts = list(receipts)
    named = {fact for receipt in receipts for fact in receipt.fact_ids[:MOST_VALUES]}
    rows = Fact.objects.existing(audit=audit).filter(origin__in=named).select_related("key").order_by("pk")
    latest = {row.origin_id: row for row in rows}
    return [_served(receipt, latest) for receipt in receipts]


def _served(receipt: Receipt, latest: dict[int, Fact]) -> Served:
    values = [latest[fact] for fact in receipt.fact_ids[:MOST_VALUES] if fact in latest]
    return Served(receipt, asked_in_words(receipt), values, max(len(receipt.fact_ids) - MOST_VALUES, 0))
