"""Where a new row goes: what it is compared with and what it stands between, asked of the database for one saying."""

from __future__ import annotations

from typing import Protocol

from django.db import connection

from brain import chains, rows
from brain.inserting import insert
from brain.models import Fact, Key
from brain.rules import is_standing, lies_over_curated
from brain.saying import Saying

TRACK = """
SELECT * FROM fact
WHERE "key" = %s AND claim = FALSE AND temporary = %s AND retracted_in IS NULL AND learned_at {compare} %s
ORDER BY learned_at {order}, origin {order} LIMIT 1
"""
LAST_BY, FIRST_AFTER = TRACK.format(compare="<=", order="DESC"), TRACK.format(compare=">", order="ASC")
LINK = "UPDATE fact SET superseded_by = %s, superseded_at = %s WHERE id = %s"


class Placing(Protocol):
    """What `remember` asks and does while it stores a saying whose defaults are filled in."""

    def key(self, said: Saying) -> Key: ...

    def incumbent(self, said: Saying, key: Key) -> Fact | None: ...

    def lies_over_curated(self, said: Saying, key: Key) -> bool: ...

    def add_claim(self, row: Fact) -> None: ...

    def place(self, row: Fact) -> tuple[Fact | None, Fact | None]: ...

    def flush(self) -> None: ...


class OneByOne:
    """Each question is a seek, each row is stored at once. Plain SQL: the lock is held meanwhile."""

    def __init__(self) -> None:
        self.before: Fact | None = None

    def key(self, said: Saying) -> Key:
        return rows.key_of(said)

    def incumbent(self, said: Saying, key: Key) -> Fact | None:
        """The row that wins its track at `learned_at`, unless it is expired, forgotten or erased by then."""
        learned_at = said.learned_at or 0
        self.before = _row(LAST_BY, key.pk, said.temporary, learned_at)
        return self.before if self.before is not None and is_standing(self.before, learned_at) else None

    def lies_over_curated(self, said: Saying, key: Key) -> bool:
        meets = chains.track(key.pk, temporary=False).filter(learned_at__lt=said.expires_at or 0)
        return any(lies_over_curated(said, row) for row in meets.order_by("-learned_at").iterator(chunk_size=100))

    def add_claim(self, row: Fact) -> None:
        insert(row)

    def place(self, row: Fact) -> tuple[Fact | None, Fact | None]:
        """Inserts the row, whose incumbent was asked for; answers the rows before and after it on its track. Its id
        is the highest, so the last row with its `learned_at` is the one before."""
        following = _row(FIRST_AFTER, row.key_id, row.temporary, row.learned_at)
        if following is not None:
            row.superseded_by_id, row.superseded_at = following.pk, following.learned_at
        if self.before is not None:
            with connection.cursor() as cursor:
                cursor.execute(LINK, [row.pk, row.learned_at, self.before.pk])
        insert(row)
        return self.before, following

    def flush(self) -> None:
        """Nothing waits."""


def _row(sql: str, key_id: int, temporary: bool, instant: int) -> Fact | None:
    return next(iter(Fact.objects.raw(sql, [key_id, temporary, instant])), None)
