"""Finds texts that contain an erased one of eight characters or more, compared case-folded, in linear time."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from itertools import batched
from typing import Any

from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import StrIndex
from django.db.models.lookups import GreaterThan

SHORTEST = 8
FEW = 20  # so many texts the database looks for; more are looked for here, by their first eight characters
BATCH = 1_000


def folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


class Leaks:
    """The erased texts. Shorter ones than eight characters are left out: they are in every other sentence."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = {text for text in map(folded, texts) if len(text) >= SHORTEST}
        self.by_start: dict[str, list[str]] = {}
        for text in self.texts:
            self.by_start.setdefault(text[:SHORTEST], []).append(text)

    def found_in(self, text: str) -> bool:
        words = folded(text)
        starts = (words[n : n + SHORTEST] for n in range(len(words) - SHORTEST + 1))
        return any(text in words for start in starts for text in self.by_start.get(start, ()))

    def among(self, rows: QuerySet[Any], *fields: str) -> Iterator[list[Any]]:
        """Primary keys, in batches, of the rows one of whose texts contains an erased one."""
        if not self.texts:
            return
        for batch in batched(rows.order_by().values_list("pk", *fields).iterator(), BATCH):
            found = [pk for pk, *texts in batch if any(self.found_in(str(text or "")) for text in texts)]
            if found:
                yield found

    def among_folded(self, rows: QuerySet[Any], field: str) -> Iterator[list[Any]]:
        """The same for a field that is stored case-folded, so that the database can look for a few texts itself."""
        if 0 < len(self.texts) <= FEW:
            contains = (Q(GreaterThan(StrIndex(F(field), Value(text)), 0)) for text in sorted(self.texts))
            rows = rows.filter(_either(contains))
        yield from self.among(rows, field)


def _either(conditions: Iterable[Q]) -> Q:
    found = Q()
    for condition in conditions:
        found |= condition
    return found
