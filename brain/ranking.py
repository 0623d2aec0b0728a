"""Which of the matching facts answers a query best, judged by their words alone: the same on every database."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from brain.models import Fact
from brain.words import asked, one_slip_away, words

FIELDS = (1.0, 0.8, 0.6, 0.3)  # what a word counts in the subject, predicate, value, source with writer
SUBJECT = 0
BEGINS, SLIPS = 0.8, 0.6  # what a word counts that the query's word begins, or misspells
FILLED = 0.2  # part of the score for a subject that the query names whole


def ranked(q: str, rows: Sequence[Fact]) -> list[tuple[Fact, float]]:
    """The rows with their scores in 0 to 1, best first."""
    query = asked(q)
    spellings = {word: {word, *one_slip_away(word)} for word in query}
    held = [[_held(word, spellings[word], texts) for word in query] for texts in map(_texts, rows)]
    rare = [log(1 + len(rows) / (1 + sum(bool(row[n]) for row in held))) for n in range(len(query))]
    scores = [
        _score(row, rare, _filled(_texts(fact)[SUBJECT], spellings)) for row, fact in zip(held, rows, strict=True)
    ]
    return sorted(zip(rows, scores, strict=True), key=lambda hit: (-hit[1], hit[0].key.subject, hit[0].origin_id))


def _texts(fact: Fact) -> list[list[str]]:
    said = (fact.key.subject, fact.key.predicate, fact.value, f"{fact.source} {fact.written_by}")
    return [words(text) for text in said]


def _held(word: str, spellings: set[str], texts: Sequence[list[str]]) -> float:
    """What the fact holds of one word of the query: the most that any of its fields does."""
    return max(
        weight * _likeness(word, spellings if n == SUBJECT else set(), text)
        for n, (weight, text) in enumerate(zip(FIELDS, texts, strict=True))
    )


def _likeness(word: str, spellings: set[str], text: list[str]) -> float:
    stem = word[:-1] if word.endswith("s") and len(word) > 3 else word
    best = 0.0
    for other in text:
        if other == word:
            return 1.0
        if other.startswith(stem):
            best = max(best, BEGINS + (1 - BEGINS) * len(stem) / (len(other) + 1))
        elif other in spellings:
            best = max(best, SLIPS)
    return best


def _filled(subject: list[str], spellings: dict[str, set[str]]) -> float:
    named = [word for word in subject if any(word in spelling for spelling in spellings.values())]
    return len(named) / len(subject) if subject else 0.0


def _score(held: Sequence[float], rare: Sequence[float], filled: float) -> float:
    share = sum(part * weight for part, weight in zip(held, rare, strict=True)) / (sum(rare) or 1)
    return round((1 - FILLED) * share + FILLED * filled, 6)
