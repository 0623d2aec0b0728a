"""Who asks: every read is narrowed by its reader, in the query itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reader:
    """`scope`: the subtree that exists for the reader. `audit`: holds audit:read. `pin`: an instant in epoch
    milliseconds after which nothing exists for the reader, or None."""

    scope: str = "/"
    audit: bool = False
    pin: int | None = None

    def reaches(self, scope: str) -> bool:
        """True when `scope` is the reader's own or lies below it."""
        return self.scope == "/" or scope == self.scope or scope.startswith(self.scope + "/")

    def cut(self, instant: int | None) -> int | None:
        """An instant as this reader may see it: None when it lies after the pin."""
        return None if instant is None or (self.pin is not None and instant > self.pin) else instant


EVERYTHING = Reader(audit=True)
