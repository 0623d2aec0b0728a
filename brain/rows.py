"""Sayings become rows here and nowhere else: each with its salted digest, its folded text and its operation."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from brain.journal import Entry, new_salt, salted
from brain.models import Fact, Key
from brain.querysets import SOURCE_ENDS, VALUE_ENDS
from brain.saying import Saying

FIND_KEY = "SELECT * FROM fact_key WHERE scope = %(scope)s AND subject = %(subject)s AND predicate = %(predicate)s"
CONTENT = ("value", "source", "written_by", "learned_at", "expires_at", "temporary", "category", "source_kind")
KEY = ("key.scope", "key.subject", "key.predicate")
SIGNED = ("id", "origin_id", *KEY, *CONTENT, "confidence", "claim")  # what a digest covers, in this order
_signed = attrgetter(*SIGNED)


def folded(value: str, source: str, written_by: str) -> str:
    return f"{value}{VALUE_ENDS}{source}{SOURCE_ENDS}{written_by}".casefold()


def digest(row: Fact) -> str:
    """The salted digest of a row's content, by which the journal knows it."""
    return salted(row.salt, _signed(row))


def key_of(saying: Saying) -> Key:
    """The saying's key, made when it is new. Called within a turn only."""
    texts = {"scope": saying.scope, "subject": saying.subject, "predicate": saying.predicate}
    found = next(iter(Key.objects.raw(FIND_KEY, texts)), None)
    return found or Key.objects.create(
        **texts, subject_folded=saying.subject.casefold(), predicate_folded=saying.predicate.casefold()
    )


def new_row(saying: Saying, key: Key, entry: Entry, *, claim: bool) -> Fact:
    """The unsaved row of a fact said for the first time; `learned_at` must be known by now."""
    number = entry.next_fact()
    row = _row(
        id=number,
        key_id=key.pk,
        origin_id=number,
        recorded_in_id=entry.id,
        taught_in=entry.id,
        claim=claim,
        confidence=float(saying.confidence),
        folded=folded(saying.value, saying.source, saying.written_by),
        **{field: getattr(saying, field) for field in CONTENT},
    )
    row.key = key
    return _sign(row, entry)


def _row(**columns: Any) -> Fact:
    """A row with these columns, null in the others. Given by position: by name the constructor is the dearest step
    of a saying."""
    return Fact(*[columns.get(field.attname) for field in Fact._meta.concrete_fields])  # type: ignore[misc]


def said_again(row: Fact, entry: Entry, **changes: Any) -> Fact:
    """An unsaved copy of `row` with the same origin and marks, recorded in this operation, linked to nothing yet."""
    kept = {field.attname: getattr(row, field.attname) for field in Fact._meta.concrete_fields}
    kept |= {"id": entry.next_fact(), "recorded_in_id": entry.id, "retracted_in_id": None}
    kept |= {"superseded_by_id": None, "superseded_at": None}
    copy = Fact(**(kept | changes))
    copy.key = row.key
    return copy if row.erasure else _sign(copy, entry)


def _sign(row: Fact, entry: Entry) -> Fact:
    row.salt = new_salt()
    row.digest = digest(row)
    return row
