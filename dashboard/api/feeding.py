"""GET /feed: operations in order, each once, as a long poll or as an event stream; a caller goes on where it left."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Annotated, Any

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from ninja import Query
from pydantic import Field

from brain import feed
from brain.reader import Reader
from dashboard.api.agent_shapes import Feed
from dashboard.api.answers import instant, read_json
from dashboard.api.errors import Refusal
from dashboard.api.fields import LARGEST, Id, Parameters
from dashboard.api.gate import ApiRequest
from dashboard.api.routing import router
from dashboard.api.waiting import LONGEST, place, take, until

EVENT_STREAM = "text/event-stream"
STREAMED = 300  # seconds after which a stream ends; its reader comes back with Last-Event-ID


class FeedQuery(Parameters):
    after: Annotated[Id, Field(description="the last operation that the caller has")] = 0
    limit: Annotated[int, Field(ge=1, le=500)] = 100
    wait: Annotated[int, Field(ge=0, le=LONGEST, description="seconds to wait for an operation")] = LONGEST


@router.get("/feed", response=Feed, operation_id="feed")
def get_feed(request: ApiRequest, given: Query[FeedQuery]) -> HttpResponseBase:
    """The operations after `after`, oldest first; waits for one. Accept: text/event-stream streams them."""
    reader = request.caller.reader
    if EVENT_STREAM in request.headers.get("Accept", ""):
        return _stream(request, given)
    found = feed.after(given.after, reader, given.limit)
    if not found.entries and given.wait:
        with place(request.caller):
            found = _next(found.last, reader, given)
    items = [_entry(entry, reader) for entry in found.entries]
    return read_json(request, {"items": items, "last": found.last}, [items, found.last])


def _next(last: int, reader: Reader, given: FeedQuery) -> feed.Feed:
    """What follows, waited for unless a pin says that nothing will."""
    seconds = given.wait if reader.pin is None else 0
    return until(lambda: feed.after(last, reader, given.limit), lambda seen: bool(seen.entries), seconds=seconds)


def _entry(entry: feed.Entry, reader: Reader) -> dict[str, Any]:
    operation = entry.operation
    return {
        "id": operation.pk,
        "at": instant(operation.at),
        "kind": operation.kind,
        "actor": operation.actor,
        "reason": operation.reason if entry.whole and reader.audit else "",
        "counts": operation.counts if entry.whole else {},
        "hash": operation.hash,
        "facts": entry.facts,
    }


# -- as a stream


def _stream(request: ApiRequest, given: FeedQuery) -> StreamingHttpResponse:
    last = request.headers.get("Last-Event-ID")
    if last is not None:
        if not (last.isascii() and last.isdigit() and len(last) < 20 and int(last) <= LARGEST):
            raise Refusal.invalid([("Last-Event-ID", "is no operation")])
        given.after = int(last)
    events = Events(request.caller.reader, given, take(request.caller))
    answer = StreamingHttpResponse(events, content_type=EVENT_STREAM)
    answer["Cache-Control"] = "no-store"
    answer["X-Accel-Buffering"] = "no"
    return answer


class Events:
    """The events of one stream. It holds a place until the server closes it, read or not."""

    def __init__(self, reader: Reader, given: FeedQuery, give_back: Callable[[], None]) -> None:
        self.reader, self.given, self.give_back, self.closed = reader, given, give_back, False

    def __iter__(self) -> Iterator[bytes]:
        last, end = self.given.after, monotonic() + STREAMED
        yield b": the operations, one event each\n\n"
        while monotonic() < end:
            found = _next(last, self.reader, self.given)
            for entry in found.entries:
                data = json.dumps(_entry(entry, self.reader), ensure_ascii=False)
                yield f"id: {entry.operation.pk}\nevent: operation\ndata: {data}\n\n".encode()
            if not found.entries:
                break
            last = found.last

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self.give_back()
