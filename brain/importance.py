"""Importance is computed on reading: start × the factors of the decay passes told since the fact was first said."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from operator import mul

from django.db import connection

from brain.models import Fact
from brain.policy import FADING, Fading
from brain.time import AsOf

# part of every hot read, hence no model instances
LAST_PASS = "SELECT hash FROM operation WHERE kind = 'decay' ORDER BY id DESC LIMIT 1"
PASSES = "SELECT id, at, details FROM operation WHERE kind = 'decay' ORDER BY id"
Pass = tuple[int, int, dict[str, float]]  # operation, its instant, category → factor


@dataclass(frozen=True, slots=True)
class Importance:
    """The decay passes with id ≤ K and `at` ≤ T, and each category's running product of their factors."""

    passes: list[int]
    products: dict[str, list[float]]
    starts: dict[str, float]

    @classmethod
    def at(cls, at: AsOf, fading: Fading = FADING) -> Importance:
        with connection.cursor() as cursor:
            cursor.execute(LAST_PASS)
            return cls.after((cursor.fetchone() or ("",))[0], at, fading)

    @classmethod
    def after(cls, last_pass: str | None, at: AsOf, fading: Fading = FADING) -> Importance:
        """As at (T, K), where `last_pass` is the hash of the brain's last decay pass, empty where there was none."""
        told = [
            (pk, factors)
            for pk, instant, factors in (_passes(last_pass) if last_pass else ())
            if instant <= at.as_of and (at.latest or pk <= at.known_at)
        ]
        products = {
            name: list(accumulate((factors.get(name, 1.0) for _, factors in told), mul, initial=1.0)) for name in fading
        }
        return cls([pk for pk, _ in told], products, {name: category.start for name, category in fading.items()})

    def of(self, row: Fact) -> float:
        return self.weigh(row.category, row.taught_in)

    def weigh(self, category: str, taught_in: int) -> float:
        """The importance, 0 to 1, of a fact of this category that was first said in operation `taught_in`."""
        products = self.products[category]
        told = products[bisect_right(self.passes, taught_in)]
        return round(self.starts[category] * products[-1] / told, 12) if told else 0.0


@lru_cache(maxsize=8)
def _passes(last_pass: str) -> Sequence[Pass]:
    """All decay passes; one from before its whole brain was forgotten has lost its factors with the facts it faded.
    The journal chains its hashes, so that the last pass's names them all, in whichever database."""
    with connection.cursor() as cursor:
        cursor.execute(PASSES)
        rows = cursor.fetchall()
    return [
        (pk, instant, (json.loads(details) if isinstance(details, str) else details).get("factors", {}))
        for pk, instant, details in rows
    ]
