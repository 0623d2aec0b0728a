"""What a play can do, as data: facts are named by their number in the order of saying, counted round."""

from __future__ import annotations

from dataclasses import dataclass

from tests.laws.model import Selector
from tests.laws.retiring import Part
from tests.laws.writing import Write

RIGHT, WRONG, NOTHING = "right", "wrong", None  # what a writer expects to hold


@dataclass(frozen=True)
class Retract:
    which: int


@dataclass(frozen=True)
class End:
    which: int
    at: int | None


@dataclass(frozen=True)
class Batch:
    writes: tuple[Write, ...]


@dataclass(frozen=True)
class Forget:
    """`selector.ids` are numbers of facts here."""

    selector: Selector
    purge: bool
    block: bool


@dataclass(frozen=True)
class ForgetScope:
    scope: str


@dataclass(frozen=True)
class Retain:
    before: int
    basis: str


@dataclass(frozen=True)
class Restore:
    which: int


@dataclass(frozen=True)
class Hold:
    selector: Selector


@dataclass(frozen=True)
class Lift:
    which: int


@dataclass(frozen=True)
class Rewind:
    """`back` counts operations from the last one; `part.ids` are numbers of facts here."""

    back: int
    part: Part


@dataclass(frozen=True)
class Undo:
    """Undoes operations counted back from the last one."""

    backs: tuple[int, ...]


@dataclass(frozen=True)
class Settle:
    which: int
    accept: bool


Step = Write | Retract | End | Batch | Forget | ForgetScope | Retain | Restore | Hold | Lift | Rewind | Undo | Settle
