"""The index of words, which the database keeps itself: triggers take a fact's words in when it is first said and
out when its content is erased, in the same transaction.

A word belongs to the fact (its origin), not to a saying: what is said again has the same words.
"""

from __future__ import annotations

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

from brain.turns import turn

SEGMENTS_KEEP_ERASED_WORDS_UNTIL = (3, 42, 0)  # from then on FTS5 can overwrite them at once

MERGED = 500  # pages of the index that one transaction rewrites: 0.1 s

FIRST_SAID = """
    SELECT fact.origin, fact_key.subject_folded, fact_key.predicate_folded, fact.folded
    FROM fact JOIN fact_key ON fact_key.id = fact.key
    WHERE fact.erasure IS NULL AND fact.id = (SELECT MIN(id) FROM fact AS version WHERE version.origin = fact.origin)
"""

SQLITE = (
    "CREATE VIRTUAL TABLE fact_words USING fts5(subject, predicate, said, tokenize = 'unicode61 remove_diacritics 2')",
    """CREATE TRIGGER fact_words_come AFTER INSERT ON fact WHEN NEW.id = NEW.origin AND NEW.erasure IS NULL BEGIN
        INSERT INTO fact_words (rowid, subject, predicate, said)
        SELECT NEW.id, subject_folded, predicate_folded, NEW.folded FROM fact_key WHERE id = NEW.key;
    END""",
    """CREATE TRIGGER fact_words_go AFTER UPDATE OF folded ON fact WHEN NEW.folded = ''
        AND NOT EXISTS (SELECT 1 FROM fact WHERE origin = NEW.origin AND erasure IS NULL) BEGIN
        DELETE FROM fact_words WHERE rowid = NEW.origin;
        DELETE FROM fact_vector WHERE fact = NEW.origin;
    END""",
    """CREATE TRIGGER fact_words_gone AFTER DELETE ON fact WHEN OLD.folded <> ''
        AND NOT EXISTS (SELECT 1 FROM fact WHERE origin = OLD.origin) BEGIN
        DELETE FROM fact_words WHERE rowid = OLD.origin;
        DELETE FROM fact_vector WHERE fact = OLD.origin;
    END""",
    f"INSERT INTO fact_words (rowid, subject, predicate, said) {FIRST_SAID}",
)

# PostgreSQL's own parser takes names with dots, slashes and hyphens for hosts, paths and numbers
ACCENTED = "àáâãäåāăąçćčďèéêëēėęěìíîïīįñńňòóôõöōőřśşšťţùúûüūůűųýÿźżž"
UNACCENTED = "aaaaaaaaacccdeeeeeeeeiiiiiinnnooooooorsssttuuuuuuuuyyzzz"
POSTGRESQL = (
    "CREATE TABLE fact_words (fact bigint PRIMARY KEY, words tsvector NOT NULL)",
    "CREATE INDEX fact_words_words ON fact_words USING gin (words)",
    f"""CREATE FUNCTION brain_words(said text) RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$
        SELECT to_tsvector('simple'::regconfig, translate(
            regexp_replace(said, '[^a-z0-9\\u0080-\\U0010ffff]+', ' ', 'g'), '{ACCENTED}', '{UNACCENTED}'))
    $$""",
    """CREATE FUNCTION brain_fact_words(subject text, predicate text, said text) RETURNS tsvector
        LANGUAGE sql IMMUTABLE AS $$
        SELECT setweight(brain_words(subject), 'A') || setweight(brain_words(predicate), 'B') || brain_words(said)
    $$""",
    """CREATE FUNCTION fact_words_come() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO fact_words (fact, words)
        SELECT NEW.id, brain_fact_words(subject_folded, predicate_folded, NEW.folded) FROM fact_key WHERE id = NEW.key;
        RETURN NULL;
    END $$""",
    """CREATE FUNCTION fact_words_go() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NOT EXISTS (SELECT 1 FROM fact WHERE origin = OLD.origin AND erasure IS NULL) THEN
            DELETE FROM fact_words WHERE fact = OLD.origin;
            DELETE FROM fact_vector WHERE fact = OLD.origin;
        END IF;
        RETURN NULL;
    END $$""",
    """CREATE TRIGGER fact_words_come AFTER INSERT ON fact FOR EACH ROW
        WHEN (NEW.id = NEW.origin AND NEW.erasure IS NULL) EXECUTE FUNCTION fact_words_come()""",
    """CREATE TRIGGER fact_words_go AFTER UPDATE OF folded ON fact FOR EACH ROW
        WHEN (NEW.folded = '') EXECUTE FUNCTION fact_words_go()""",
    """CREATE TRIGGER fact_words_gone AFTER DELETE ON fact FOR EACH ROW
        WHEN (OLD.folded <> '') EXECUTE FUNCTION fact_words_go()""",
    """CREATE FUNCTION fact_words_emptied() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        TRUNCATE fact_words;
        RETURN NULL;
    END $$""",
    """CREATE TRIGGER fact_words_emptied AFTER TRUNCATE ON fact FOR EACH STATEMENT
        EXECUTE FUNCTION fact_words_emptied()""",
    f"""INSERT INTO fact_words (fact, words)
        SELECT origin, brain_fact_words(subject_folded, predicate_folded, folded) FROM ({FIRST_SAID}) AS first_said""",
)


def create(connection: BaseDatabaseWrapper) -> None:
    """Makes index and triggers, and fills them with what is there. For the migration."""
    statements = SQLITE if connection.vendor == "sqlite" else POSTGRESQL
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
        if connection.vendor == "sqlite" and _overwrites(connection):
            cursor.execute("INSERT INTO fact_words (fact_words, rank) VALUES ('secure-delete', 1)")


def _overwrites(connection: Any) -> bool:
    return bool(connection.Database.sqlite_version_info >= SEGMENTS_KEEP_ERASED_WORDS_UNTIL)


def drop_erased_words(connection: BaseDatabaseWrapper) -> None:
    """Rewrites the index without the words that were erased, in short transactions. FTS5 keeps them in old segments
    until then; PostgreSQL until `scrub`. Raises Busy."""
    if connection.vendor != "sqlite" or _overwrites(connection):
        return
    with connection.cursor() as cursor:
        step = -MERGED  # the first step takes all segments in hand, the others go on with them
        while _merge(cursor, step) >= 2:  # fewer changes than two: there was nothing left to merge
            step = MERGED


def _merge(cursor: Any, pages: int) -> int:
    with turn():
        cursor.execute("SELECT total_changes()")
        before = cursor.fetchone()[0]
        cursor.execute("INSERT INTO fact_words (fact_words, rank) VALUES ('merge', %s)", [pages])
        cursor.execute("SELECT total_changes()")
        return int(cursor.fetchone()[0] - before)
