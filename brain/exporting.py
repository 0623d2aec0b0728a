"""Facts leave as lines that an import reads: those that hold at an instant, or every saying and unsaying in order.

A history replayed into an empty brain reads the same at every recorded instant. What is withheld or erased leaves
without its content, and only where it keeps an older value from showing through.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterable, Iterator
from heapq import merge
from pathlib import Path
from typing import Any, TextIO

from django.db.models import Case, Exists, F, OuterRef, Q, Value, When

from brain.errors import Invalid
from brain.lines import END, ERASED, REMEMBER, RETRACT, WITHHELD
from brain.models import Fact
from brain.querysets import FactQuerySet
from brain.time import AsOf, to_text

Line = dict[str, Any]
NAMES = ("scope", "subject", "predicate")
HELD_BACK = ("value", "source", "written_by", "category", "source_kind", "confidence")
CONTENT = ("value", "source", "written_by", "learned_at", "expires_at", "temporary", *HELD_BACK[3:])
COLUMNS = NAMES + CONTENT
HISTORY_COLUMNS = ("op", "fact", "recorded_at", *COLUMNS, "claim")
KEYS = {name: F(f"key__{name}") for name in NAMES}
INSTANTS = ("learned_at", "expires_at", "recorded_at")
CHUNK = 2_000


def current(at: AsOf) -> Iterator[Line]:
    """What a recall returns at (T, K), every scope, by key."""
    rows = Fact.objects.as_of(at.pinned()).order_by("key__subject", "key__predicate", "key__scope", "pk")
    yield from rows.values(*CONTENT, **KEYS).iterator(CHUNK)


def history(at: AsOf) -> Iterator[Line]:
    """Every saying and unsaying told of by K of rows learned by T, in the order in which they were told."""
    events = merge(_unsaid(at), _said(at), key=lambda row: (row["operation"], row["op"] != RETRACT, row["pk"]))
    return map(_without_content, events)


def _said(at: AsOf) -> Iterator[Line]:
    rows = _told_of(at)
    same = rows.filter(origin=OuterRef("origin"), learned_at=OuterRef("learned_at"), claim=OuterRef("claim"))
    moved = Exists(same.filter(retracted_in=OuterRef("recorded_in")))
    op = Case(
        When(moved, then=Value(END)),
        When(erasure=Fact.RETENTION, then=Value(ERASED)),
        When(_hidden(), then=Value(WITHHELD)),
        default=Value(REMEMBER),
    )
    return _lines(rows.annotate(op=op), "recorded_in")


def _unsaid(at: AsOf) -> Iterator[Line]:
    """Retractions; a row that its operation says again with another end is no retraction."""
    rows = _told_of(at)
    same = rows.filter(origin=OuterRef("origin"), learned_at=OuterRef("learned_at"), claim=OuterRef("claim"))
    moved = Exists(same.filter(recorded_in=OuterRef("retracted_in")))
    gone = rows.filter(~moved, retracted_in__lte=at.known_at)
    return _lines(gone.annotate(op=Value(RETRACT)), "retracted_in")


def _lines(rows: FactQuerySet, told_in: str) -> Iterator[Line]:
    fields = {"operation": F(told_in), "recorded_at": F(f"{told_in}__at"), "fact": F("origin")}
    yield from rows.order_by(told_in, "pk").values("pk", "op", "claim", *CONTENT, **KEYS, **fields).iterator(CHUNK)


def _told_of(at: AsOf) -> FactQuerySet:
    """The sayings that a replay needs: what one operation both said and unsaid was never seen."""
    content = Fact.objects.filter(~_hidden(), key=OuterRef("key"))
    pointless = _hidden() & (Q(claim=True) | ~Q(erasure=Fact.RETENTION) & ~Exists(content))
    return (
        Fact.objects.filter(recorded_in__lte=at.known_at, learned_at__lte=at.as_of)
        .exclude(retracted_in=F("recorded_in"))
        .exclude(pointless)
    )


def _hidden() -> Q:
    return Q(erasure__isnull=False) | Q(forgotten_in__isnull=False, restored_in__isnull=True)


def _without_content(line: Line) -> Line:
    """Only a saying carries what was said."""
    if line["op"] != REMEMBER:
        line |= dict.fromkeys(HELD_BACK)
    return line


# -- files


def write(path: Path, lines: Iterable[Line], columns: tuple[str, ...], heard: Callable[[int], None]) -> int:
    """Writes a .csv or .ndjson file and returns the number of lines; the file is there whole or not at all."""
    writer = {".csv": _csv, ".ndjson": _ndjson}.get(path.suffix.lower())
    if writer is None:
        raise Invalid.field("file", f"{path.name} must end in .csv or .ndjson")
    draft, number = path.with_name(f".{path.name}.{os.getpid()}"), 0
    try:
        with draft.open("w", encoding="utf-8", newline="") as file:
            put = writer(file, columns)
            for line in lines:
                put(_shown(line))
                heard(1)
                number += 1
        draft.replace(path)
    except OSError as error:
        raise Invalid.field("file", f"{path} cannot be written: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)
    return number


def _csv(file: TextIO, columns: tuple[str, ...]) -> Callable[[Line], object]:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    return lambda line: writer.writerow([_cell(line.get(name)) for name in columns])


def _ndjson(file: TextIO, columns: tuple[str, ...]) -> Callable[[Line], object]:
    def put(line: Line) -> None:
        kept = {name: line[name] for name in columns if line.get(name) is not None}
        file.write(json.dumps(kept, ensure_ascii=False, separators=(",", ":")) + "\n")

    return put


def _shown(line: Line) -> Line:
    return line | {name: to_text(line[name]) for name in INSTANTS if line.get(name) is not None}


def _cell(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value
