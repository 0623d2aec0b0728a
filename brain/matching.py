"""One statement asks the index of words and the facts at once: which of the visible rows hold words of a query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import F

from brain.querysets import FactQuerySet
from brain.words import asked, one_slip_away

MISSPELT = 6  # words of one query for which other spellings are tried
COMMON = 20_000  # facts that match; beyond it ranking them costs more than it tells (50 ms), and the newest come first


@dataclass(frozen=True, slots=True)
class Index:
    """How a database's index is asked: how many match (up to a number), and which of the visible rows."""

    count: str
    match: str
    best: str
    newest: str


SQLITE = Index(
    "SELECT count(*) FROM (SELECT 1 FROM fact_words WHERE fact_words MATCH %s LIMIT %s)",
    """SELECT visible._row FROM fact_words JOIN ({visible}) AS visible ON visible._fact = fact_words.rowid
    WHERE fact_words MATCH %s ORDER BY {order} LIMIT %s""",
    "bm25(fact_words, 8.0, 4.0, 2.0), fact_words.rowid",
    "fact_words.rowid DESC",
)
POSTGRESQL = Index(
    "SELECT count(*) FROM (SELECT 1 FROM fact_words WHERE words @@ to_tsquery('simple', %s) LIMIT %s) AS found",
    """SELECT visible._row FROM fact_words JOIN ({visible}) AS visible ON visible._fact = fact_words.fact,
    to_tsquery('simple', %s) AS query WHERE fact_words.words @@ query ORDER BY {order} LIMIT %s""",
    "ts_rank(fact_words.words, query) DESC, fact_words.fact",
    "fact_words.fact DESC",
)


def ids_by_words(q: str, visible: FactQuerySet, limit: int, *, enough: int) -> list[int]:
    """Row ids of visible facts that hold all words of the query; where those are not enough, then of those that hold
    any. At most `limit` of each."""
    terms = [_term(word, misspelt=n < MISSPELT) for n, word in enumerate(asked(q))]
    if not terms:
        return []
    found = _matching(_joined(terms, all_of_them=True), visible, limit)
    if len(found) < enough and len(terms) > 1:
        telling = [term for term in terms if not _is_common(term)]
        found += _matching(_joined(telling or terms, all_of_them=False), visible, limit)
    return list(dict.fromkeys(found))


def _index() -> Index:
    return SQLITE if connection.vendor == "sqlite" else POSTGRESQL


def _is_common(query: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_index().count, (query, COMMON + 1))
        return bool(cursor.fetchone()[0] > COMMON)


def _matching(query: str, visible: FactQuerySet, limit: int) -> list[int]:
    order = _index().newest if _is_common(query) else _index().best
    sql, params = visible.order_by().values(_row=F("pk"), _fact=F("origin_id")).query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(_index().match.format(visible=sql, order=order), (*params, query, limit))
        return [row for (row,) in cursor.fetchall()]


def _joined(terms: Sequence[str], *, all_of_them: bool) -> str:
    if connection.vendor == "sqlite":
        return (" AND " if all_of_them else " OR ").join(terms)
    return (" & " if all_of_them else " | ").join(terms)


def _term(word: str, *, misspelt: bool) -> str:
    """Words that begin with `word`, or without its plural; of subjects, also words at one slip from it."""
    starts = [word, word[:-1]] if word.endswith("s") and len(word) > 3 else [word]
    slips = sorted(one_slip_away(word)) if misspelt else []
    if connection.vendor == "sqlite":
        whole = [f'"{start}"*' for start in starts]
        spelt = [f"{{subject}} : ({' OR '.join(f'"{slip}"' for slip in slips)})"] if slips else []
        return f"({' OR '.join(whole + spelt)})"
    return f"({' | '.join([f'{start}:*' for start in starts] + [f'{slip}:A' for slip in slips])})"
