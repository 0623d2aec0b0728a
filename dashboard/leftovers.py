"""What each way of retiring a fact leaves behind, in the words that people read before they choose."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Leaves:
    """One row of the table: what is left for whom."""

    kind: str
    mark: str
    name: str
    today: str
    then: str
    history: str
    storage: str


TABLE = [
    Leaves("end", "m-expires", "Held until", "nothing, from that day on", "the value, as before", "kept", "kept"),
    Leaves(
        "retract",
        "m-mistake",
        "Written by mistake",
        "the value before it",
        "the value before it; at an earlier “known at” what was seen then",
        "kept, struck",
        "kept",
    ),
    Leaves(
        "forget",
        "m-withheld",
        "Withheld",
        "nothing; the value before it does not come back",
        "nothing",
        "kept for auditors, marked",
        "kept; can be given back",
    ),
    Leaves("purge", "m-erased", "Erased", "nothing", "nothing", "erased", "erased; a receipt without content stays"),
    Leaves(
        "retention",
        "m-erased",
        "Erased by age",
        "what holds now, untouched",
        "nothing, and it says that history was erased",
        "erased",
        "erased; that something held then stays known",
    ),
    Leaves("forget_scope", "m-erased", "Scope erased", "nothing", "nothing", "erased", "erased, its receipts too"),
]
BY_KIND = {row.kind: row for row in TABLE}

STORAGE = {
    "erased": "The bytes are gone from the database’s files.",
    "at the next scrub": (
        "On PostgreSQL the bytes go when manage.py scrub runs next; archived logs and backups keep what they have."
    ),
    "when the open reader ends": "Somebody was still reading the old pages, so the bytes leave the log when that ends.",
    "at commit": "The bytes go when the surrounding work commits.",
}
