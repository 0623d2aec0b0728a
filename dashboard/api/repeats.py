"""A write that names an Idempotency-Key happens once; its answer is stored in the write's own transaction."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from brain import idempotency, journal
from brain.idempotency import Kept, Request
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
    with journal.turn():
        if (kept := idempotency.kept(asked)) is not None:
            return _replay(kept)
        answer = run()
        if 200 <= answer.status_code < 300:
            _keep(asked, cast(HttpResponse, answer))
        else:
            transaction.set_rollback(True)
        return answer


def _keep(asked: Request, answer: HttpResponse) -> None:
    """`operation_id` and `storable` were left on the answer: for a purge to find it, for a secret to stay one."""
    idempotency.keep(
        asked,
        status=answer.status_code,
        answer=getattr(answer, "storable", None) or answer.content.decode(),
        operation_id=getattr(answer, "operation_id", None),
    )


def _replay(kept: Kept) -> HttpResponse:
    answer = HttpResponse(kept.answer, status=kept.status, content_type="application/json")
    answer["Cache-Control"] = "no-store"
    answer[REPLAYED] = "true"
    return answer
