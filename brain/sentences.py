"""An explained answer in words that can be quoted: made from the receipt and the journal alone, never edited."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, tzinfo

from brain.describe import FactAt
from brain.time import to_datetime
from brain.verdicts import CORRECTED, FORGOTTEN, HOLDS, NO_RECORD, SUPERSEDED, Explained, Told

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
LONGEST = 200  # characters of a value that are quoted
MOST = 5  # facts named one by one


def sentence(explained: Explained, zone: tzinfo = UTC) -> str:
    """What the agent was told, what that was, and what has become of it; instants in `zone`, which is named."""
    words = Words(explained, zone)
    return " ".join(part for part in (words.opening(), words.standing(), words.verdict()) if part)


class Words:
    def __init__(self, explained: Explained, zone: tzinfo) -> None:
        self.explained, self.zone, self.receipt = explained, zone, explained.receipt
        self.shown = [told for told in explained.told if told.then is not None]

    def day(self, instant: int) -> str:
        moment = to_datetime(instant).astimezone(self.zone)
        return f"{moment.day} {MONTHS[moment.month - 1]} {moment.year}"

    def minute(self, instant: int) -> str:
        moment = to_datetime(instant).astimezone(self.zone)
        return f"{self.day(instant)} at {moment:%H:%M} {moment.tzname()}"

    def opening(self) -> str:
        start = f"On {self.minute(self.receipt.at)} {self.receipt.agent}"
        if self.receipt.query.get("as_of") is not None:
            start += f" asked what held on {self.minute(self.receipt.as_of)} and"
        return f"{start} was told {self.told()}."

    def told(self) -> str:
        if len(self.explained.told) > len(self.shown):
            return self._partly()
        if not self.shown:
            return f"that there was no record of {self._asked()}"
        return self._listed(self._origin if len(self.shown) == 1 else self._named_origin)

    def _partly(self) -> str:
        gone = "something that has been withheld or erased since"
        return f"{self._listed(self._named_origin)}; and {gone}" if self.shown else gone

    def _asked(self) -> str:
        query = self.receipt.query
        asked = query.get("subject") or query.get("q") or ", ".join(query.get("subjects", [])) or "what it asked for"
        return f"{self._noun(query['predicate'])} of {asked}" if query.get("predicate") else str(asked)

    def _listed(self, say: Callable[[FactAt], str]) -> str:
        said = [say(told.then) for told in self.shown[:MOST] if told.then is not None]
        more = len(self.shown) - MOST
        return "; ".join([*said, *([f"and {more} more"] if more > 0 else [])])

    def _origin(self, fact: FactAt) -> str:
        return f"{_quoted(fact)}, learned {self.day(fact.learned_at)} from {fact.source}, written by {fact.written_by}"

    def _named_origin(self, fact: FactAt) -> str:
        return f"{fact.subject}, {self._noun(fact.predicate)}: {self._origin(fact)}"

    def standing(self) -> str:
        if not self.shown:
            return ""
        named = self.receipt.query.get("as_of") is not None
        kind = "what the brain then said of that time" if named else "current"
        if len(self.shown) > 1:
            return f"That was {kind}." if named else "Those were the current values."
        fact = self.shown[0].then
        return f"That was {kind}." if named or fact is None else f"That was the current {self._noun(fact.predicate)}."

    def verdict(self) -> str:
        explained, several = self.explained, len(self.shown) > 1
        if explained.verdict == HOLDS:
            return "They still hold." if several else "It still holds."
        if explained.verdict == NO_RECORD:
            return "There is none today either."
        if explained.verdict == FORGOTTEN:
            return "What it relied on has since been withheld or erased."
        if not explained.told:
            return self._found()
        return " ".join(self._changes())

    def _found(self) -> str:
        when = "at that time" if self.explained.verdict == CORRECTED else "today"
        said = "; ".join(f"{self._noun(fact.predicate)}: {_quoted(fact)}" for fact in self.explained.found[:MOST])
        return f"We now have this of it {when}: {said}." if said else ""

    def _changes(self) -> Sequence[str]:
        say = {CORRECTED: self._corrected, SUPERSEDED: self._superseded}[self.explained.verdict]
        said = [say(told, self._subject(told)) for told in self.shown[:MOST]]
        return [part for part in said if part]

    def _subject(self, told: Told) -> str:
        return "It" if len(self.shown) == 1 or told.then is None else f"The {self._noun(told.then.predicate)}"

    def _corrected(self, told: Told, subject: str) -> str:
        it = "it" if subject == "It" else subject[0].lower() + subject[1:]
        if told.held is None:
            return f"We now say that nothing held for {it} at that time."
        if told.then is not None and told.held.value == told.then.value:
            return ""
        written = "" if told.held.recorded_at is None else f", as written on {self.day(told.held.recorded_at)}"
        return f"We now say that {it} was {_quoted(told.held)} at that time{written}."

    def _superseded(self, told: Told, subject: str) -> str:
        if told.now is None:
            return f"{subject} has ended, and nothing has replaced it."
        if told.then is not None and told.now.value == told.then.value:
            return ""
        return f"{subject} has been {_quoted(told.now)} since {self.day(told.now.learned_at)}."

    def _noun(self, predicate: str) -> str:
        return predicate.replace("_", " ")


def _quoted(fact: FactAt) -> str:
    return fact.value if len(fact.value) <= LONGEST else fact.value[: LONGEST - 1] + "…"
