"""A file of facts becomes rows of named cells, one at a time; what cannot be a row is a problem with its line.

Cells of CSV and XLSX are text and are left out when empty; cells of NDJSON keep their JSON types and are left out when
null. Lines count from 1, the header included.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import chain
from pathlib import Path
from typing import BinaryIO
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile

from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from brain.errors import Invalid

Cells = dict[str, object]
DIGITS = 15  # significant digits that a spreadsheet keeps of a number
WRONG_ENCODINGS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Row:
    line: int
    cells: Cells


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one line; `column` is empty where the whole line is meant."""

    line: int
    column: str
    rule: str

    def __str__(self) -> str:
        return f"line {self.line}{self.column and f', {self.column}'}: {self.rule}"


@dataclass(frozen=True, slots=True)
class Columns:
    """The names that a header may hold, and those that it must."""

    known: Collection[str]
    required: Collection[str] = ()


def rows(path: Path, columns: Columns, heard: Callable[[int], None] = lambda size: None) -> Iterator[Row | Problem]:
    """The rows of a .csv, .xlsx or .ndjson file; `heard` is told of what was read: bytes, or a sheet's rows. Raises
    Invalid for another file, one that cannot be read, and a header with other columns."""
    readers = {".csv": _csv, ".xlsx": _xlsx, ".ndjson": _ndjson}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise Invalid.field("file", f"{path.name} must end in .csv, .xlsx or .ndjson")
    try:
        with path.open("rb") as file:
            yield from reader(file, columns, heard)
    except OSError as error:
        raise Invalid.field("file", f"{path} cannot be read: {error.strerror or error}") from error


def _lines(file: BinaryIO, heard: Callable[[int], None]) -> Iterator[tuple[int, str]]:
    """Each line's number and text. Raises Invalid at the first that is not UTF-8."""
    for number, raw in enumerate(file, 1):
        heard(len(raw))
        if number == 1:
            if encoding := WRONG_ENCODINGS.get(raw[:2]):
                raise Invalid.field("file", f"is {encoding}, not UTF-8: save it as UTF-8")
            raw = raw.removeprefix(BOM)
        try:
            yield number, raw.decode()
        except UnicodeDecodeError as error:
            byte = raw[error.start]
            rule = f"line {number} is not UTF-8 (byte 0x{byte:02X}), as in a file saved as Latin-1: save it as UTF-8"
            raise Invalid.field("file", rule) from error


# -- CSV


def _csv(file: BinaryIO, columns: Columns, heard: Callable[[int], None]) -> Iterator[Row | Problem]:
    lines = (text for _, text in _lines(file, heard))
    first = next(lines, "")
    reader = csv.reader(chain([first], lines), delimiter=delimiter(first), strict=True)
    header: list[str] = []
    while True:
        line = reader.line_num + 1
        try:
            texts = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield Problem(line, "", f"is not CSV: {error}")
            continue
        if not header:
            header = _header(texts, columns)
        elif texts:
            yield _fitted(line, header, texts)


def delimiter(header: str) -> str:
    """Spreadsheets of many countries separate by semicolons; no column's name holds one."""
    return next((mark for mark in (";", "\t") if mark in header and "," not in header), ",")


def _header(names: Iterable[object], columns: Columns) -> list[str]:
    header = [str(name or "").strip() for name in names]
    if unknown := sorted({name for name in header if name}.difference(columns.known)):
        raise Invalid.field("file", f"line 1 names no column of a fact: {', '.join(unknown)}")
    if missing := sorted(set(columns.required).difference(header)):
        raise Invalid.field("file", f"line 1 must name the columns {', '.join(missing)}")
    if twice := sorted({name for name in header if name and header.count(name) > 1}):
        raise Invalid.field("file", f"line 1 names a column twice: {', '.join(twice)}")
    return header


def _fitted(line: int, header: list[str], texts: list[str]) -> Row | Problem:
    if len(texts) != len(header):
        return Problem(line, "", f"has {len(texts)} cells where the header has {len(header)}")
    cells: Cells = {name: text for name, text in zip(header, texts, strict=True) if text}
    return (
        Problem(line, "", "has a cell in a column that the header does not name") if "" in cells else Row(line, cells)
    )


# -- XLSX


def _xlsx(file: BinaryIO, columns: Columns, heard: Callable[[int], None]) -> Iterator[Row | Problem]:
    """The first sheet's rows."""
    try:
        book = load_workbook(file, read_only=True, data_only=True)
        cells = book.worksheets[0].iter_rows()
        header = _header((cell.value for cell in next(cells, ())), columns)
        for line, found in enumerate(cells, 2):
            heard(1)
            if any(cell.value is not None for cell in found):
                yield _sheet_row(line, header, found)
    except (BadZipFile, InvalidFileException, KeyError, IndexError, ValueError, ParseError) as error:
        raise Invalid.field("file", "is not an .xlsx workbook, or a damaged one") from error


def _sheet_row(line: int, header: list[str], found: Iterable[object]) -> Row | Problem:
    named: Cells = {}
    for number, cell in enumerate(found):
        value, name = getattr(cell, "value", None), header[number] if number < len(header) else ""
        if value is None or value == "":
            continue
        if getattr(cell, "data_type", "") == "e":
            return Problem(line, name, f"holds the error {value}")
        if not name:
            return Problem(line, "", f"has a cell in column {number + 1}, which the header does not name")
        named[name] = as_text(value)
    return Row(line, named)


def as_text(value: object) -> str:
    """A spreadsheet's cell as it would be written: a number as its sheet keeps it, a day without its midnight."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.{DIGITS}g}"
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, date | time) else str(value)


# -- NDJSON


def _ndjson(file: BinaryIO, columns: Columns, heard: Callable[[int], None]) -> Iterator[Row | Problem]:
    for line, text in _lines(file, heard):
        if text.strip():
            yield _object(line, text, columns)


def _object(line: int, text: str, columns: Columns) -> Row | Problem:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        return Problem(line, "", f"is not JSON: {error}")
    if not isinstance(found, dict):
        return Problem(line, "", "must be a JSON object")
    if unknown := sorted(set(found).difference(columns.known)):
        return Problem(line, unknown[0], "is no field of a fact")
    return Row(line, {name: value for name, value in found.items() if value is not None})
