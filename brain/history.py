"""history: every saying of the keys asked for, retracted ones and claims included, oldest first, without holes."""

from __future__ import annotations

from brain.models import Fact
from brain.querysets import FactQuerySet, under
from brain.reader import Reader
from brain.time import AsOf

ORDER = ("learned_at", "origin_id", "id")


def history(
    reader: Reader,
    at: AsOf,
    *,
    scope: str = "/",
    recursive: bool = True,
    subject: str | None = None,
    predicate: str | None = None,
) -> FactQuerySet:
    """The sayings told of by K, once per saying, in the order of ORDER. Subject and predicate are normalised."""
    rows = Fact.objects.existing(audit=reader.audit).recorded_by(at).within(scope, recursive=recursive)
    rows = rows.filter(under(reader.scope))
    if reader.pin is not None:
        rows = rows.filter(learned_at__lte=reader.pin)
    if subject is not None:
        rows = rows.filter(key__subject=subject)
    if predicate is not None:
        rows = rows.filter(key__predicate=predicate)
    return rows.select_related("key", "recorded_in").order_by(*ORDER)
