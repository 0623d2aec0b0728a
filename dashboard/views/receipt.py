"""The receipt of a rewind or a forget: the last step, told from the journal, so that it can be found again."""

from __future__ import annotations

from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from brain import jobs, journal
from brain.models import Operation
from brain.storage import AT_SCRUB
from brain.tokens import FORGET, MANAGE
from dashboard import roles
from dashboard.allowed import needs
from dashboard.journaling import ERASING, says
from dashboard.leftovers import BY_KIND, STORAGE
from dashboard.views.journal import changes_of

KINDS = ERASING | {"rewind", "forget"}
KEPT = "storage"  # in the session: what became of the bytes, by operation


@needs(MANAGE, FORGET)
def receipt(request: HttpRequest, number: int) -> HttpResponse:
    reader = roles.reader(request)
    operation = journal.operations(reader).filter(pk=number, kind__in=KINDS).first()
    if operation is None:
        raise Http404
    job = jobs.jobs(reader).filter(operation=operation).first() if operation.kind in ERASING else None
    context = {"operation": operation, "says": says(operation), "job": job, "leaves": BY_KIND.get(operation.kind)}
    context |= {"changes": [] if operation.kind in ERASING else changes_of(operation, reader)}
    return render(request, "journal/receipt.html", context | {"storage": _storage(request, operation)})


def keep_storage(request: HttpRequest, operation: Operation, storage: str) -> None:
    request.session[KEPT] = request.session.get(KEPT, {}) | {str(operation.pk): storage}


def _storage(request: HttpRequest, operation: Operation) -> str:
    """What became of the bytes: as this session was told, else what the database always does."""
    if operation.kind not in ERASING:
        return ""
    told = request.session.get(KEPT, {}).get(str(operation.pk))
    return STORAGE[told or AT_SCRUB] if told or connection.vendor == "postgresql" else ""
