"""Importance is computed on reading: start × the factors of the decay passes told since the fact was first said."""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from operator import mul

from django.db import connection

from brain.models import Fact
from brain.policy import FADING, Fading
from brain.time import AsOf

# part of every hot read, hence no model instances
PASSES = "SELECT id, details FROM operation WHERE kind = 'decay' AND id <= %(k)s AND at <= %(t)s ORDER BY id"
LATEST_ID = 2**62


@dataclass(frozen=True, slots=True)
class Importance:
    """The decay passes with id ≤ K and `at` ≤ T, and each category's running product of their factors."""

    passes: list[int]
    products: dict[str, list[float]]
    starts: dict[str, float]

    @classmethod
    def at(cls, at: AsOf, fading: Fading = FADING) -> Importance:
        known_at = LATEST_ID if at.latest else at.known_at
        with connection.cursor() as cursor:
            cursor.execute(PASSES, {"t": at.as_of, "k": known_at})
            rows = [(pk, json.loads(details) if isinstance(details, str) else details) for pk, details in cursor]
        products = {
            name: list(accumulate((details["factors"].get(name, 1.0) for _, details in rows), mul, initial=1.0))
            for name in fading
        }
        return cls([pk for pk, _ in rows], products, {name: category.start for name, category in fading.items()})

    def of(self, row: Fact) -> float:
        return self.weigh(row.category, row.taught_in)

    def weigh(self, category: str, taught_in: int) -> float:
        """The importance, 0 to 1, of a fact of this category that was first said in operation `taught_in`."""
        products = self.products[category]
        told = products[bisect_right(self.passes, taught_in)]
        return round(self.starts[category] * products[-1] / told, 12) if told else 0.0
