"""A brain of any size for measuring, written straight into the tables: its journal is real, its rows unsigned.

usage: DATABASE_URL=… python -m tests.benchmarks.sample ROWS
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from itertools import batched

import django
from django.core.management import call_command
from django.db import connection, transaction

YEARS_AGO = 1_480_000_000_000  # November 2016
NOW = 1_796_000_000_000
MONTH = 30 * 86_400_000
HOT_VERSIONS = 10_000
COLUMNS = (
    'id, origin, "key", value, source, written_by, folded, learned_at, expires_at, superseded_by, superseded_at,'
    " recorded_in, taught_in, temporary, category, source_kind, confidence, claim, digest"
)
PLAIN = (False, "knowledge", "upsert", 1.0, False, "")
Row = tuple[object, ...]


def build(rows: int, versions: int = 10) -> None:
    """`rows` facts over ten years in keys of about `versions` rows each, and one hot key of 10,000."""
    from brain.journal import operation

    rng = random.Random(7)
    sizes = [HOT_VERSIONS, *_sizes(rows - HOT_VERSIONS, versions, rng)]
    insert = f"INSERT INTO fact ({COLUMNS}) VALUES ({', '.join(['%s'] * 19)})"
    with transaction.atomic(), operation("import", actor="benchmark") as entry, connection.cursor() as cursor:
        keys = _keys(len(sizes))
        chains = (_chain(key, size, entry.next_fact, entry.id, rng) for key, size in zip(keys, sizes, strict=True))
        for batch in batched((row for chain in chains for row in chain), 20_000):
            cursor.executemany(insert, batch)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _sizes(left: int, versions: int, rng: random.Random) -> Iterator[int]:
    while left > 0:
        size = min(left, rng.randint(1, 2 * versions - 1))
        left -= size
        yield size


def _keys(number: int) -> list[int]:
    from brain.models import Key

    names = [("hot" if n == 0 else f"subject {n // 2:07d}", f"p{n % 2}") for n in range(number)]
    made = [Key(scope="/", subject=s, predicate=p, subject_folded=s, predicate_folded=p) for s, p in names]
    Key.objects.bulk_create(made, batch_size=2_000)
    return [key.pk for key in made]


def _chain(key: int, size: int, number: object, told: int, rng: random.Random) -> Iterator[Row]:
    from brain.rows import folded

    instants = sorted(rng.randrange(YEARS_AGO, NOW) for _ in range(size))
    ids = [number() for _ in instants]  # type: ignore[operator]
    after = [*zip(ids[1:], instants[1:], strict=True), (None, None)]
    for fact, learned, following in zip(ids, instants, after, strict=True):
        texts = (f"${rng.randrange(1, 9000)}.{fact % 100:02d}", f"sheet-{fact % 7}", f"writer-{fact % 11}")
        expires = learned + MONTH if rng.random() < 0.02 else None
        yield (fact, fact, key, *texts, folded(*texts), learned, expires, *following, told, told, *PLAIN)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    django.setup()
    call_command("migrate", verbosity=0)
    build(int(sys.argv[1]))
    print(f"{int(sys.argv[1]):,} facts")
