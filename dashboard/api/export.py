"""GET /export: every fact that a filter names, verbatim, streamed at instants fixed when it begins."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from ninja import Query

from brain import keyset, listing
from brain.time import AsOf
from dashboard.api.answers import described
from dashboard.api.auth import Caller
from dashboard.api.clocks import clocks
from dashboard.api.gate import ApiRequest
from dashboard.api.queries import ExportQuery
from dashboard.api.routing import router
from dashboard.api.shapes import Fact

CHUNK = 1000
COLUMNS = tuple(Fact.model_fields)
MEDIA_TYPES = {"csv": "text/csv; charset=utf-8", "ndjson": "application/x-ndjson"}
CONTENT = {
    "content": {"text/csv": {"schema": {"type": "string"}}, "application/x-ndjson": {"schema": {"type": "string"}}}
}


@router.get(
    "/export", operation_id="export", openapi_extra={"responses": {200: {"description": "the facts"} | CONTENT}}
)
def export(request: ApiRequest, given: Query[ExportQuery]) -> HttpResponseBase:
    """The facts of a filter as CSV or NDJSON. Values are verbatim: a spreadsheet may take one for a formula."""
    caller, scope = request.caller, request.caller.within(given.scope)
    at = clocks(caller, given.as_of, given.known_at).at.pinned()
    facts = _facts(caller, at, scope, given)
    lines = _csv(facts) if given.format == "csv" else (f"{_line(fact)}\n" for fact in facts)
    answer = StreamingHttpResponse(lines, content_type=MEDIA_TYPES[given.format])
    answer["Content-Disposition"] = f'attachment; filename="facts.{given.format}"'
    answer["Cache-Control"] = "private, no-cache"
    return answer


def _facts(caller: Caller, at: AsOf, scope: str, given: ExportQuery) -> Iterator[dict[str, Any]]:
    rows = listing.facts(caller.reader, at, scope=scope, recursive=given.recursive, **given.narrowing())
    after = None
    while True:
        page, after = keyset.page(rows, given.order, after, CHUNK)
        yield from described(page, at, caller.reader)
        if after is None:
            return


def _line(fact: dict[str, Any]) -> str:
    return json.dumps(fact, ensure_ascii=False, separators=(",", ":"))


def _csv(facts: Iterator[dict[str, Any]]) -> Iterator[str]:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(COLUMNS)
    for fact in facts:
        writer.writerow(_cells(fact))
        if buffer.tell() > 65_536:
            yield _emptied(buffer)
    yield _emptied(buffer)


def _cells(fact: dict[str, Any]) -> list[Any]:
    return [str(cell).lower() if isinstance(cell, bool) else cell for cell in fact.values()]


def _emptied(buffer: io.StringIO) -> str:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text
