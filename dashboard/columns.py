"""The columns of a sheet: what each is taken for, guessed from its name and corrected by a person; and how its dates
are meant, which is asked where the dates themselves do not say."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile

from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from brain.errors import Invalid
from brain.tabular import Columns, Problem, Row, delimiter, rows

IGNORED, OWN = "", "own"  # not imported; a value of the predicate named like the column
MEANINGS = {
    "subject": "subject",
    "predicate": "predicate",
    "value": "value",
    OWN: "value (predicate as named here)",
    "learned_at": "holds from",
    "expires_at": "held until",
    "source": "source",
    "written_by": "writer",
    "scope": "scope",
    "category": "category",
    "temporary": "temporary (true or false)",
}
ONCE = frozenset(MEANINGS) - {OWN}
NAMES = {
    "subject": "subject product item name article sku plan tier model customer account key produkt artikel",
    "predicate": "predicate attribute property field fact kind what type eigenschaft merkmal",
    "value": "value price amount wert preis betrag",
    "learned_at": "learned_at from since valid_from effective effective_from start date ab seit gültig_ab datum",
    "expires_at": "expires_at until to valid_to valid_until end end_date expires bis gültig_bis",
    "source": "source quelle",
    "written_by": "written_by writer author by",
    "scope": "scope folder region",
    "category": "category kategorie",
    "temporary": "temporary",
}
KNOWN = {word: meaning for meaning, words in NAMES.items() for word in words.split()}
TELLING = frozenset({"op", "status", "retracted_at"})  # an export's columns that say a row does not stand
NUMERIC = re.compile(r"(?P<one>\d{1,2})(?P<mark>[/-])(?P<two>\d{1,2})(?P=mark)(?P<year>\d{4})(?P<rest>\D.*)?")
DAY_FIRST, MONTH_FIRST = "day", "month"
SAMPLE, LOOKED_AT = 5, 200  # rows shown; lines of NDJSON whose fields make up the header


@dataclass(slots=True)
class Dates:
    """How dates like 03/04/2026 are written in a column: how many can be read two ways, and what the others prove."""

    ambiguous: int = 0
    example: str = ""
    day_first: int = 0
    month_first: int = 0

    def look(self, text: str) -> None:
        found = NUMERIC.fullmatch(text.strip())
        if found is None:
            return
        one, two = int(found["one"]), int(found["two"])
        if one > 12 >= two:
            self.day_first += 1
        elif two > 12 >= one:
            self.month_first += 1
        elif one != two:
            self.ambiguous += 1
            self.example = self.example or text.strip()

    @property
    def proven(self) -> str:
        """The order that the file's own dates prove, "" where they prove none or both."""
        if self.day_first and not self.month_first:
            return DAY_FIRST
        return MONTH_FIRST if self.month_first and not self.day_first else ""

    @property
    def asks(self) -> bool:
        return bool(self.ambiguous) and not self.proven


@dataclass(slots=True)
class Sheet:
    """What can be said of an upload before it is mapped: its header, some rows, and how its dates are written."""

    header: list[str]
    sample: list[list[str]] = field(default_factory=list)
    total: int = 0
    dates: dict[str, Dates] = field(default_factory=dict)


def read(path: Path) -> Sheet:
    """Raises Invalid for what is no table."""
    header = header_of(path)
    sheet = Sheet(header)
    for item in each_row(path, header):
        sheet.total += 1
        if isinstance(item, Problem):
            continue
        texts = {name: str(cell) for name, cell in item.cells.items()}
        if len(sheet.sample) < SAMPLE:
            sheet.sample.append([texts.get(name, "") for name in header])
        for name, text in texts.items():
            if NUMERIC.fullmatch(text.strip()):
                sheet.dates.setdefault(name, Dates()).look(text)
    if not sheet.total:
        raise Invalid.field("file", "holds no row under its header")
    return sheet


def each_row(path: Path, header: Sequence[str]) -> Iterable[Row | Problem]:
    return rows(path, Columns(frozenset(header)))


def header_of(path: Path) -> list[str]:
    readers = {".csv": _csv_header, ".xlsx": _xlsx_header, ".ndjson": _ndjson_header}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise Invalid.field("file", "must be a .csv, .xlsx or .ndjson file")
    names = [name for name in reader(path) if name]
    if not names:
        raise Invalid.field("file", "has no header: the first line must name the columns")
    return names


def _csv_header(path: Path) -> list[str]:
    with path.open(encoding="utf-8-sig", newline="", errors="replace") as file:
        first = file.readline()
    return [name.strip() for name in next(csv.reader([first], delimiter=delimiter(first)), [])]


def _xlsx_header(path: Path) -> list[str]:
    try:
        with path.open("rb") as file:
            cells = next(load_workbook(file, read_only=True, data_only=True).worksheets[0].iter_rows(), ())
            return [str(cell.value or "").strip() for cell in cells]
    except (BadZipFile, InvalidFileException, KeyError, IndexError, ValueError, ParseError) as error:
        raise Invalid.field("file", "is not an .xlsx workbook, or a damaged one") from error


def _ndjson_header(path: Path) -> list[str]:
    names: dict[str, None] = {}
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        for line in islice(file, LOOKED_AT):
            try:
                found = json.loads(line)
            except ValueError:
                continue
            names |= dict.fromkeys(found) if isinstance(found, dict) else {}
    return list(names)


def guessed(sheet: Sheet) -> dict[str, str]:
    """Column → what it is taken for. A sheet without a column of values has a value in each column that is left."""
    taken: dict[str, str] = {}
    for name in sheet.header:
        meaning = KNOWN.get(re.sub(r"[\s_-]+", "_", name.strip().lower()), IGNORED)
        taken[name] = meaning if meaning not in taken.values() else IGNORED
    if "subject" not in taken.values() and taken.get(sheet.header[0]) == IGNORED:
        taken[sheet.header[0]] = "subject"
    if "predicate" not in taken.values() and "subject" in taken.values():
        left = [name for name in sheet.header if taken[name] in (IGNORED, "value") and name not in TELLING]
        if "value" not in taken.values() or len(left) > 1:
            taken |= dict.fromkeys(left, OWN)
    return taken
