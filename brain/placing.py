"""Where a new row goes: what it is compared with and what it stands between, asked of the database for one saying."""

from __future__ import annotations

from typing import Protocol

from brain import chains, rows
from brain.models import Fact, Key
from brain.rules import is_standing, lies_over_curated
from brain.saying import Saying


class Placing(Protocol):
    """What `remember` asks and does while it stores a saying whose defaults are filled in."""

    def key(self, said: Saying) -> Key: ...

    def incumbent(self, said: Saying, key: Key) -> Fact | None: ...

    def lies_over_curated(self, said: Saying, key: Key) -> bool: ...

    def add_claim(self, row: Fact) -> None: ...

    def place(self, row: Fact) -> tuple[Fact | None, Fact | None]: ...

    def flush(self) -> None: ...


class OneByOne:
    """Each question is a seek, each row is stored at once."""

    def key(self, said: Saying) -> Key:
        return rows.key_of(said)

    def incumbent(self, said: Saying, key: Key) -> Fact | None:
        """The row that wins its track at `learned_at`, unless it is expired, forgotten or erased by then."""
        learned_at = said.learned_at or 0
        track = chains.track(key.pk, temporary=said.temporary).filter(learned_at__lte=learned_at)
        winner = track.order_by("-learned_at", "-origin_id").first()
        return winner if winner is not None and is_standing(winner, learned_at) else None

    def lies_over_curated(self, said: Saying, key: Key) -> bool:
        meets = chains.track(key.pk, temporary=False).filter(learned_at__lt=said.expires_at or 0)
        return any(lies_over_curated(said, row) for row in meets.order_by("-learned_at").iterator(chunk_size=100))

    def add_claim(self, row: Fact) -> None:
        row.save(force_insert=True)

    def place(self, row: Fact) -> tuple[Fact | None, Fact | None]:
        """Inserts the row; answers the rows before and after it on its track."""
        return chains.attach(row)

    def flush(self) -> None:
        """Nothing waits."""
