"""Receipts come from the spool into the database once, whole, and blank where what they named has been erased."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import batched
from typing import Any

from django.db import OperationalError, connection, transaction

from brain import spool
from brain.errors import Busy
from brain.leaks import folded
from brain.models import DrainedSpool, Fact
from brain.turns import PATIENCE, turn

LOCK = 0x70616C6A  # on PostgreSQL receipts have a lock of their own: they wait for erasing, not for writing
BATCH = 1_000
TEXTS = ("subject", "predicate", "q")  # texts of a query; "subjects" is a list of them

# without the ORM, which takes 200 us a receipt and all of it holding the lock
RECEIPT = """
    INSERT INTO receipt (id, at, agent, scope, query, as_of, known_at, fact_ids, words, erased)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING
"""
NAMED = "INSERT INTO receipt_fact (receipt_id, fact) VALUES (%s, %s) ON CONFLICT DO NOTHING"


@contextmanager
def writing() -> Iterator[None]:
    """The receipts' own turn. Raises Busy."""
    if connection.vendor != "postgresql":
        with turn():
            yield
        return
    with transaction.atomic():
        _take_lock()
        yield


def _take_lock() -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = {int(PATIENCE * 1000)}")
            cursor.execute(f"SELECT pg_advisory_xact_lock({LOCK})")
    except OperationalError as error:
        raise Busy("the receipts are being erased; try again") from error


def drain() -> None:
    """Brings every receipt from the spool into the database. Raises Busy."""
    if spool.waiting():  # mostly not, and then there is no lock to wait for
        with writing():
            store_all()


def store_all() -> None:
    """Within a transaction. The files go when it commits; until then the database says that they have been drained."""
    if not spool.waiting():
        return
    files = spool.set_aside()
    drained = DrainedSpool.objects.filter(name__startswith=spool.host())
    drained.exclude(name__in=[file.name for file in files]).delete()
    done = set(drained.values_list("name", flat=True))
    for file in (file for file in files if file.name not in done):
        for batch in batched(spool.records(file), BATCH):
            _store(batch)
        DrainedSpool.objects.create(name=file.name)
    transaction.on_commit(partial(spool.remove, files))


def _store(records: Collection[dict[str, Any]]) -> None:
    """Stores what is not there yet; what named a fact that has been erased meanwhile comes in blank."""
    there = with_content({fact for record in records for fact in record["fact_ids"]})
    with connection.cursor() as cursor:
        cursor.executemany(RECEIPT, [_row(record, there) for record in records])
        named = [(record["id"], fact) for record in records for fact in dict.fromkeys(record["fact_ids"])]
        cursor.executemany(NAMED, named)


def with_content(facts: set[int]) -> set[int]:
    """Those of the facts whose content is still there."""
    found: set[int] = set()
    for batch in batched(sorted(facts), BATCH):
        found.update(Fact.objects.content().filter(origin__in=batch).order_by().values_list("origin_id", flat=True))
    return found


def _row(record: dict[str, Any], there: set[int]) -> tuple[Any, ...]:
    erased = not there.issuperset(record["fact_ids"])
    query = without_texts(record["query"]) if erased else record["query"]
    asked = (record["id"], record["at"], record["agent"], record["scope"], json.dumps(query))
    served = (record["as_of"], record["known_at"], json.dumps(record["fact_ids"]))
    return *asked, *served, "" if erased else words(query), erased


def words(query: dict[str, Any], answer: str = "") -> str:
    """The texts of a question, each between \\x1c, then the answer: texts hold no control characters of their own."""
    texts = [query[name] for name in TEXTS if query.get(name)] + list(query.get("subjects", []))
    return folded("\x1c".join(["", *texts, answer]))


def without_texts(query: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in query.items() if name not in (*TEXTS, "subjects")}
