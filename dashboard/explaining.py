"""One answer explained: what was served beside what we now say of that time and of today, and where it came from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils import timezone

from brain import sentences, verdicts
from brain.describe import FactAt
from brain.models import Fact, Operation, Receipt
from brain.reader import Reader
from brain.verdicts import Explained, Told, explain

VERDICTS = {
    verdicts.FORGOTTEN: (
        "Withheld since",
        "Something that this answer relied on has been withheld or erased since. What is left of it stands below.",
    ),
    verdicts.CORRECTED: (
        "Corrected since",
        "The agent was given what the brain had been told by then. We now say that something else held on that day.",
    ),
    verdicts.SUPERSEDED: (
        "Replaced since",
        "What the agent was given held on that day, and we still say so. The same question gets something else today.",
    ),
    verdicts.NO_RECORD: ("No record", "The brain had nothing to give then, and has nothing today."),
    verdicts.HOLDS: ("Still holds", "The same question gets the same values today."),
}
MOST_EVENTS = 40


@dataclass(frozen=True, slots=True)
class Side:
    """One fact served: then, the same day as we now say, today. `said`: its value stands in the answer's text."""

    told: Told
    said: bool

    @property
    def held_differs(self) -> bool:
        return _value(self.told.held) != _value(self.told.then)

    @property
    def now_differs(self) -> bool:
        return _value(self.told.now) != _value(self.told.then)


@dataclass(frozen=True, slots=True)
class Event:
    """What was written, in the order of the journal; without an operation it is the answer itself."""

    at: int
    operation: Operation | None
    fact: FactAt | None


@dataclass(frozen=True, slots=True)
class Page:
    explained: Explained
    sentence: str
    verdict: str
    words: str
    sides: list[Side]
    events: list[Event]
    answer: list[tuple[str, bool]]

    @property
    def subjects(self) -> list[str]:
        facts = [fact for side in self.sides if (fact := side.told.then or side.told.held or side.told.now)]
        return list(dict.fromkeys(fact.subject for fact in facts))


def page(receipt: Receipt, reader: Reader) -> Page:
    explained = explain(receipt, reader)
    verdict, words = VERDICTS[explained.verdict]
    if explained.supported is False:
        words += " The answer that the agent stored contains none of the values that it was given."
    values = [told.then.value for told in explained.told if told.then is not None]
    return Page(
        explained,
        sentences.sentence(explained, timezone.get_current_timezone()),
        verdict,
        words,
        [Side(told, _is_in(told.then, receipt.answer)) for told in explained.told],
        events(explained),
        marked(receipt.answer or "", values),
    )


def marked(answer: str, values: Iterable[str]) -> list[tuple[str, bool]]:
    """The answer in pieces; True for those that are a value that was served."""
    found = sorted({re.escape(value) for value in values}, key=len, reverse=True)
    if not found:
        return [(answer, False)]
    pieces = re.split(f"({'|'.join(found)})", answer, flags=re.IGNORECASE)
    return [(piece, n % 2 == 1) for n, piece in enumerate(pieces) if piece]


def _is_in(fact: FactAt | None, answer: str | None) -> bool:
    return fact is not None and answer is not None and fact.value.casefold() in answer.casefold()


def _value(fact: FactAt | None) -> str | None:
    return None if fact is None else fact.value


def events(explained: Explained) -> list[Event]:
    """The operations that wrote what was served and what took its place, with the answer between them."""
    shown = [fact for told in explained.told for fact in (told.then, told.held, told.now) if fact is not None]
    facts = {fact.id: fact for fact in reversed(shown + explained.found)}
    rows = Fact.objects.content().filter(pk__in=facts).select_related("recorded_in").order_by("pk")
    written = [Event(row.recorded_in.at, row.recorded_in, facts[row.origin_id]) for row in rows[:MOST_EVENTS]]
    answer = Event(explained.receipt.at, None, None)
    return sorted([*written, answer], key=lambda event: (event.at, event.operation is None))
