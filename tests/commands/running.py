"""How a specification runs a command and looks at what came of it."""

from __future__ import annotations

import csv
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

from django.core.management import CommandError, call_command
from django.db import transaction

from brain import journal, listing
from brain.describe import FactAt, describe
from brain.models import Fact, ImportedFile, Key, Operation
from brain.reader import EVERYTHING, Reader
from brain.time import parse

DATA = Path(__file__).parent.parent / "data"
PRICES = DATA / "llm_prices.csv"
JAN, FEB, MAR, APR = (f"2024-0{month}-01" for month in range(1, 5))
HEADER = "subject,predicate,value,source"


def run(*arguments: object, **options: object) -> str:
    """What a command prints. Raises CommandError as the command does."""
    out = StringIO()
    call_command(*map(str, arguments), stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


def refused(*arguments: object) -> tuple[list[str], str]:
    """The lines that a refused command reports, and the sentence with which it ends."""
    out, err = StringIO(), StringIO()
    try:
        call_command(*map(str, arguments), stdout=out, stderr=err)
    except CommandError as refusal:
        return err.getvalue().splitlines(), str(refusal)
    raise AssertionError(f"it was not refused: {out.getvalue()}")


def text_file(directory: Path, *lines: str, name: str = "facts.csv", encoding: str = "utf-8") -> Path:
    path = directory / name
    path.write_bytes("\n".join([*lines, ""]).encode(encoding))
    return path


def csv_file(directory: Path, header: str, *rows: str) -> Path:
    return text_file(directory, header, *rows)


def read_csv(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


def read_ndjson(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def facts(as_of: str | None = None, known_at: int | str | None = None, **narrow: str) -> list[FactAt]:
    """The facts that an agent's listing shows at (T, K), by subject and predicate."""
    at = journal.resolve(None if as_of is None else parse(as_of), known_at)
    found = listing.facts(Reader(), at, scope="/", **narrow).order_by("key__subject", "key__predicate", "pk")
    return describe(list(found), at, Reader())


def values(as_of: str | None = None, known_at: int | str | None = None) -> dict[tuple[str, str], str]:
    """(subject, predicate) → the value that holds at (T, K)."""
    return {(fact.subject, fact.predicate): fact.value for fact in facts(as_of, known_at)}


def everything() -> list[FactAt]:
    at = journal.resolve()
    return describe(list(Fact.objects.select_related("key").order_by("pk")), at, EVERYTHING)


def is_empty() -> bool:
    return not any(model.objects.exists() for model in (Operation, Fact, Key, ImportedFile))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def passing_brain() -> Iterator[None]:
    """A brain that is gone after the block, so that the next one begins empty."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
