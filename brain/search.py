"""search finds facts by words or by meaning among those that a recall at the same instant returns, and no others.

The index proposes; instant, scope and standing are conditions of the same statement. Scores are computed from what
this reader may see alone, so that they tell nothing of the rest.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from brain import journal
from brain.describe import FactAt, describe
from brain.embedding import Embedding
from brain.errors import Busy, Invalid
from brain.matching import ids_by_words
from brain.models import Fact
from brain.querysets import FactQuerySet, under
from brain.ranking import ranked
from brain.reader import EVERYTHING, Reader
from brain.recall import settled
from brain.time import AsOf
from brain.vectors import ids_by_meaning

TEXT, MEANING, HYBRID = MODES = ("text", "meaning", "hybrid")
CANDIDATES = 300  # rows that are scored; more would differ in the order of what nobody reads
NEAR = 100  # rows of a search by meaning that are fused with those by words
FUSION = 60  # reciprocal rank fusion: 1 / (60 + rank), from Cormack, Clarke and Büttcher (2009)

log = logging.getLogger(__name__)

Hits = list[tuple[Fact, float]]


@dataclass(slots=True)
class Found:
    fact: FactAt
    score: float


def search(
    q: str,
    *,
    at: AsOf | None = None,
    reader: Reader = EVERYTHING,
    scope: str = "/",
    recursive: bool = True,
    mode: str = TEXT,
    limit: int = 20,
    embedding: Embedding | None = None,
) -> list[Found]:
    """The best `limit` facts for a query, best first; a score says nothing beside another query's. Raises Invalid for
    a mode that is unknown, or needs an embedding where there is none."""
    if mode not in MODES:
        raise Invalid.field("mode", f"must be one of {', '.join(MODES)}")
    if mode != TEXT and embedding is None:
        raise Invalid.field("mode", "this brain has no embedding backend; only text is searched")
    when = at or journal.resolve(reader=reader)

    def read(moment: AsOf) -> list[Found]:
        visible = Fact.objects.as_of(moment, audit=reader.audit).within(scope, recursive=recursive)
        hits = _hits(q, visible.filter(under(reader.scope)), mode, limit, embedding)
        facts = describe([fact for fact, _ in hits], moment, reader)
        return [Found(fact, score) for fact, (_, score) in zip(facts, hits, strict=True)]

    return settled(when, read)


def anything_found(q: str, at: AsOf, *, scope: str, recursive: bool) -> FactQuerySet:
    """What a search by words by an agent finds, as a set: for the verdict over a search that found nothing."""
    visible = Fact.objects.as_of(at).within(scope, recursive=recursive)
    return Fact.objects.filter(pk__in=ids_by_words(q, visible, CANDIDATES, enough=1))


def _hits(q: str, visible: FactQuerySet, mode: str, limit: int, embedding: Embedding | None) -> Hits:
    by_words = [] if mode == MEANING else _by_words(q, visible, limit)
    by_meaning = [] if mode == TEXT or embedding is None else _by_meaning(q, visible, embedding, limit, mode)
    if mode == HYBRID:
        return _fused(by_words, by_meaning)[:limit]
    return (by_words or by_meaning)[:limit]


def _by_words(q: str, visible: FactQuerySet, limit: int) -> Hits:
    return ranked(q, _rows(ids_by_words(q, visible, max(limit, CANDIDATES), enough=limit)))


def _by_meaning(q: str, visible: FactQuerySet, embedding: Embedding, limit: int, mode: str) -> Hits:
    """Without its backend a search by both goes by words; one by meaning alone is Busy."""
    try:
        near = ids_by_meaning(q, visible, embedding, max(limit, NEAR))
    except OSError as error:
        log.warning("no search by meaning: %s", error)
        if mode == MEANING:
            raise Busy("the embedding backend does not answer; search by text, or try again") from error
        return []
    return [(row, near[row.pk]) for row in _rows(list(near))]


def _rows(ids: Sequence[int]) -> list[Fact]:
    """The rows in the order of their ids here."""
    rows = Fact.objects.filter(pk__in=ids).select_related("key").in_bulk()
    return [rows[pk] for pk in ids]


def _fused(*rankings: Hits) -> Hits:
    scores: dict[int, float] = {}
    rows: dict[int, Fact] = {}
    for ranking in rankings:
        for rank, (row, _) in enumerate(ranking, 1):
            scores[row.pk] = scores.get(row.pk, 0.0) + 1 / (FUSION + rank)
            rows[row.pk] = row
    return sorted(((rows[pk], score) for pk, score in scores.items()), key=lambda hit: (-hit[1], hit[0].origin_id))
