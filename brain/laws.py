"""The laws that SQL can state, each as a sentence and the query that finds the rows breaking it."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import connection

STANDING = "retracted_in IS NULL AND NOT claim"

FACT_LAWS = {
    "its link is not the next row of its track": f"""
        SELECT origin, id FROM (
            SELECT id, origin, superseded_by, superseded_at, LEAD(id) OVER w AS following, LEAD(learned_at) OVER w AS at
            FROM fact WHERE {STANDING} WINDOW w AS (PARTITION BY "key", temporary ORDER BY learned_at, origin)
        ) AS chain
        WHERE superseded_by IS DISTINCT FROM following OR superseded_at IS DISTINCT FROM at""",
    "it is retracted or a claim, and yet linked": """
        SELECT origin, id FROM fact WHERE (retracted_in IS NOT NULL OR claim)
            AND (superseded_by IS NOT NULL OR superseded_at IS NOT NULL)""",
    "another saying of the same fact stands too": """
        SELECT origin, MAX(id) FROM fact WHERE retracted_in IS NULL GROUP BY origin HAVING COUNT(*) > 1""",
    "it was first said under another key": """
        SELECT fact.origin, fact.id FROM fact JOIN fact AS first ON first.id = fact.origin
        WHERE fact."key" <> first."key" """,
    "its operations are out of order": """
        SELECT origin, id FROM fact WHERE retracted_in < recorded_in OR restored_in < forgotten_in
            OR (restored_in IS NOT NULL AND forgotten_in IS NULL) OR origin > id
            OR (taught_in > recorded_in AND erasure IS NULL)""",
    "its id is later than the journal's": """
        SELECT origin, id FROM fact WHERE id > (SELECT COALESCE(MAX(last_fact), 0) FROM operation)""",
    "its end is not after its beginning, or is missing": """
        SELECT origin, id FROM fact WHERE expires_at <= learned_at OR (temporary AND expires_at IS NULL)""",
    "its instants lie outside 2000-01-01 to 9999-12-31": """
        SELECT origin, id FROM fact WHERE learned_at NOT BETWEEN 946684800000 AND 253402300799999
            OR expires_at NOT BETWEEN 946684800000 AND 253402300799999""",
    "it is erased and still has content": """
        SELECT origin, id FROM fact WHERE salt IS NULL
            AND (erasure IS NULL OR value <> '' OR source <> '' OR written_by <> '' OR folded <> '')""",
    "its scope is not registered": """
        SELECT fact.origin, fact.id FROM fact JOIN fact_key ON fact_key.id = fact."key"
        WHERE fact.erasure IS NULL AND fact_key.scope NOT IN (SELECT name FROM scope)""",
}
WORD_LAWS = {
    "its words are not in the index": """
        SELECT origin, MIN(id) FROM fact WHERE erasure IS NULL AND origin NOT IN (SELECT {fact} FROM fact_words)
        GROUP BY origin""",
    "it is erased, and its words are in the index": """
        SELECT {fact}, {fact} FROM fact_words WHERE {fact} NOT IN (SELECT origin FROM fact WHERE erasure IS NULL)""",
}


def broken(most: int) -> Iterator[str]:
    """A sentence for each row that breaks a law, at most `most` a law."""
    with connection.cursor() as cursor:
        fact = "rowid" if connection.vendor == "sqlite" else "fact"
        words = {law: query.format(fact=fact) for law, query in WORD_LAWS.items()}
        for law, query in (FACT_LAWS | words).items():
            cursor.execute(f"{query} ORDER BY 2 LIMIT {most}")
            yield from (f"fact {fact} (row {row}): {law}" for fact, row in cursor.fetchall())
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA foreign_key_check")
            for table, row, parent, _ in cursor.fetchmany(most):
                yield f"{table} (row {row}): it names a row of {parent} that is not there"
            cursor.execute(f"PRAGMA integrity_check({most})")
            yield from (f"the database file: {found}" for (found,) in cursor.fetchall() if found != "ok")
