"""Measures recalls, lists and writes beside their floor in the same run; read the ratios, machines are noisy.

usage: DATABASE_URL=… python -m tests.benchmarks.sample 1000000 && python -m tests.benchmarks.speed
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from itertools import islice
from time import perf_counter

import django
from django.db import connection, transaction

from tests.benchmarks.sample import NOW, YEARS_AGO


def _median(act: Callable[[], object], times: int) -> float:
    """Seconds of the middle run of `times`."""
    runs = []
    for _ in range(times):
        began = perf_counter()
        act()
        runs.append(perf_counter() - began)
    return sorted(runs)[times // 2]


def _line(name: str, seconds: float, floor: float, target: str) -> None:
    print(f"{name:45} {seconds * 1e6:12,.0f} µs {seconds / floor:10.1f} × floor   target {target}")


def recalls() -> float:
    """The floor: seconds of one primary-key SELECT."""
    from brain import journal
    from brain.recall import recall
    from brain.time import AsOf

    rng = random.Random(5)
    with connection.cursor() as cursor:
        cursor.execute("SELECT MAX(id) FROM fact")
        rows = cursor.fetchone()[0]
        cursor.execute("SELECT COUNT(*) FROM fact_key")
        keys = cursor.fetchone()[0]
    driver = connection.connection.cursor()
    place = "?" if connection.vendor == "sqlite" else "%s"

    def by_id() -> None:
        driver.execute(f"SELECT * FROM fact WHERE id = {place}", (rng.randrange(1, rows),)).fetchall()

    known = journal.last_id()

    def at(*, latest: bool = True) -> AsOf:
        return AsOf(rng.randrange(YEARS_AGO, NOW), known, latest)

    def subject() -> str:
        return f"subject {rng.randrange(keys // 2):07d}"

    floor = _median(by_id, 500)
    _line("primary-key SELECT by the driver (floor)", floor, floor, "")
    _line("recall, any T", _median(lambda: recall(subject(), at=at()), 500), floor, "4 × SQLite, 1.5 × PostgreSQL")
    _line("recall, hot key of 10,000 versions", _median(lambda: recall("hot", at=at()), 500), floor, "the same")
    _line("recall at an earlier K", _median(lambda: recall(subject(), at=at(latest=False)), 500), floor, "twice recall")
    return floor


def lists(floor: float) -> None:
    from brain import compare, journal, keyset, listing, timeline
    from brain.reader import EVERYTHING
    from brain.time import AsOf

    rng, known = random.Random(6), journal.last_id()

    def at() -> AsOf:
        return AsOf(rng.randrange(YEARS_AGO, NOW), known, latest=True)

    def listed(order: str, **narrow: str) -> Callable[[], object]:
        return lambda: keyset.page(listing.facts(EVERYTHING, at(), scope="/", **narrow), order, None, 25)

    _line("page by subject, any T", _median(listed("subject"), 9), floor, "50 ms")
    _line("page of the newest changes", _median(listed("-learned_at"), 9), floor, "50 ms")
    _line("page of one writer", _median(listed("subject", written_by="writer-3"), 9), floor, "50 ms")
    _line("exact count at any T", _median(listing.facts(EVERYTHING, at(), scope="/").count, 5), floor, "10 ms")
    drawn = timeline.timeline
    _line("histogram, the first time", _median(lambda: drawn(EVERYTHING, at(), buckets=60), 3), floor, "10 ms")
    first = lambda: list(islice(compare.diff(EVERYTHING, at(), at()), 25))  # noqa: E731
    _line("first page of a diff", _median(first, 3), floor, "100 ms")


def writes() -> None:
    from brain.remember import remember
    from brain.saying import Saying

    sql = "UPDATE fact SET superseded_at = superseded_at WHERE id = 1"
    insert = "INSERT INTO receipt_fact (receipt_id, fact) SELECT id, 1 FROM receipt WHERE id = 'none'"
    count = iter(range(1_000_000))

    def bare() -> None:
        """A durable transaction of one update and two inserts that find nothing to insert."""
        with transaction.atomic(), connection.cursor() as cursor:
            for statement in (sql, insert, insert):
                cursor.execute(statement)
            cursor.execute("UPDATE scope SET name = name")

    floor = _median(bare, 100)
    _line("bare durable transaction (floor)", floor, floor, "")

    def say() -> None:
        remember(Saying("bench", f"p{next(count) % 20}", str(next(count)), "s", "w"), actor="bench")

    _line("remember, acknowledged", _median(say, 100), floor, "1.7 × floor")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    django.setup()
    lists(recalls())
    writes()
