"""A repeated request gets the answer of the first: kept for a day, in the transaction of the write it answers."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import batched

from brain.errors import BrainError
from brain.journal import clock
from brain.models import IdempotentAnswer
from brain.time import DAY
from brain.turns import turn

KEPT = DAY
BATCH = 500
SHOWN = re.compile(r'"id":([0-9]+),"scope":')  # how a fact begins in an answer


class Mismatch(BrainError):
    """The key was used for another body."""

    code = "idempotency_mismatch"


@dataclass(frozen=True, slots=True)
class Request:
    """A request by what its answer is bound to: who sent it, method, path and key; and its body,
    whose digest is keyed: what a purge erased cannot be guessed from it."""

    hash: str
    body_hash: str

    @classmethod
    def of(cls, *, caller: str, method: str, path: str, key: str, body: bytes) -> Request:
        bound = "\n".join((caller, method, path, key)).encode()
        return cls(hashlib.sha256(bound).hexdigest(), hmac.digest(bound, body, "sha256").hex())


@dataclass(frozen=True, slots=True)
class Kept:
    status: int
    answer: str


def kept(request: Request) -> Kept | None:
    """The answer that this request got within the last day. Raises Mismatch when its key came with another body."""
    found = IdempotentAnswer.objects.filter(hash=request.hash, at__gt=clock() - KEPT).first()
    if found is None:
        return None
    if found.body_hash != request.body_hash:
        raise Mismatch("this Idempotency-Key was used with another body")
    return Kept(found.status, found.answer)


def keep(request: Request, *, status: int, answer: str, operation_id: int | None) -> None:
    """Stores the answer. To be called in the turn of the write; drops what has been kept for longer than a day."""
    now = clock()
    with turn():
        IdempotentAnswer.objects.filter(at__lte=now - KEPT).delete()
        IdempotentAnswer.objects.create(
            hash=request.hash,
            body_hash=request.body_hash,
            status=status,
            answer=answer,
            operation_id=operation_id,
            at=now,
        )


def erase(facts: Collection[int]) -> None:
    """Empties, within the turn that erases these facts, every answer that shows one of them."""
    rows = IdempotentAnswer.objects.exclude(answer="").order_by().values_list("pk", "answer").iterator()
    showing = [pk for pk, answer in rows if any(int(shown) in facts for shown in SHOWN.findall(answer))]
    for batch in batched(showing, BATCH):
        IdempotentAnswer.objects.filter(pk__in=batch).update(answer="")
