"""What is left of erased bytes in the database's own files, and how to be rid of it."""

from __future__ import annotations

from time import monotonic, sleep

from django.db import connection

from brain.search_index import drop_erased_words

PATIENCE = 10.0  # seconds that a reader of the old pages is waited for
ERASED, AT_SCRUB, READER_OPEN, AT_COMMIT = "erased", "at the next scrub", "when the open reader ends", "at commit"


def wipe() -> str:
    """Takes erased bytes out of SQLite's index of words and its log (the file's own pages are overwritten as they are
    freed). Says when the bytes are gone: on PostgreSQL only `manage.py scrub` does it."""
    if connection.vendor == "postgresql":
        return AT_SCRUB
    if connection.in_atomic_block:
        return AT_COMMIT
    drop_erased_words(connection)
    return ERASED if _truncate_log() else READER_OPEN


def _truncate_log() -> bool:
    deadline = monotonic() + PATIENCE
    while True:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            if cursor.fetchone()[0] == 0:
                return True
        if monotonic() > deadline:
            return False
        sleep(0.05)


def scrub() -> list[str]:
    """Rewrites every table, so that erased bytes leave heap, index and statistics; returns the tables. They are
    locked meanwhile, one after the other. PostgreSQL's log and backups keep what they have."""
    tables = connection.introspection.table_names()
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            for table in tables:
                cursor.execute(f"VACUUM (FULL, ANALYZE) {connection.ops.quote_name(table)}")
        else:
            cursor.execute("VACUUM")
    wipe()
    return tables
