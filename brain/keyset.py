"""Paging by key set: every order is total, ends in the id, and a deep page costs what the first one does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import F, Q
from django.db.models.functions import Coalesce

from brain.errors import Invalid
from brain.models import Fact, Key
from brain.querysets import FactQuerySet, big
from brain.time import LATEST

ORDERS: dict[str, tuple[str, ...]] = {
    "subject": ("key__subject", "key__predicate", "key__scope", "origin_id", "id"),
    "predicate": ("key__predicate", "key__subject", "key__scope", "origin_id", "id"),
    "scope": ("key__scope", "key__subject", "key__predicate", "origin_id", "id"),
    "value": ("value", "origin_id", "id"),
    "source": ("source", "origin_id", "id"),
    "written_by": ("written_by", "origin_id", "id"),
    "category": ("category", "origin_id", "id"),
    "learned_at": ("learned_at", "origin_id", "id"),
    "expires_at": ("_expiry", "origin_id", "id"),
    "recorded_at": ("recorded_in_id", "origin_id", "id"),
    "id": ("origin_id", "id"),
}
KEYS = ("subject", "predicate", "scope", "pk")  # the order of keys behind the order "subject"
WALK = (100, 400, 1_500)  # keys passed in one statement, until the page is full


def ordered(rows: FactQuerySet, order: str) -> tuple[FactQuerySet, tuple[str, ...], bool]:
    """The rows in an order of ORDERS ("-" before its name reverses it); its fields; and whether it is reversed."""
    fields = ORDERS.get(order.removeprefix("-"))
    if fields is None:
        raise Invalid.field("order", f"must be one of {', '.join(ORDERS)}, or one of them after a minus")
    reverse = order.startswith("-")
    rows = rows.annotate(_expiry=Coalesce(F("expires_at"), big(LATEST + 1))) if "_expiry" in fields else rows
    return rows.order_by(*(f"-{field}" if reverse else field for field in fields)), fields, reverse


def beyond(fields: Sequence[str], values: Sequence[Any], *, reverse: bool) -> Q:
    """Rows that come after the one with these values of these fields, in their order."""
    compare = "lt" if reverse else "gt"
    condition = Q()
    for n, field in enumerate(fields):
        equal = dict(zip(fields[:n], values[:n], strict=True))
        condition |= Q(**equal, **{f"{field}__{compare}": values[n]})
    return condition & Q(**{f"{fields[0]}__{compare}e": values[0]})


def page(
    rows: FactQuerySet, order: str, after: Sequence[Any] | None, limit: int
) -> tuple[list[Fact], list[Any] | None]:
    """At most `limit` rows of the order that follow the row with the values `after`; and the values to go on from,
    None on the last page."""
    found, fields, reverse = ordered(rows, order)
    if after is not None:
        if len(after) != len(fields):
            raise Invalid.field("cursor", "does not belong to this list")
        found = found.filter(beyond(fields, after, reverse=reverse))
    items = _walked(found, after, limit + 1, reverse=reverse) if fields == ORDERS["subject"] else None
    if items is None:
        items = list(found[: limit + 1])
    return items[:limit], position(items[limit - 1], fields) if len(items) > limit else None


def _walked(found: FactQuerySet, after: Sequence[Any] | None, wanted: int, *, reverse: bool) -> list[Fact] | None:
    """The first rows in the order of their keys, found by walking the keys, so that a page costs the keys it passes
    and not the brain. None where that takes too many: where few keys have a row, the database sorts faster."""
    keys = Key.objects.order_by(*(f"-{field}" if reverse else field for field in KEYS))
    place: Sequence[Any] | None = None if after is None else after[:3]
    items: list[Fact] = []
    for chunk in WALK:
        rest = keys if place is None else keys.filter(_from(place, reverse=reverse))
        passed = list(rest.values_list("pk", *KEYS[:3])[:chunk])
        items += found.filter(key__in=[pk for pk, *_ in passed])
        if len(items) >= wanted or len(passed) < chunk:
            return _unique(items)[:wanted]
        place = passed[-1][1:]
    return None


def _from(place: Sequence[Any], *, reverse: bool) -> Q:
    """Keys from this one on, itself included."""
    condition = beyond(KEYS[:3], place, reverse=reverse)
    return condition | Q(**dict(zip(KEYS[:3], place, strict=True)))


def _unique(items: Sequence[Fact]) -> list[Fact]:
    """Chunks of keys share their edge."""
    return list({row.pk: row for row in items}.values())


def position(row: Fact, fields: Sequence[str]) -> list[Any]:
    """The row's values of an order's fields."""
    values = []
    for field in fields:
        owner, _, name = field.rpartition("__")
        values.append(getattr(row.key if owner else row, name))
    return values
