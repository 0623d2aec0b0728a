"""What a verb would change of what holds, found by carrying it out and taking it back; nothing of it is ever seen."""

from __future__ import annotations

from collections.abc import Callable, Collection

from brain.describe import FactAt, describe
from brain.journal import resolve
from brain.models import Fact, Key
from brain.moved import Moved
from brain.reader import Reader
from brain.time import AsOf
from brain.turns import rehearsal


def what_if(act: Callable[[], object], keys: Collection[int], *, at: int | None = None) -> list[Moved]:
    """The keys whose answer at the instant `at` (default: now) `act` changes, by value and expiry. Raises what `act`
    raises."""
    with rehearsal():
        before = answers(keys, at)
        act()
        return differences(before, answers(keys, at))


def answers(keys: Collection[int], at: int | None = None) -> dict[int, FactAt]:
    """Key → what an agent is told of it at that instant."""
    clocks = AsOf(at if at is not None else resolve().as_of, 0, latest=True)
    rows = list(Fact.objects.as_of(clocks).filter(key__in=keys).select_related("key").order_by("pk"))
    return dict(zip((row.key_id for row in rows), describe(rows, clocks, Reader()), strict=True))


def differences(before: dict[int, FactAt], after: dict[int, FactAt]) -> list[Moved]:
    changed = [key for key in before.keys() | after.keys() if _says(before.get(key)) != _says(after.get(key))]
    named = Key.objects.filter(pk__in=changed).order_by("subject", "predicate", "scope")
    return [Moved(key.scope, key.subject, key.predicate, before.get(key.pk), after.get(key.pk)) for key in named]


def _says(fact: FactAt | None) -> tuple[str, int | None] | None:
    return None if fact is None else (fact.value, fact.expires_at)
