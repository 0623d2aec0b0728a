"""The hot read: one subject at any (T, K) in one SQL statement, tuples through a cursor, no model instances.

Per key it seeks the last row of each track that had begun by T. At K = now the chains are the stored links; at an
earlier K the seek passes over what had not been told yet, and a further seek finds the successor known then.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import connection

from brain.describe import FactAt
from brain.importance import LAST_PASS, Importance
from brain.reader import Reader
from brain.time import AsOf

TOLD_NOW = "{row}.retracted_in IS NULL"
TOLD_AT = "{row}.recorded_in <= %(k)s AND ({row}.retracted_in IS NULL OR {row}.retracted_in > %(k)s)"
WINNER = """
    SELECT {answer} FROM fact w
    WHERE w."key" = k.id AND w.claim = FALSE AND w.temporary = {temporary} AND w.learned_at <= %(t)s AND {told}
    ORDER BY w.learned_at DESC, w.origin DESC LIMIT 1
"""
LINKED = "f.superseded_by"
FOLLOWING = """(
    SELECT s.id FROM fact s
    WHERE s."key" = f."key" AND s.claim = FALSE AND s.temporary = f.temporary AND {told}
      AND (s.learned_at, s.origin) > (f.learned_at, f.origin)
    ORDER BY s.learned_at, s.origin LIMIT 1)
"""
STATEMENT = """
SELECT (SELECT MAX(id) FROM operation), f.origin, k.predicate, f.value, f.source, f.source_kind, f.written_by,
  f.category, f.confidence, f.temporary, f.learned_at, f.expires_at, n.learned_at, n.origin, n.erasure,
  f.recorded_in, o.at, f.forgotten_in, f.restored_in, f.erasure, f.taught_in,
  EXISTS (SELECT 1 FROM fact c WHERE c."key" = k.id AND c.claim = TRUE), ({last_pass})
FROM fact_key k
LEFT JOIN fact f ON f.id = COALESCE(({temporary}), ({standing}))
LEFT JOIN operation o ON o.id = f.recorded_in
LEFT JOIN fact n ON n.id = {following}
WHERE k.scope = %(scope)s AND k.subject = %(subject)s
"""
ONE_PREDICATE = " AND k.predicate = %(predicate)s"
ORDER = " ORDER BY k.predicate"


def _statement(told: str, following: str) -> str:
    lying_over = WINNER.format(answer="CASE WHEN w.expires_at > %(t)s THEN w.id END", temporary="TRUE", told=told)
    standing = WINNER.format(answer="w.id", temporary="FALSE", told=told)
    return STATEMENT.format(temporary=lying_over, standing=standing, following=following, last_pass=LAST_PASS)


AT_NOW = _statement(TOLD_NOW.format(row="w"), LINKED)
AT_EARLIER = _statement(TOLD_AT.format(row="w"), FOLLOWING.format(told=TOLD_AT.format(row="s")))


@dataclass(slots=True)
class Quick:
    """The facts of a subject and the operation that was the last one when they were read."""

    known_at: int
    facts: list[FactAt]


def fast_recall(subject: str, at: AsOf, reader: Reader, scope: str, predicate: str | None) -> Quick | None:
    """The answer, or None where it takes more than one statement: unknown keys, claims, withheld or erased rows."""
    sql = AT_NOW if at.latest else AT_EARLIER
    asked: dict[str, Any] = {
        "t": at.as_of,
        "k": at.known_at,
        "scope": scope,
        "subject": subject,
        "predicate": predicate,
    }
    with connection.cursor() as cursor:
        cursor.execute(sql + (ORDER if predicate is None else ONE_PREDICATE + ORDER), asked)
        rows = cursor.fetchall()
    if not rows or any(row[21] or row[19] or row[17] is not None for row in rows):
        return None
    importance = Importance.after(rows[0][22], at)
    facts = [_fact(row, subject, scope, reader, importance) for row in rows if _holds(row, at.as_of)]
    return Quick(rows[0][0] if at.latest else at.known_at, facts)


def _holds(row: tuple[Any, ...], instant: int) -> bool:
    origin, expires_at = row[1], row[11]
    return origin is not None and (expires_at is None or expires_at > instant)


def _fact(row: tuple[Any, ...], subject: str, scope: str, reader: Reader, importance: Importance) -> FactAt:
    (_, origin, predicate, value, source, source_kind, written_by, category, confidence, temporary) = row[:10]
    (learned_at, expires_at, superseded_at, successor, erased, recorded_in, recorded_at) = row[10:17]
    cut, visible_end, told_at = reader.cut, reader.cut(superseded_at), reader.cut(recorded_at)
    return FactAt(
        id=origin,
        scope=scope,
        subject=subject,
        predicate=predicate,
        value=value,
        source=source,
        source_kind=source_kind,
        written_by=written_by,
        category=category,
        confidence=confidence,
        importance=importance.weigh(category, row[20]),
        temporary=bool(temporary),
        learned_at=learned_at,
        expires_at=cut(expires_at),
        superseded_by=successor if visible_end is not None and not erased else None,
        superseded_at=visible_end,
        recorded_at=told_at,
        retracted_at=None,
        operation=None if told_at is None else recorded_in,
        status="current",
        contested=False,
    )
