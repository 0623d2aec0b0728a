"""A brain of any size for measuring, written straight into the tables: its journal is real, its rows unsigned.

usage: DATABASE_URL=… python -m tests.benchmarks.sample ROWS
"""

from __future__ import annotations

import random
import sys

import django
from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction

YEARS_AGO = 1_480_000_000_000  # November 2016
NOW = 1_796_000_000_000
HOT_VERSIONS = 10_000
COLUMNS = (
    "id, key, value, source, written_by, learned_at, expires_at, superseded_by, superseded_at, temporary, origin,"
    " recorded_in, taught_in, category, source_kind, confidence, claim, erasure, folded, salt, digest"
).replace("key,", '"key",')


def build(rows: int, versions: int = 10) -> None:
    """`rows` facts over ten years in keys of about `versions` rows each, and one hot key of 10,000."""
    from brain.journal import operation
    from brain.models import Key
    from brain.rows import folded

    rng = random.Random(7)
    keys, left = [HOT_VERSIONS], rows - HOT_VERSIONS
    while left > 0:
        keys.append(min(left, rng.randint(1, 2 * versions - 1)))
        left -= keys[-1]
    with transaction.atomic(), operation("import", actor="benchmark") as entry:
        names = [("hot" if n == 0 else f"subject {n // 2:07d}", f"p{n % 2}") for n in range(len(keys))]
        Key.objects.bulk_create(
            [Key(scope="/", subject=s, predicate=p, subject_folded=s, predicate_folded=p) for s, p in names],
            batch_size=2000,
        )
        ids = dict(Key.objects.values_list("subject", "pk").filter(predicate="p0")) | {}
        by_name = {(s, p): pk for s, p, pk in Key.objects.values_list("subject", "predicate", "pk")}
        del ids
        insert = f"INSERT INTO fact ({COLUMNS}) VALUES ({', '.join(['%s'] * 21)})"
        batch: list[tuple[object, ...]] = []
        with connection.cursor() as cursor:
            for name, size in zip(names, keys, strict=True):
                instants = sorted(rng.randrange(YEARS_AGO, NOW) for _ in range(size))
                first = entry.row.last_fact + 1
                for n, learned in enumerate(instants):
                    number = entry.next_fact()
                    following = (number + 1, instants[n + 1]) if n + 1 < size else (None, None)
                    value = f"${rng.randrange(1, 9000)}.{number % 100:02d}"
                    expires = learned + 86_400_000 * 30 if rng.random() < 0.02 else None
                    batch.append(
                        (number, by_name[name], value, f"sheet-{n % 7}", f"writer-{number % 11}", learned, expires)
                        + (*following, False, number, entry.id, entry.id, "knowledge", "upsert", 1.0, False, None)
                        + (folded(value, f"sheet-{n % 7}", f"writer-{number % 11}"), None, "")
                    )
                assert first <= entry.row.last_fact
                if len(batch) >= 20_000:
                    cursor.executemany(insert, batch)
                    batch.clear()
            cursor.executemany(insert, batch)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


if __name__ == "__main__":
    django.setup()
    call_command("migrate", verbosity=0)
    build(int(sys.argv[1]))
    print(settings.DATABASES["default"]["NAME"])
