"""How a specification speaks: say something, then look at what a reader sees."""

from __future__ import annotations

from brain import history, journal, listing, time
from brain.describe import FactAt, describe
from brain.reader import EVERYTHING, Reader
from brain.recall import Recall, recall
from brain.remember import Outcome, remember
from brain.saying import Saying

JAN, FEB, MAR, APR, MAY, JUN = (time.parse(f"2024-0{month}-01") for month in range(1, 7))
FAR, FARTHER = time.parse("2090-01-01"), time.parse("2091-01-01")
TIER, PRICE = "Tier 2 renewal", "list_price"
AGENT = Reader()


def say(value: str, learned_at: int | None = JAN, **words: object) -> Outcome:
    """A remember that succeeds; `words` are further fields of the saying."""
    given = {"subject": TIER, "predicate": PRICE, "source": "pricing-sheet", "written_by": "pricing-team"} | words
    return remember(Saying(value=value, learned_at=learned_at, **given), actor=str(given["written_by"]))


def said(value: str, learned_at: int | None = JAN, **words: object) -> int:
    """The id of the fact that was said."""
    return say(value, learned_at, **words).fact.origin_id


def promise(value: str, learned_at: int, expires_at: int, **words: object) -> int:
    """A temporary value's id."""
    return said(value, learned_at, expires_at=expires_at, temporary=True, **words)


def asked(
    as_of: int | None = None,
    known_at: int | str | None = None,
    *,
    subject: str = TIER,
    scope: str = "/",
    recursive: bool = False,
    reader: Reader = AGENT,
) -> Recall:
    at = journal.resolve(as_of, known_at, reader=reader)
    return recall(subject, at=at, scope=scope, recursive=recursive, reader=reader)


def held(as_of: int | None = None, known_at: int | str | None = None, **where: object) -> str | None:
    """The list price that a reader sees at (T, K)."""
    facts = [fact for fact in asked(as_of, known_at, **where).facts if fact.predicate == PRICE]
    assert len(facts) <= 1
    return facts[0].value if facts else None


def told(reader: Reader = EVERYTHING, known_at: str | None = None, **of: str) -> list[str]:
    """The values of a history, oldest first."""
    at = journal.resolve(known_at=known_at)
    return [row.value for row in history.history(reader, at, **of)]


def look(fact_id: int, as_of: int | None = None, known_at: str | None = None, reader: Reader = EVERYTHING) -> FactAt:
    """One fact as it is shown at (T, K)."""
    at = journal.resolve(as_of, known_at)
    return describe([listing.fact(fact_id, at, reader)], at, reader)[0]


def last() -> str:
    """The last operation, as a known_at."""
    return f"op:{journal.last_id()}"
