"""The two clocks of a read, as a caller may set them: a pin leaves no choice, an earlier K is for auditors."""

from __future__ import annotations

from dataclasses import dataclass

from brain import journal
from brain.reader import EVERYTHING
from brain.time import EARLIEST, AsOf
from brain.tokens import AUDIT
from dashboard.api.auth import Caller
from dashboard.api.errors import Refusal


@dataclass(frozen=True, slots=True)
class Clocks:
    """`at` for the brain; `known_at` is its K as answers show it: an instant, epoch milliseconds."""

    at: AsOf
    known_at: int


def clocks(caller: Caller, as_of: int | None, known_at: int | str | None) -> Clocks:
    """T and K as asked for, by default now, or the caller's pin. Raises Refusal where the caller may not choose."""
    refuse_choice(caller, as_of, known_at)
    at = journal.resolve(as_of, known_at, reader=caller.reader)
    return Clocks(at, shown(at, as_of, known_at, caller))


def refuse_choice(caller: Caller, as_of: int | None, known_at: int | str | None) -> None:
    if caller.pin is not None and (known_at is not None or as_of not in (None, caller.pin)):
        raise Refusal("as_of_pinned", "the token reads at one instant; as_of and known_at cannot be chosen")
    if known_at is not None:
        caller.require(AUDIT, "known_at")


def shown(at: AsOf, as_of: int | None, known_at: int | str | None, caller: Caller) -> int:
    """K as an instant: the one asked for, that of the operation asked for, or now."""
    if isinstance(known_at, int):
        return known_at
    if known_at is not None:
        asked = journal.operations(EVERYTHING).filter(pk=at.known_at).values_list("at", flat=True)
        return asked.first() or EARLIEST
    return at.as_of if as_of is None and caller.pin is None else journal.now()


def cut(caller: Caller, instant: int | None) -> int | None:
    """An end of a period, cut to the caller's pin."""
    return instant if instant is None or caller.pin is None else min(instant, caller.pin)
