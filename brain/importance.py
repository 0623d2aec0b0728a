"""Importance is computed on reading: start × the factors of the decay passes told since the fact was first said."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from operator import mul

from brain.models import Fact, Operation
from brain.policy import FADING, Fading
from brain.time import AsOf


@dataclass(frozen=True, slots=True)
class Importance:
    """The decay passes with id ≤ K and `at` ≤ T, and each category's running product of their factors."""

    passes: list[int]
    products: dict[str, list[float]]
    starts: dict[str, float]

    @classmethod
    def at(cls, at: AsOf, fading: Fading = FADING) -> Importance:
        found = Operation.objects.filter(kind="decay", at__lte=at.as_of).order_by("id")
        if not at.latest:
            found = found.filter(pk__lte=at.known_at)
        rows = list(found.values_list("pk", "details"))
        products = {
            name: list(accumulate((details["factors"].get(name, 1.0) for _, details in rows), mul, initial=1.0))
            for name in fading
        }
        return cls([pk for pk, _ in rows], products, {name: category.start for name, category in fading.items()})

    def of(self, row: Fact) -> float:
        """The row's importance, 0 to 1."""
        products = self.products[row.category]
        before = bisect_right(self.passes, row.taught_in)
        return self.starts[row.category] * _ratio(products, before)


def _ratio(products: list[float], before: int) -> float:
    return products[-1] / products[before] if products[before] else 0.0
