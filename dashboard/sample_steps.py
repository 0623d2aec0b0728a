"""How the sample is written down. Instants are texts, or days from now where the sample must stay topical."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Said:
    subject: str
    predicate: str
    value: str
    source: str
    learned: str | int | None = None
    until: str | int | None = None
    more: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One operation: `says`, or the retraction or the end of a fact by (subject, predicate, value)."""

    at: str | int
    actor: str
    reason: str
    says: tuple[Said, ...] = ()
    retracts: tuple[str, str, str] | None = None
    ends: tuple[str, str, str] | None = None
    until: str | int | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """What an agent asked on a day, of that day, and what it then told somebody."""

    at: str
    agent: str
    subject: str
    answer: str
