"""The hot read: what holds for one subject, by the links of now, in one SQL statement and without model instances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import connection

from brain.describe import FactAt
from brain.importance import Importance
from brain.reader import Reader
from brain.time import AsOf

WINNER = """
    SELECT {answer} FROM fact w
    WHERE w."key" = k.id AND w.claim = FALSE AND w.temporary = {temporary} AND w.retracted_in IS NULL
      AND w.learned_at <= %s
    ORDER BY w.learned_at DESC, w.origin DESC LIMIT 1
"""
STATEMENT = f"""
SELECT (SELECT MAX(id) FROM operation), f.origin, k.predicate, f.value, f.source, f.source_kind, f.written_by,
  f.category, f.confidence, f.temporary, f.learned_at, f.expires_at, f.superseded_at, n.origin, n.erasure,
  f.recorded_in, o.at, f.forgotten_in, f.restored_in, f.erasure, f.taught_in,
  EXISTS (SELECT 1 FROM fact c WHERE c."key" = k.id AND c.claim = TRUE AND c.retracted_in IS NULL)
FROM fact_key k
LEFT JOIN fact f ON f.id = COALESCE(
  ({WINNER.format(answer="CASE WHEN w.expires_at > %s THEN w.id END", temporary="TRUE")}),
  ({WINNER.format(answer="w.id", temporary="FALSE")}))
LEFT JOIN operation o ON o.id = f.recorded_in
LEFT JOIN fact n ON n.id = f.superseded_by
WHERE k.scope = %s AND k.subject = %s
"""
ONE_PREDICATE = " AND k.predicate = %s"
ORDER = " ORDER BY k.predicate"


@dataclass(slots=True)
class Quick:
    """The facts of a subject and the operation that was the last one when they were read."""

    known_at: int
    facts: list[FactAt]


def fast_recall(subject: str, at: AsOf, reader: Reader, scope: str, predicate: str | None) -> Quick | None:
    """The answer, or None where it takes more than one statement: nothing found, claims, or erased stretches."""
    sql = STATEMENT + (ORDER if predicate is None else ONE_PREDICATE + ORDER)
    parameters: list[Any] = [at.as_of, at.as_of, at.as_of, scope, subject]
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters if predicate is None else [*parameters, predicate])
        rows = cursor.fetchall()
    if any(row[-1] or row[19] for row in rows):
        return None
    importance = Importance.at(at)
    facts = [_fact(row, subject, scope, reader, importance) for row in rows if _answers(row, at.as_of)]
    return Quick(rows[0][0], facts) if facts else None


def _answers(row: tuple[Any, ...], instant: int) -> bool:
    origin, expires_at, forgotten_in, restored_in = row[1], row[11], row[17], row[18]
    if origin is None or (forgotten_in is not None and restored_in is None):
        return False
    return expires_at is None or expires_at > instant


def _fact(row: tuple[Any, ...], subject: str, scope: str, reader: Reader, importance: Importance) -> FactAt:
    (_, origin, predicate, value, source, source_kind, written_by, category, confidence, temporary) = row[:10]
    (learned_at, expires_at, superseded_at, successor, erased, recorded_in, recorded_at) = row[10:17]
    cut, visible_end = reader.cut, reader.cut(superseded_at)
    told = recorded_in if cut(recorded_at) is not None else None
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
        recorded_at=cut(recorded_at),
        retracted_at=None,
        operation=told if row[18] is None or told is None else max(told, row[18]),
        status="current",
        contested=False,
    )
