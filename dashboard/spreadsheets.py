"""CSV in two forms: verbatim for programs, and for spreadsheets, which would run a cell that begins like a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from django.http import StreamingHttpResponse

BOM = "\ufeff"  # by which spreadsheets know UTF-8
FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
NUMBER = re.compile(r"[+-]?\d[\d.,]*%?")
CHUNK = 64 * 1024


def neutral(cell: object) -> object:
    """The cell with a ' before what a spreadsheet would take for a formula; plain numbers stay numbers."""
    text = str(cell) if isinstance(cell, str) else ""
    return f"'{text}" if text.startswith(FORMULA) and not NUMBER.fullmatch(text) else cell


def lines(header: Sequence[str], rows: Iterable[Sequence[object]], *, for_spreadsheets: bool) -> Iterator[str]:
    """The file in pieces."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    buffer.write(BOM if for_spreadsheets else "")
    writer.writerow(header)
    for row in rows:
        writer.writerow([neutral(cell) for cell in row] if for_spreadsheets else row)
        if buffer.tell() > CHUNK:
            yield _emptied(buffer)
    yield _emptied(buffer)


def download(name: str, pieces: Iterator[str]) -> StreamingHttpResponse:
    answer = StreamingHttpResponse(pieces, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Cache-Control"] = "private, no-cache"
    return answer


def _emptied(buffer: io.StringIO) -> str:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text
