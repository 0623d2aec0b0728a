"""How categories fade: policy that callers pass, or set once at the start, and the brain never reads from settings."""

from __future__ import annotations

from dataclasses import dataclass, replace

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


def set_fading(changes: dict[str, dict[str, float | None]]) -> None:
    """Changes the default policy, in place: {"context": {"factor": 0.9, "days": 5}}. Raises ValueError for an unknown
    category or field, or a figure that is none."""
    for name, figures in changes.items():
        if name not in FADING or not isinstance(figures, dict) or not figures.keys() <= {"start", "factor", "days"}:
            raise ValueError(f"{name}: a category (identity, knowledge, context) with start, factor or days")
        changed = replace(FADING[name], **figures)  # type: ignore[arg-type]
        shares = isinstance(changed.start, int | float) and isinstance(changed.factor, int | float)
        if not shares or not (0 <= changed.start <= 1 and 0 <= changed.factor <= 1):
            raise ValueError(f"{name}: start and factor lie in 0 to 1")
        if changed.days is not None and not (type(changed.days) is int and changed.days > 0):
            raise ValueError(f"{name}: days is a whole number above 0, or null for never")
        FADING[name] = changed


def default_expiry(fading: Fading, category: str, learned_at: int) -> int | None:
    """The expiry of a fact of this category that names none, epoch milliseconds."""
    days = fading[category].days
    return None if days is None else learned_at + days * DAY
