"""Vectors are stored with the facts and compared in memory; which facts a search may find is asked of the database.

The index of a process is rebuilt from what is stored. A fact whose vector is not stored yet is embedded on the way, so
that no read waits for the thread that stores them.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from itertools import batched, islice

import numpy as np
from django.db.models import Exists, OuterRef

from brain.embedding import Embedding, Vectors
from brain.models import Fact, FactVector
from brain.querysets import FactQuerySet
from brain.turns import turn

BATCH = 2_000
ON_THE_WAY = 20_000  # facts that one search embeds, 0.5 s; where more have no vector yet, the next ones go on
NEAREST = 0.25  # a product below it says that two texts have little to do with each other
DTYPE = np.dtype("<f4")


class Index:
    """The vectors of one model, by fact, as far as this process has read them."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.facts = np.empty(0, dtype=np.int64)
        self.vectors: Vectors = np.empty((0, 0), dtype=np.float32)

    def catch_up(self, embedding: Embedding) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], Vectors]:
        """Facts and vectors with everything that was said until now. Erased facts stay until the process ends: the
        database no longer lets them be found, and of a vector no text can be made."""
        with self.lock:
            last = int(self.facts[-1]) if len(self.facts) else 0
            new = list(_since(last, embedding))
            if new:
                self.facts = np.concatenate([self.facts, *(np.asarray(facts, dtype=np.int64) for facts, _ in new)])
                known = [self.vectors] if len(self.vectors) else []
                self.vectors = np.concatenate([*known, *(vectors for _, vectors in new)])
            return self.facts, self.vectors


_indexes: dict[str, Index] = {}


def in_use(embedding: Embedding) -> bool:
    """Whether this process has been searched by meaning."""
    return embedding.name in _indexes


def _since(last: int, embedding: Embedding) -> Iterator[tuple[Sequence[int], Vectors]]:
    stored = FactVector.objects.filter(model=embedding.name, fact__gt=last).order_by("fact")
    for batch in batched(stored.values_list("fact", "vector").iterator(), BATCH):
        facts, raw = zip(*batch, strict=True)
        last = facts[-1]
        yield facts, np.stack([np.frombuffer(vector, dtype=DTYPE) for vector in raw])
    for rows in batched(islice(_said_since(last), ON_THE_WAY), BATCH):
        yield [row.origin_id for row in rows], embedding.embed([text_of(row) for row in rows])


def _said_since(last: int) -> Iterator[Fact]:
    """One saying of every fact said after `last`, in the order of the facts."""
    earlier = Fact.objects.content().filter(origin=OuterRef("origin"), pk__lt=OuterRef("pk"))
    rows = Fact.objects.content().filter(~Exists(earlier), origin__gt=last)
    return rows.select_related("key").order_by("origin_id").iterator()


def text_of(row: Fact) -> str:
    return f"{row.key.subject} {row.key.predicate.replace('_', ' ')} {row.value[:500]}"


def ids_by_meaning(q: str, visible: FactQuerySet, embedding: Embedding, limit: int) -> dict[int, float]:
    """Row id → nearness of the visible facts that are nearest to a query, nearest first."""
    facts, vectors = _indexes.setdefault(embedding.name, Index()).catch_up(embedding)
    if not len(facts):
        return {}
    near = vectors @ embedding.embed([q])[0]
    order = np.argsort(-near, kind="stable")
    found: dict[int, float] = {}
    for batch in batched((n for n in order if near[n] >= NEAREST), BATCH):
        scores = {int(facts[n]): round(float(near[n]), 6) for n in batch}
        rows = dict(visible.order_by().filter(origin__in=scores).values_list("origin_id", "pk"))
        found |= {rows[fact]: score for fact, score in scores.items() if fact in rows}
        if len(found) >= limit:
            break
    return dict(list(found.items())[:limit])


def store_missing(embedding: Embedding) -> int:
    """Stores the vectors of facts that have none yet, in short transactions; returns how many. For a thread beside
    the server: embedding happens outside the turn."""
    stored = 0
    while rows := _without_vector(embedding):
        vectors = embedding.embed([text_of(row) for row in rows])
        with turn():
            stored += _store(rows, vectors, embedding)
    return stored


def _without_vector(embedding: Embedding) -> list[Fact]:
    last = FactVector.objects.filter(model=embedding.name).order_by("-fact").values_list("fact", flat=True).first()
    return next((list(rows) for rows in batched(_said_since(last or 0), BATCH)), [])


def _store(rows: Iterable[Fact], vectors: Vectors, embedding: Embedding) -> int:
    """Leaves out what has been erased since it was read."""
    by_fact = dict(zip([row.origin_id for row in rows], vectors, strict=True))
    there = Fact.objects.content().filter(origin__in=by_fact).order_by().values_list("origin_id", flat=True).distinct()
    kept = [FactVector(fact=fact, model=embedding.name, vector=by_fact[fact].astype(DTYPE).tobytes()) for fact in there]
    return len(FactVector.objects.bulk_create(kept, ignore_conflicts=True))
