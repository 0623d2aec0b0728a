"""Every recall and search by an agent leaves a receipt before its answer leaves; a receipt ends up blank, never false.

A receipt goes to the spool first, so that a read waits for no writer; whoever reads or erases receipts drains the
spool before, and a thread (`drainer`) does within a second.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import batched
from typing import Any

from django.db import OperationalError, connection, transaction
from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import StrIndex
from django.db.models.lookups import GreaterThan

from brain import saying, spool
from brain.errors import Busy, Conflict, Invalid, NotFound
from brain.journal import clock
from brain.leaks import Leaks, folded
from brain.models import DrainedSpool, Fact, Receipt, ReceiptFact
from brain.querysets import under
from brain.reader import Reader
from brain.time import DAY, AsOf
from brain.turns import PATIENCE, turn

LOCK = 0x70616C6A  # on PostgreSQL receipts have a lock of their own: they wait for erasing, not for writing
BATCH = 1_000
ID = re.compile("[0-9a-f]{8,64}")
TEXTS = ("subject", "predicate", "q")  # texts of a query; "subjects" is a list of them
BLANK: dict[str, Any] = {"answer": None, "words": "", "erased": True}


def leave(*, agent: str, scope: str, query: dict[str, Any], at: AsOf, fact_ids: list[int]) -> str | None:
    """The id of the receipt, which the death of this process will not lose; None when it could not be written.

    `query` is the question as asked: `kind` (recall or search), its texts, and of `recursive`, `predicate`, `mode`,
    `known_at` and `as_of` what it named. A question of a pinned token names the pin as its `as_of`.
    """
    now = clock()
    receipt = f"{now:x}{secrets.token_hex(8)}"
    record = {"id": receipt, "at": now, "agent": agent, "scope": scope, "query": query}
    record |= {"as_of": at.as_of, "known_at": at.known_at, "fact_ids": fact_ids}
    return receipt if spool.append(record) else None


# -- from the spool into the database


@contextmanager
def _writing() -> Iterator[None]:
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
    if spool.waiting():
        with _writing():
            _store_all()


def _store_all() -> None:
    """Within a transaction. The files go when it commits; until then the database says that they have been drained."""
    files = spool.set_aside()
    drained = DrainedSpool.objects.filter(name__startswith=spool.host())
    drained.exclude(name__in=[file.name for file in files]).delete()
    done = set(drained.values_list("name", flat=True))
    for file in (file for file in files if file.name not in done):
        for batch in batched(spool.records(file), BATCH):
            _store({record["id"]: record for record in batch})
        DrainedSpool.objects.create(name=file.name)
    transaction.on_commit(partial(spool.remove, files))


def _store(records: dict[str, dict[str, Any]]) -> None:
    """Stores what is not there yet; what named a fact that has been erased meanwhile comes in blank."""
    there = _content({fact for record in records.values() for fact in record["fact_ids"]})
    rows = [_blank_or(Receipt(**record, words=_words(record["query"])), there) for record in records.values()]
    Receipt.objects.bulk_create(rows, ignore_conflicts=True)
    named = [ReceiptFact(receipt_id=row.pk, fact=fact) for row in rows for fact in dict.fromkeys(row.fact_ids)]
    ReceiptFact.objects.bulk_create(named, ignore_conflicts=True, batch_size=BATCH)


def _content(facts: set[int]) -> set[int]:
    """Those of the facts whose content is still there."""
    found: set[int] = set()
    for batch in batched(sorted(facts), BATCH):
        found.update(Fact.objects.content().filter(origin__in=batch).order_by().values_list("origin_id", flat=True))
    return found


def _blank_or(receipt: Receipt, there: set[int]) -> Receipt:
    if not there.issuperset(receipt.fact_ids):
        receipt.query, receipt.words, receipt.erased = _without_texts(receipt.query), "", True
    return receipt


def _words(query: dict[str, Any], answer: str = "") -> str:
    """The texts of a question, each between \\x1c, then the answer: texts hold no control characters of their own."""
    texts = [query[name] for name in TEXTS if query.get(name)] + list(query.get("subjects", []))
    return folded("\x1c".join(["", *texts, answer]))


def _without_texts(query: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in query.items() if name not in (*TEXTS, "subjects")}


# -- reading


def listing(
    reader: Reader,
    *,
    own: str | None = None,
    agent: str | None = None,
    subject: str | None = None,
    fact: int | None = None,
    start: int | None = None,
    end: int | None = None,
    q: str | None = None,
) -> QuerySet[Receipt]:
    """The receipts that this reader may see, newest first: those of agent `own` alone without audit:read.

    `start` ≤ at < `end`, epoch milliseconds. `subject` (whole) and `q` (a part of question or answer) match
    case-folded.
    """
    drain()
    found = Receipt.objects.filter(under(reader.scope, "scope"))
    if not reader.audit:
        found = found.filter(agent=own or "")
    if reader.pin is not None:
        found = found.filter(at__lte=reader.pin, as_of__lte=reader.pin)
    if subject is not None:
        found = found.filter(_about(subject))
    if q is not None:
        found = found.filter(_holds(folded(q)))
    filters = {"agent": agent, "served__fact": fact, "at__gte": start, "at__lt": end}
    return found.filter(**{name: value for name, value in filters.items() if value is not None}).order_by("-at", "id")


def _holds(words: str) -> Q:
    return Q(GreaterThan(StrIndex(F("words"), Value(words)), 0))


def _about(subject: str) -> Q:
    """Receipts whose question names the subject, or which served a fact of it."""
    facts = Fact.objects.filter(key__subject_folded=subject.casefold()).order_by().values("origin_id")
    served = ReceiptFact.objects.filter(fact__in=facts).order_by().values("receipt_id")
    return _holds(f"\x1c{folded(subject)}\x1c") | Q(pk__in=served)


def receipt(receipt_id: str, reader: Reader, *, own: str | None = None) -> Receipt:
    """Raises NotFound, the same for another agent's, elsewhere and never."""
    found = listing(reader, own=own).filter(pk=receipt_id).first() if ID.fullmatch(receipt_id) else None
    if found is None:
        raise NotFound("there is no such receipt")
    return found


