"""Many sayings at once: the tracks of their keys lie in memory, and what changed is written in a few statements."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from itertools import batched

from django.db import connection
from django.db.models import Q

from brain.inserting import insert_all
from brain.models import Fact, Key
from brain.rules import is_standing, lies_over_curated
from brain.saying import Saying

Place = tuple[int, int]  # (learned_at, origin): the order of a chain
BATCH = 400  # rows in one INSERT, keys in one IN
KEY_FIELDS = ("id", "scope", "subject", "predicate", "subject_folded", "predicate_folded")
NEW_KEYS = f"INSERT INTO fact_key ({', '.join(KEY_FIELDS[1:])})"
LINK = "UPDATE fact SET superseded_by = %s, superseded_at = %s WHERE id = %s"


class Track:
    """The rows of one key and track that count, in the order of their chain."""

    def __init__(self) -> None:
        self.places: list[Place] = []
        self.rows: list[Fact] = []

    def winner(self, instant: int) -> Fact | None:
        at = bisect_left(self.places, (instant + 1, 0))
        return self.rows[at - 1] if at else None

    def add(self, row: Fact) -> tuple[Fact | None, Fact | None]:
        place = (row.learned_at, row.origin_id)
        at = bisect_left(self.places, place)
        before = self.rows[at - 1] if at else None
        after = self.rows[at] if at < len(self.rows) else None
        self.places.insert(at, place)
        self.rows.insert(at, row)
        return before, after


class Board:
    """The keys and tracks that some sayings need. Within a turn; `flush` before anybody asks the database."""

    def __init__(self, sayings: Collection[Saying]) -> None:
        self.keys = _keys(sayings)
        self.tracks: dict[tuple[int, bool], Track] = {}
        self.new: list[Fact] = []
        self.moved: dict[int, Fact] = {}
        self._load()

    def _load(self) -> None:
        for keys in batched((key.pk for key in self.keys.values()), BATCH):
            chained = Fact.objects.filter(key__in=keys, claim=False, retracted_in__isnull=True)
            for row in chained.order_by("learned_at", "origin_id"):
                self._track(row.key_id, row.temporary).add(row)

    def _track(self, key_id: int, temporary: bool) -> Track:
        return self.tracks.setdefault((key_id, bool(temporary)), Track())

    def key(self, said: Saying) -> Key:
        return self.keys[said.scope, said.subject, said.predicate]

    def incumbent(self, said: Saying, key: Key) -> Fact | None:
        learned_at = said.learned_at or 0
        winner = self._track(key.pk, said.temporary).winner(learned_at)
        return winner if winner is not None and is_standing(winner, learned_at) else None

    def lies_over_curated(self, said: Saying, key: Key) -> bool:
        return any(lies_over_curated(said, row) for row in self._track(key.pk, False).rows)

    def add_claim(self, row: Fact) -> None:
        self.new.append(row)

    def place(self, row: Fact) -> tuple[Fact | None, Fact | None]:
        before, after = self._track(row.key_id, row.temporary).add(row)
        if after is not None:
            row.superseded_by_id, row.superseded_at = after.pk, after.learned_at
        if before is not None:
            before.superseded_by_id, before.superseded_at = row.pk, row.learned_at
            if not before._state.adding:
                self.moved[before.pk] = before
        self.new.append(row)
        return before, after

    def flush(self) -> None:
        """Links first, then rows: a track may have one row without successor, and foreign keys wait for the commit."""
        links = [(row.superseded_by_id, row.superseded_at, row.pk) for row in self.moved.values()]
        if links:
            with connection.cursor() as cursor:
                cursor.executemany(LINK, links)
        insert_all(self.new)
        self.new.clear()
        self.moved.clear()


def _keys(sayings: Collection[Saying]) -> dict[tuple[str, str, str], Key]:
    """The sayings' keys by (scope, subject, predicate); new ones are made."""
    wanted = dict.fromkeys((said.scope, said.subject, said.predicate) for said in sayings)
    found = _existing(list(wanted))
    new = [names for names in wanted if names not in found]
    for names in batched(new, BATCH):
        found |= {(key.scope, key.subject, key.predicate): key for key in _made(names)}
    return found


def _made(names: Sequence[tuple[str, str, str]]) -> list[Key]:
    rows = [(*texts, texts[1].casefold(), texts[2].casefold()) for texts in names]
    places = ", ".join(["(%s, %s, %s, %s, %s)"] * len(rows))
    with connection.cursor() as cursor:
        cursor.execute(f"{NEW_KEYS} VALUES {places} RETURNING id", [text for row in rows for text in row])
        ids = [number for (number,) in cursor.fetchall()]
    return [Key.from_db(connection.alias, KEY_FIELDS, (number, *row)) for number, row in zip(ids, rows, strict=True)]


def _existing(wanted: Sequence[tuple[str, str, str]]) -> dict[tuple[str, str, str], Key]:
    found = {}
    names = set(wanted)
    for subjects in batched(dict.fromkeys(subject for _, subject, _ in wanted), BATCH):
        for key in Key.objects.filter(Q(subject__in=subjects)).order_by():
            if (key.scope, key.subject, key.predicate) in names:
                found[key.scope, key.subject, key.predicate] = key
    return found
