"""An operation in words: what kind of write it was and what it came to, from its own counts alone."""

from __future__ import annotations

from dataclasses import dataclass

from brain.models import Operation
from brain.touched import Touched

WROTE = {
    "created": "new",
    "superseded": "replaced a value",
    "backfilled": "dated back",
    "scheduled": "scheduled",
    "contested": "claims",
    "unchanged": "unchanged",
}
ONE = {
    "created": "wrote a new fact",
    "superseded": "replaced a value",
    "backfilled": "wrote a value dated back",
    "scheduled": "scheduled a value",
    "contested": "raised a claim",
    "unchanged": "confirmed what was known",
}
KINDS = {
    "remember": "wrote",
    "affirm": "confirmed what was known",
    "batch": "wrote many",
    "import": "imported",
    "retract": "written by mistake",
    "end": "held until",
    "forget": "withheld",
    "restore": "given back",
    "purge": "erased",
    "retention": "erased by age",
    "forget_scope": "erased a scope",
    "rewind": "rewound",
    "accept": "accepted a claim",
    "reject": "rejected a claim",
    "freeze": "froze a scope",
    "unfreeze": "unfroze a scope",
    "register_scope": "made a scope",
    "tombstone_scope": "closed a scope",
    "place_hold": "placed a hold",
    "lift_hold": "lifted a hold",
    "expire": "noted what ran out",
    "decay": "faded",
}
MARKS = {
    "retract": "m-mistake",
    "end": "m-expires",
    "forget": "m-withheld",
    "purge": "m-erased",
    "retention": "m-erased",
    "forget_scope": "m-erased",
    "accept": "m-contested",
    "reject": "m-contested",
    "place_hold": "m-hold",
    "lift_hold": "m-hold",
}
UNDOABLE = frozenset({"remember", "batch", "import", "retract", "end", "rewind", "accept", "reject"})
ERASING = frozenset({"purge", "retention", "forget_scope"})


def number(count: int, one: str, many: str = "") -> str:
    """1 fact, 3,000 facts"""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def says(operation: Operation) -> str:
    """wrote 120 facts: 80 new, 30 replaced a value, 10 unchanged"""
    counts, kind = operation.counts, operation.kind
    if kind in ("remember", "affirm", "batch", "import"):
        return _wrote(counts, "imported" if kind == "import" else "wrote")
    if say := SENTENCES.get(kind):
        return say.format_map(_Words(operation))
    return KINDS.get(kind, kind.replace("_", " "))


def _wrote(counts: dict[str, int], verb: str) -> str:
    total = sum(counts.values())
    if total == 1 and verb == "wrote":
        return ONE.get(next(name for name, count in counts.items() if count), verb)
    parts = [f"{counts[name]:,} {words}" for name, words in WROTE.items() if counts.get(name)]
    return f"{verb} {number(total, 'fact')}" + (f": {', '.join(parts)}" if total else "")


class _Words(dict[str, str]):
    """The numbers and names that a sentence may ask for; what was erased or never counted reads as a blank word."""

    def __init__(self, operation: Operation) -> None:
        counts, details = operation.counts, operation.details
        super().__init__({name: f"{count:,}" for name, count in counts.items()})
        self["facts"] = number(counts.get("forgotten", 0), "fact")
        self["erased"] = number(counts.get("purged", 0), "fact")
        self["rows"] = number(counts.get("purged", 0), "row")
        self["kept"] = f", kept {counts['held']:,} on hold" if counts.get("held") else ""
        self["scope"] = str(details.get("scope") or operation.scope)
        self["unsaid"] = number(counts.get("retracted", 0), "row")
        self["back"] = f", said {counts['restored']:,} again" if counts.get("restored") else ""

    def __missing__(self, name: str) -> str:
        return "some"


SENTENCES = {
    "retract": "said that a fact was written by mistake",
    "end": "set until when a fact holds",
    "forget": "withheld {facts}{kept}",
    "restore": "gave back a withheld fact",
    "purge": "erased {erased}{kept}",
    "retention": "erased {rows} that had ended{kept}",
    "forget_scope": "erased a scope with {erased}",
    "rewind": "rewound: unsaid {unsaid}{back}",
    "accept": "accepted a claim",
    "reject": "rejected a claim",
    "freeze": "froze {scope}",
    "unfreeze": "unfroze {scope}",
    "register_scope": "made the scope {scope}",
    "tombstone_scope": "closed the scope {scope} to new writes",
    "place_hold": "put facts on legal hold",
    "lift_hold": "lifted a legal hold",
    "expire": "noted that {affected} facts ran out",
    "decay": "let {affected} facts fade by one step",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One operation as the journal lists it. `touches`: its facts, where they are few, with the value that each
    replaced."""

    operation: Operation
    says: str
    mark: str
    undoable: bool
    touches: list[tuple[Touched, str | None]]


def line(operation: Operation, touches: list[tuple[Touched, str | None]]) -> Line:
    undoable = operation.kind in UNDOABLE and bool(
        sum(operation.counts.values()) - operation.counts.get("unchanged", 0)
    )
    return Line(operation, says(operation), MARKS.get(operation.kind, ""), undoable, touches)
