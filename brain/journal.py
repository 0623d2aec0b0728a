"""Every write happens inside one operation: a transaction that ends with one row of the hash-chained journal."""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import connection
from django.db.models import Max, QuerySet

from brain.errors import Invalid
from brain.inserting import insert
from brain.models import Operation
from brain.querysets import under
from brain.reader import Reader
from brain.time import AsOf, in_range
from brain.turns import turn

GENESIS = "0" * 64
__all__ = ["Entry", "last_id", "now", "operation", "operations", "resolve", "turn"]


_encoder = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def canonical(value: object) -> bytes:
    """The one byte form of a JSON value that digests are taken over."""
    return _encoder.encode(value).encode()


def salted(salt: str, value: object) -> str:
    return hashlib.sha256(salt.encode() + canonical(value)).hexdigest()


def new_salt() -> str:
    return secrets.token_hex(16)


@dataclass(slots=True)
class Tally:
    """A running digest over the sayings that an operation touched in one way, in the order of their row ids."""

    number: int = 0
    digest: Any = field(default_factory=hashlib.sha256)

    def add(self, row: int, content: str) -> None:
        self.number += 1
        self.digest.update(f"{row}:{content};".encode())


TOUCHES = ("said", "unsaid", "forgot", "restored")


def contents_digest(tallies: dict[str, Tally]) -> str:
    return hashlib.sha256(
        canonical([[name, tallies[name].number, tallies[name].digest.hexdigest()] for name in TOUCHES])
    ).hexdigest()


@dataclass(slots=True)
class Entry:
    """The operation under way. Verbs record what they touch through it; `row` becomes the journal's row."""

    row: Operation
    scope: str | None = None
    tallies: dict[str, Tally] = field(default_factory=lambda: {name: Tally() for name in TOUCHES})

    @property
    def id(self) -> int:
        return self.row.id

    @property
    def at(self) -> int:
        return self.row.at

    def next_fact(self) -> int:
        self.row.last_fact += 1
        return self.row.last_fact

    def touch(self, how: str, row: int, digest: str) -> None:
        """Rows of one way of touching come in the order of their ids."""
        self.tallies[how].add(row, digest)

    def widen(self, scope: str) -> None:
        """The operation's scope is the narrowest that holds everything it touched."""
        self.scope = scope if self.scope is None else _common(self.scope, scope)

    def count(self, **counts: int) -> None:
        self.row.counts.update(counts)


def _common(left: str, right: str) -> str:
    if left == right:
        return left
    shared = []
    for one, other in zip(left.strip("/").split("/"), right.strip("/").split("/"), strict=False):
        if one != other:
            break
        shared.append(one)
    return "/" + "/".join(shared)


def clock() -> int:
    """The machine's clock in epoch milliseconds."""
    return time.time_ns() // 1_000_000


def now() -> int:
    """The later of the machine's clock and the journal's last instant: never before what was acknowledged."""
    last = Operation.objects.aggregate(at=Max("at"))["at"]
    return max(clock(), last or 0)


def last_id() -> int:
    """The last operation's id; 0 for an empty brain."""
    return Operation.objects.aggregate(id=Max("id"))["id"] or 0


@contextmanager
def operation(
    kind: str,
    *,
    actor: str,
    reason: str = "",
    details: dict[str, Any] | None = None,
    scope: str | None = None,
    at: int | None = None,
) -> Iterator[Entry]:
    """Opens a turn and an operation in it; the journal's row is written at the end, with what was touched.

    `at` is for replaying a history only: it may not precede the last operation nor lie after now (Invalid).
    """
    with turn():
        with connection.cursor() as cursor:
            cursor.execute("SELECT id, at, hash, last_fact FROM operation ORDER BY id DESC LIMIT 1")
            last_id, last_at, last_hash, last_fact = cursor.fetchone() or (0, 0, GENESIS, 0)
        current = max(clock(), last_at)
        if at is not None and not last_at <= at <= current:
            raise Invalid.field("recorded_at", "must not precede the last operation nor lie after now")
        row = Operation(
            id=last_id + 1,
            at=current if at is None else at,
            actor=actor,
            kind=kind,
            reason=reason,
            details=details or {},
            counts={},
            last_fact=last_fact,
            previous_hash=last_hash,
        )
        entry = Entry(row, scope)
        yield entry
        _seal(entry)


def _seal(entry: Entry) -> None:
    row = entry.row
    row.scope = entry.scope or "/"
    row.reason_salt, row.details_salt = new_salt(), new_salt()
    row.reason_digest = salted(row.reason_salt, row.reason)
    row.details_digest = salted(row.details_salt, [row.scope, row.details])
    row.contents_digest = contents_digest(entry.tallies)
    row.hash = row_hash(row)
    insert(row)


def row_hash(row: Operation) -> str:
    """The hash of an operation: over the hash before it and everything of its own that is never erased."""
    return hashlib.sha256(
        canonical(
            [
                row.previous_hash,
                row.id,
                row.at,
                row.actor,
                row.kind,
                row.counts,
                row.last_fact,
                row.contents_digest,
                row.reason_digest,
                row.details_digest,
            ]
        )
    ).hexdigest()


def resolve(as_of: int | None = None, known_at: int | str | None = None, *, reader: Reader | None = None) -> AsOf:
    """The two clocks of a read: T defaults to the reader's pin or now, K to the last operation.

    `known_at` is an instant, meaning the last operation with `at` ≤ it, or "op:17", what stood right after it.
    """
    with connection.cursor() as cursor:  # part of every hot read, hence no model instances
        cursor.execute("SELECT id, at FROM operation ORDER BY id DESC LIMIT 1")
        last = cursor.fetchone() or (0, 0)
    current = max(clock(), last[1])
    pin = reader.pin if reader else None
    instant = as_of if as_of is not None else (pin if pin is not None else current)
    if not in_range(instant):
        raise Invalid.field("as_of", "must lie in 2000-01-01 to 9999-12-31")
    known = last[0] if known_at is None else _known(known_at, last[0], current)
    return AsOf(instant, known, latest=known >= last[0])


def _known(known_at: int | str, last: int, current: int) -> int:
    if isinstance(known_at, str):
        number = known_at.removeprefix("op:")
        if number == known_at or not number.isascii() or not number.isdigit() or len(number) > 18:
            raise Invalid.field("known_at", 'an operation is written like "op:17"')
        if int(number) > last:
            raise Invalid.field("known_at", "names an operation that has not happened")
        return int(number)
    if known_at > current:
        raise Invalid.field("known_at", "must not lie after now")
    return Operation.objects.filter(at__lte=known_at).aggregate(id=Max("id"))["id"] or 0


def operations(
    reader: Reader,
    *,
    kind: str | None = None,
    actor: str | None = None,
    start: int | None = None,
    end: int | None = None,
) -> QuerySet[Operation]:
    """The journal as this reader may see it, newest first; `start` ≤ at < `end`."""
    found = Operation.objects.filter(under(reader.scope, "scope")).order_by("-id")
    if reader.pin is not None:
        found = found.filter(at__lte=reader.pin)
    for condition, value in (("kind", kind), ("actor", actor), ("at__gte", start), ("at__lt", end)):
        if value is not None:
            found = found.filter(**{condition: value})
    return found
