"""Policy that callers may change and the brain never reads from settings: how categories fade."""

from __future__ import annotations

from dataclasses import dataclass

from brain.time import DAY


@dataclass(frozen=True, slots=True)
class Category:
    """`start`: importance when first said; `factor`: per decay pass; `days`: until it expires by default, or None."""

    start: float
    factor: float
    days: int | None = None


Fading = dict[str, Category]
FADING: Fading = {
    "identity": Category(1.0, 1.0),
    "knowledge": Category(0.8, 0.995),
    "context": Category(0.5, 0.95, 7),
}


def default_expiry(fading: Fading, category: str, learned_at: int) -> int | None:
    """The expiry of a fact of this category that names none, epoch milliseconds."""
    days = fading[category].days
    return None if days is None else learned_at + days * DAY
