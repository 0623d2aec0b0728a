"""One statement asks the index of words and the facts at once: which of the visible rows hold words of a query."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection
from django.db.models import F

from brain.querysets import FactQuerySet
from brain.words import asked, one_slip_away

MISSPELT = 6  # words of one query for which other spellings are tried

SQLITE = """
    SELECT visible._row FROM fact_words JOIN ({visible}) AS visible ON visible._fact = fact_words.rowid
    WHERE fact_words MATCH %s ORDER BY bm25(fact_words, 8.0, 4.0, 2.0), visible._row LIMIT %s
"""
POSTGRESQL = """
    SELECT visible._row FROM fact_words JOIN ({visible}) AS visible ON visible._fact = fact_words.fact,
    to_tsquery('simple', %s) AS query
    WHERE fact_words.words @@ query ORDER BY ts_rank(fact_words.words, query) DESC, visible._row LIMIT %s
"""


def ids_by_words(q: str, visible: FactQuerySet, limit: int) -> list[int]:
    """Row ids of visible facts: first those that hold all words, then those that hold any, each at most `limit`."""
    terms = [_term(word, misspelt=n < MISSPELT) for n, word in enumerate(asked(q))]
    if not terms:
        return []
    found = _matching(_joined(terms, all_of_them=True), visible, limit)
    if len(found) < limit and len(terms) > 1:
        found += _matching(_joined(terms, all_of_them=False), visible, limit)
    return list(dict.fromkeys(found))


def _matching(query: str, visible: FactQuerySet, limit: int) -> list[int]:
    rows = visible.order_by().values(_row=F("pk"), _fact=F("origin_id"))
    sql, params = rows.query.sql_with_params()
    statement = SQLITE if connection.vendor == "sqlite" else POSTGRESQL
    with connection.cursor() as cursor:
        cursor.execute(statement.format(visible=sql), (*params, query, limit))
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
