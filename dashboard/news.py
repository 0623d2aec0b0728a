"""What others have changed since a page was drawn: who, and how many facts."""

from __future__ import annotations

from collections import Counter

from brain.models import Fact
from brain.querysets import under
from brain.reader import Reader

MARKS = ("recorded_in", "retracted_in", "forgotten_in", "restored_in")
MOST = 1_000  # facts counted; beyond it the news says "more than"


def changed_since(operation: int, reader: Reader, *, but: str) -> Counter[str]:
    """Actor → facts that operations of theirs after `operation` touched, those of the actor `but` left out."""
    touched: set[tuple[str, int]] = set()
    for mark in MARKS:
        rows = Fact.objects.filter(under(reader.scope), **{f"{mark}__gt": operation}).exclude(**{f"{mark}__actor": but})
        touched.update(rows.order_by().values_list(f"{mark}__actor", "origin_id").distinct()[: MOST + 1])
    return Counter(actor for actor, _ in touched)


def sentence(changed: Counter[str]) -> str:
    """crm-sync changed 2 facts; crm-sync and ann changed 5 facts; 3 writers changed 12 facts."""
    total = changed.total()
    names = [actor for actor, _ in changed.most_common()]
    who = " and ".join(names) if len(names) < 3 else f"{len(names)} writers"
    many = f"more than {MOST:,}" if total > MOST else f"{total:,}"
    return f"{who} changed {many} fact{'s' * (total != 1)}"