def answer(receipt_id: str, text: object, *, agent: str) -> Receipt:
    """Stores what the agent then said: once, on a receipt of its own. Raises Invalid, NotFound, Conflict."""
    said = _said(text)
    drain()
    with _writing():
        found = Receipt.objects.filter(pk=receipt_id, agent=agent).first() if ID.fullmatch(receipt_id) else None
        if found is None:
            raise NotFound("there is no such receipt")
        if found.answer is not None:
            raise Conflict("this receipt has its answer already")
        if found.erased:
            raise Conflict("what this receipt served has been erased")
        found.answer, found.answered_at, found.words = said, clock(), _words(found.query, said)
        found.save(update_fields=["answer", "answered_at", "words"])
    return found


def _said(text: object) -> str:
    try:
        return saying.text("value", text)
    except Invalid as refusal:
        raise Invalid.field("text", refusal.errors[0][1]) from None


# -- what forgetting needs


def affected(fact_ids: Iterable[int]) -> int:
    """How many receipts relied on any of these facts."""
    drain()
    facts, named = set(fact_ids), ReceiptFact.objects.order_by()
    if len(facts) <= BATCH:
        return named.filter(fact__in=facts).values("receipt").distinct().count()
    return len({receipt for receipt, fact in named.values_list("receipt_id", "fact").iterator() if fact in facts})


def relying(fact_ids: Iterable[int], most: int) -> list[Receipt]:
    """The newest receipts that relied on any of these facts, newest first."""
    drain()
    found: dict[str, Receipt] = {}
    for batch in batched(sorted(set(fact_ids)), BATCH):
        served = ReceiptFact.objects.filter(fact__in=batch).order_by().values("receipt_id")
        found |= {row.pk: row for row in Receipt.objects.filter(pk__in=served).order_by("-at", "id")[:most]}
    return sorted(found.values(), key=lambda row: (-row.at, row.pk))[:most]


def erase(fact_ids: Iterable[int], texts: Iterable[str]) -> int:
    """Blanks, within the turn that erases these facts, every receipt that names one of them, and any whose question
    or answer contains one of the erased texts. Returns how many there were."""
    with _writing():
        _store_all()
        naming = ReceiptFact.objects.filter(receipt__erased=False).order_by()
        blanked = 0
        for batch in batched(sorted(set(fact_ids)), BATCH):
            blanked += _blank(set(naming.filter(fact__in=batch).values_list("receipt_id", flat=True)))
        for found in Leaks(texts).among_folded(Receipt.objects.exclude(words=""), "words"):
            blanked += _blank(found)
    return blanked


def _blank(receipt_ids: Iterable[str]) -> int:
    rows = list(Receipt.objects.filter(pk__in=receipt_ids))
    for row in rows:
        row.query = _without_texts(row.query)
        for name, value in BLANK.items():
            setattr(row, name, value)
    Receipt.objects.bulk_update(rows, ["query", *BLANK], batch_size=100)
    return len(rows)


def erase_scope(scope: str) -> int:
    """Deletes, within the turn that erases a scope, the receipts of reads in it. Returns how many there were."""
    with _writing():
        _store_all()
        return _delete(Receipt.objects.filter(under(scope, "scope")))


def expire(days: int) -> int:
    """Deletes receipts older than so many days: the retention of receipts. Returns how many there were."""
    with _writing():
        _store_all()
        return _delete(Receipt.objects.filter(at__lt=clock() - days * DAY))


def _delete(rows: QuerySet[Receipt]) -> int:
    return rows.delete()[1].get(Receipt._meta.label, 0)
