"""Answers are encoded once, in the shapes of the contract; a read's ETag covers what it found, not when it looked."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.http import parse_etags

from brain.describe import FactAt, describe
from brain.models import Fact
from brain.reader import Reader
from brain.time import AsOf, to_text

MEDIA_TYPE = "application/json"
instant_text = lru_cache(maxsize=4096)(to_text)


_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)  # dumps() makes one a call


def encode(value: object) -> bytes:
    return _encoder.encode(value).encode()


def instant(moment: int | None) -> str | None:
    return None if moment is None else instant_text(moment)


def fact_json(fact: FactAt) -> dict[str, Any]:
    return {
        "id": fact.id,
        "scope": fact.scope,
        "subject": fact.subject,
        "predicate": fact.predicate,
        "value": fact.value,
        "source": fact.source,
        "source_kind": fact.source_kind,
        "written_by": fact.written_by,
        "category": fact.category,
        "confidence": fact.confidence,
        "importance": fact.importance,
        "temporary": fact.temporary,
        "learned_at": instant(fact.learned_at),
        "expires_at": instant(fact.expires_at),
        "superseded_by": fact.superseded_by,
        "superseded_at": instant(fact.superseded_at),
        "recorded_at": instant(fact.recorded_at),
        "retracted_at": instant(fact.retracted_at),
        "operation": fact.operation,
        "status": fact.status,
        "contested": fact.contested,
    }


def facts_json(facts: Iterable[FactAt]) -> list[dict[str, Any]]:
    return [fact_json(fact) for fact in facts]


def described(rows: Iterable[Fact], at: AsOf, reader: Reader) -> list[dict[str, Any]]:
    return facts_json(describe(rows, at, reader))


def read_answer(request: HttpRequest, body: bytes, found: bytes, *, receipt: str | None = None) -> HttpResponse:
    """A read's answer, or 304 where the caller has it already. `found` is the part that the ETag covers."""
    tag = f'W/"{blake2b(found, digest_size=16).hexdigest()}"'
    if _has(request, tag):
        answer = HttpResponse(status=304)
        del answer["Content-Type"]
    else:
        answer = HttpResponse(body, content_type=MEDIA_TYPE)
    answer["ETag"] = tag
    answer["Cache-Control"] = "private, no-cache"
    if receipt is not None:
        answer["Recall-Receipt"] = receipt
    return answer


def read_json(request: HttpRequest, value: object, found: object) -> HttpResponse:
    return read_answer(request, encode(value), encode(found))


def _has(request: HttpRequest, tag: str) -> bool:
    header = request.META.get("HTTP_IF_NONE_MATCH")
    if header is None:
        return False
    known = [entry.removeprefix("W/") for entry in parse_etags(header)]
    return "*" in known or tag.removeprefix("W/") in known


@dataclass(frozen=True, slots=True)
class Keeping:
    """How a write's answer is kept for a repeated request: for which operation; `stands_in` for an answer that holds
    a secret; `erased` says that it reports an erasure; a preview is not kept at all."""

    operation_id: int | None = None
    stands_in: bytes | None = None
    erased: bool = False
    preview: bool = False


class WriteAnswer(HttpResponse):
    def __init__(self, value: object, keeping: Keeping, *, status: int = 200) -> None:
        super().__init__(encode(value), status=status, content_type=MEDIA_TYPE)
        self["Cache-Control"] = "no-store"
        self.keeping = keeping


def write_answer(value: object, *, operation_id: int | None, status: int = 200) -> WriteAnswer:
    return WriteAnswer(value, Keeping(operation_id), status=status)
