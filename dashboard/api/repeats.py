"""A write that names an Idempotency-Key happens once; its answer is stored in the write's own transaction."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from brain import idempotency, journal, storage
from brain.idempotency import Kept, Request
from dashboard.api.answers import Keeping, WriteAnswer
from dashboard.api.errors import Refusal

HEADER = "Idempotency-Key"
LONGEST = 255
REPLAYED = "Idempotency-Replayed"


def once(request: HttpRequest, identity: str, body: bytes, run: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """Runs a write, or replays the answer it had. A second request with the same key waits for the first."""
    key = request.headers.get(HEADER)
    if key is None:
        return run()
    if not (key.isascii() and key.isprintable() and 0 < len(key.strip()) <= len(key) <= LONGEST):
        raise Refusal.invalid([(HEADER, f"must be 1 to {LONGEST} printable ASCII characters")])
    asked = Request.of(caller=identity, method=str(request.method), path=request.get_full_path(), key=key, body=body)
    if (kept := idempotency.kept(asked)) is not None:
        return _replay(kept)
    answer = _in_one_turn(asked, run)
    if isinstance(answer, WriteAnswer) and answer.keeping.erased:
        storage.wipe()  # what a purge erased within the turn leaves the files when the turn has ended
    return answer


def _in_one_turn(asked: Request, run: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    with journal.turn():
        if (kept := idempotency.kept(asked)) is not None:
            return _replay(kept)
        answer = run()
        if not 200 <= answer.status_code < 300:
            transaction.set_rollback(True)
        elif isinstance(answer, HttpResponse):
            _keep(asked, answer)
        return answer


def _keep(asked: Request, answer: HttpResponse) -> None:
    keeping = answer.keeping if isinstance(answer, WriteAnswer) else Keeping()
    if keeping.preview:
        return
    idempotency.keep(
        asked,
        status=answer.status_code,
        answer=(keeping.stands_in or answer.content).decode(),
        operation_id=keeping.operation_id,
    )


def _replay(kept: Kept) -> HttpResponse:
    if not kept.answer:
        raise Refusal("conflict", "this was done before, and the answer it had was erased since; nothing is done again")
    answer = HttpResponse(kept.answer, status=kept.status, content_type="application/json")
    answer["Cache-Control"] = "no-store"
    answer[REPLAYED] = "true"
    return answer
