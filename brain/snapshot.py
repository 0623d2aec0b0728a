"""A long read sees one state of the brain, and holds up no writer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """A transaction that only reads; inside another transaction that one's view is used."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        yield from _sqlite()
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield


def _sqlite() -> Iterator[None]:
    """`atomic` would begin with the writers' lock; a deferred transaction never takes it."""
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("COMMIT")
