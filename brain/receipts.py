"""Every recall and search by an agent leaves a receipt before its answer leaves; a receipt ends up blank, never false.

A receipt goes to the spool first, so that a read waits for no writer; whoever reads or erases receipts drains the
spool before, and a thread (`drainer`) does within a second.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator
from itertools import batched
from typing import Any

from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import StrIndex
from django.db.models.lookups import GreaterThan

from brain import saying, spool
from brain.draining import drain, store_all, with_content, without_texts, words, writing
from brain.errors import Conflict, Invalid, NotFound
from brain.journal import clock
from brain.leaks import Leaks, folded
from brain.models import Fact, Receipt, ReceiptFact
from brain.querysets import under
from brain.reader import Reader
from brain.time import DAY, AsOf

BATCH, FEW_BATCHES = 1_000, 10
ID = re.compile("[0-9a-f]{8,64}")
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


def _holds(text: str) -> Q:
    return Q(GreaterThan(StrIndex(F("words"), Value(text)), 0))


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
    with writing():
        found = Receipt.objects.filter(pk=receipt_id, agent=agent).first() if ID.fullmatch(receipt_id) else None
        if found is None:
            raise NotFound("there is no such receipt")
        if found.answer is not None:
            raise Conflict("this receipt has its answer already")
        if found.erased:
            raise Conflict("what this receipt served has been erased")
        found.answer, found.answered_at, found.words = said, clock(), words(found.query, said)
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
    """Blanks, within the turn that erases these facts, every receipt that names one of which nothing is left, and any
    whose question or answer contains one of the erased texts. Returns how many there were."""
    with writing():
        store_all()
        if not Receipt.objects.exists():
            return 0
        blanked = 0
        for batch in batched(sorted(_relying_on_nothing(set(fact_ids))), BATCH):
            blanked += _blank(batch)
        for found in Leaks(texts).among_folded(Receipt.objects.exclude(words=""), "words"):
            blanked += _blank(found)
    return blanked


def _relying_on_nothing(facts: set[int]) -> set[str]:
    """The receipts, not blank yet, that name one of these facts of which nothing is left."""
    named = list(_named(facts))
    gone = {fact for _, fact in named}
    gone -= with_content(gone)
    return {receipt for receipt, fact in named if fact in gone}


def _named(facts: set[int]) -> Iterator[tuple[str, int]]:
    """Receipts with those of the facts that they name; of very many facts, by looking through all receipts."""
    rows = ReceiptFact.objects.filter(receipt__erased=False).order_by().values_list("receipt_id", "fact")
    if len(facts) <= FEW_BATCHES * BATCH:
        for batch in batched(sorted(facts), BATCH):
            yield from rows.filter(fact__in=batch)
    else:
        yield from (pair for pair in rows.iterator() if pair[1] in facts)


def _blank(receipt_ids: Iterable[str]) -> int:
    rows = list(Receipt.objects.filter(pk__in=receipt_ids))
    for row in rows:
        row.query = without_texts(row.query)
        for name, value in BLANK.items():
            setattr(row, name, value)
    Receipt.objects.bulk_update(rows, ["query", *BLANK], batch_size=100)
    return len(rows)


def erase_scope(scope: str) -> int:
    """Deletes, within the turn that erases a scope, the receipts of reads in it. Returns how many there were."""
    with writing():
        store_all()
        return _delete(Receipt.objects.filter(under(scope, "scope")))


def expire(days: int) -> int:
    """Deletes receipts older than so many days: the retention of receipts. Returns how many there were."""
    with writing():
        store_all()
        return _delete(Receipt.objects.filter(at__lt=clock() - days * DAY))


def _delete(rows: QuerySet[Receipt]) -> int:
    return rows.delete()[1].get(Receipt._meta.label, 0)
