"""One saying of a subject as people are told of it: when it held, what became of it, and who said so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from brain.describe import FactAt, describe
from brain.models import Fact
from dashboard import when
from dashboard.chips import Chip, end_of, shortened, until
from dashboard.reading import Reading

STATES = {
    "scheduled": ("m-scheduled", "scheduled"),
    "claim": ("m-contested", "claim"),
    "covered": ("m-covered", "under a temporary value"),
    "superseded": ("m-was", "replaced"),
    "expired": ("m-expires", "ran out"),
    "retracted": ("m-mistake", "written by mistake"),
    "forgotten": ("m-withheld", "withheld"),
}


@dataclass(frozen=True, slots=True)
class Version:
    """`restated`: unsaid only to be said again, with another end or as an accepted claim."""

    row: Fact
    fact: FactAt
    restated: bool
    reading: Reading

    @property
    def start(self) -> int:
        return self.fact.learned_at

    @property
    def end(self) -> int | None:
        return end_of(self.fact)

    @property
    def withheld(self) -> bool:
        return self.fact.status == "forgotten"

    @property
    def mistaken(self) -> bool:
        return self.fact.status == "retracted" and not self.restated and not self.row.claim

    @property
    def runs_out(self) -> bool:
        """Whether it ends by itself, and not by a successor."""
        return self.fact.expires_at is not None and self.fact.expires_at == self.end

    @property
    def opening(self) -> str:
        """What is said before the instant at which it begins."""
        if self.fact.status in ("retracted", "claim"):
            return {"retracted": "Was said to hold from", "claim": "Claimed from"}[self.fact.status]
        return "Will hold from" if self._lies_ahead(self.start) else "Held from"

    @property
    def fate(self) -> str:
        """What is said after its end where nothing follows; nothing of what was unsaid before it could end."""
        if self.end is None or not self.runs_out or self.fact.status == "retracted":
            return ""
        return "then it runs out" if self._lies_ahead(self.end) else "then it ran out"

    def _lies_ahead(self, instant: int) -> bool:
        return instant > max(self.reading.now, self.reading.at.as_of)

    @property
    def label(self) -> str:
        return "withheld" if self.withheld else shortened(" ".join(self.fact.value.split()), 80)

    @property
    def late(self) -> bool:
        """Written down more than a day after it began to hold."""
        told = self.fact.recorded_at
        return told is not None and told - self.start > 86_400_000

    @property
    def chip(self) -> Chip:
        if self.fact.status == "retracted" and not self.mistaken:
            return Chip("m-was", "said again" if self.restated else "claim, rejected")
        if self.fact.status == "current":
            word = {"now": "holds now", "past": "held then", "ahead": "will hold then"}[self.reading.tense]
            return Chip("m-held", f"{word}, contested" if self.fact.contested else word)
        if self.fact.status == "superseded" and self.runs_out:
            return Chip(*STATES["expired"])
        if self.fact.status == "scheduled" and self.start <= self.reading.now:
            return Chip("m-was", "began later")
        return Chip(*STATES[self.fact.status])

    @property
    def begins(self) -> str:
        return when.day(self.start, self.reading.zone)

    @property
    def ends(self) -> str:
        """11 Jan 2026, or nothing while it has no end."""
        return "" if self.end is None else until(self.end, self.reading.zone)

    @property
    def period(self) -> str:
        """14 Nov 2025 to 11 Jan 2026; from 14 Nov 2025 until 30 Jun 2027, then it runs out"""
        if not self.ends:
            return f"from {self.begins}"
        if self.fate == "then it runs out":
            return f"from {self.begins} until {self.ends}, {self.fate}"
        return f"{self.begins} to {self.ends}"

    @property
    def words(self) -> str:
        """What a bar says to those who do not see it."""
        return f"{self.label}, {self.period}, {self.chip.text}"

    @property
    def hint(self) -> str:
        """Who, when, from where and why."""
        fact, zone = self.fact, self.reading.zone
        told = f", recorded {when.moment(fact.recorded_at, zone)}" if fact.recorded_at is not None else ""
        why = f": “{shortened(self.row.recorded_in.reason, 120)}”" if self.row.recorded_in.reason else ""
        return f"{self.words}. Written by {fact.written_by}, from {fact.source}{told}{why}"


def versions(rows: Sequence[Fact], reading: Reading) -> list[Version]:
    """The sayings of a history, as at the reading."""
    described = describe(rows, reading.at, reading.reader)
    standing = Counter(fact.id for fact in described if fact.status != "retracted")
    return [
        Version(row, fact, fact.status == "retracted" and standing[fact.id] > 0, reading)
        for row, fact in zip(rows, described, strict=True)
    ]
