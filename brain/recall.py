"""recall answers a whole question about one subject: at most one value a key at (T, K), and what is missing and why.

Mostly that is one SQL statement through a cursor (`fast_recall`); where claims, withheld or erased rows come into it,
the QuerySets are composed. A test holds the two equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from brain import journal
from brain.describe import FactAt, Surroundings, describe
from brain.fast_recall import fast_recall
from brain.lookalikes import similar_subjects
from brain.models import Fact
from brain.querysets import FactQuerySet
from brain.reader import EVERYTHING, Reader
from brain.time import AsOf


@dataclass(slots=True)
class Recall:
    """What a subject's keys say at (T, K). `forgotten_before` is where the latest erased stretch ends."""

    subject: str
    scope: str
    as_of: int
    known_at: int
    facts: list[FactAt]
    claims: list[FactAt] = field(default_factory=list)
    history_complete: bool = True
    forgotten_before: int | None = None
    similar: list[str] = field(default_factory=list)


@dataclass(slots=True)
class RecallMany:
    """Many subjects at one (T, K); `incomplete` names those whose answer was erased, with `forgotten_before`."""

    as_of: int
    known_at: int
    results: dict[str, list[FactAt]]
    incomplete: dict[str, int]


def settled[Answer](at: AsOf, read: Callable[[AsOf], Answer]) -> Answer:
    """Runs a read by the stored links, and once more without them when an operation committed meanwhile."""
    answer = read(at)
    return read(at.pinned()) if at.latest and journal.last_id() != at.known_at else answer


def recall(
    subject: str,
    *,
    at: AsOf | None = None,
    reader: Reader = EVERYTHING,
    scope: str = "/",
    recursive: bool = False,
    predicate: str | None = None,
) -> Recall:
    """What the brain says of `subject` (normalised) at `at`; by default what holds and is known now."""
    when = at or journal.resolve(reader=reader)
    if not recursive:
        quick = fast_recall(subject, when, reader, scope, predicate)
        if quick is not None and (at is None or quick.known_at == when.known_at):
            found = Recall(subject, scope, when.as_of, quick.known_at, quick.facts)
            if not found.facts:
                found.similar = similar_subjects(subject, reader, when, scope=scope, predicate=predicate)
            return found
    return settled(when, lambda moment: _recall(subject, moment, reader, scope, recursive, predicate))


def _recall(subject: str, at: AsOf, reader: Reader, scope: str, recursive: bool, predicate: str | None) -> Recall:
    asked = Fact.objects.about(subject, predicate).within(scope, recursive=recursive)
    facts = _ordered(asked.as_of(at, audit=reader.audit))
    claims = _ordered(asked.open_claims(at).visible(at, audit=reader.audit))
    gaps = erased_until(asked.erased_answers(at), at, reader)
    answer = Recall(subject, scope, at.as_of, at.known_at, describe(facts, at, reader), describe(claims, at, reader))
    answer.forgotten_before = max(gaps.values(), default=None)
    answer.history_complete = not gaps
    if not facts:
        answer.similar = similar_subjects(subject, reader, at, scope=scope, recursive=recursive, predicate=predicate)
    return answer


def recall_many(
    subjects: Sequence[str],
    *,
    at: AsOf | None = None,
    reader: Reader = EVERYTHING,
    scope: str = "/",
    recursive: bool = False,
    predicate: str | None = None,
) -> RecallMany:
    """Many subjects (normalised) in one read, in the order asked."""
    when = at or journal.resolve(reader=reader)
    return settled(when, lambda moment: _recall_many(subjects, moment, reader, scope, recursive, predicate))


def _recall_many(
    subjects: Sequence[str], at: AsOf, reader: Reader, scope: str, recursive: bool, predicate: str | None
) -> RecallMany:
    asked = Fact.objects.filter(key__subject__in=subjects).within(scope, recursive=recursive)
    asked = asked if predicate is None else asked.filter(key__predicate=predicate)
    answer = RecallMany(at.as_of, at.known_at, {subject: [] for subject in subjects}, {})
    for fact in describe(_ordered(asked.as_of(at, audit=reader.audit)), at, reader):
        answer.results[fact.subject].append(fact)
    for (subject, _), until in erased_until(asked.erased_answers(at), at, reader).items():
        answer.incomplete[subject] = max(until, answer.incomplete.get(subject, until))
    return answer


def _ordered(rows: FactQuerySet) -> Iterable[Fact]:
    return rows.select_related("key").order_by("key__predicate", "key__scope", "origin_id")


def erased_until(holes: FactQuerySet, at: AsOf, reader: Reader) -> dict[tuple[str, int], int]:
    """(subject, key id) → the instant at which a hole that would have answered ends, cut at the reader's pin."""
    rows = list(holes.select_related("key"))
    if not rows:
        return {}
    successors = Surroundings(rows, at, reader).successors
    ends = {}
    for row in rows:
        following = successors.get(row.pk)
        instants = (row.expires_at, following.learned_at if following else None)
        known = [end for end in map(reader.cut, instants) if end is not None]
        ends[row.key.subject, row.key_id] = min(known, default=at.as_of)
    return ends
