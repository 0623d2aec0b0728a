"""Answers: what agents read and said; one answer explained in a sentence that can be quoted, with its evidence."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render as render_page

from brain import journal, receipts, tokens
from brain.errors import NotFound
from brain.models import Receipt
from brain.reader import Reader
from brain.recall import recall
from brain.tokens import AUDIT
from dashboard import roles, verification
from dashboard.allowed import needs
from dashboard.answering import asked_in_words, served
from dashboard.answers_filter import AnswersFilter
from dashboard.explaining import page
from dashboard.htmx import render

SIZE, MOST_AGENTS = 50, 500


@needs(AUDIT)
def answers_page(request: HttpRequest) -> HttpResponse:
    reader, filters = roles.reader(request), AnswersFilter(request.GET)
    context: dict[str, Any] = {"filters": filters, "agents": tokens.tokens(reader)[:MOST_AGENTS]}
    if filters.is_valid():
        context |= listed(request, reader, filters)
    status = 200 if filters.is_valid() else 422
    return render(request, "answers/page.html", context, partial="answers", status=status)


def listed(request: HttpRequest, reader: Reader, filters: AnswersFilter) -> dict[str, Any]:
    found = filters.receipts(reader)
    part = _after(found, request.GET.get("cursor", ""))
    rows = list(part[: SIZE + 1])
    older = rows[SIZE - 1].pk if len(rows) > SIZE else None
    answers = served(rows[:SIZE], audit=reader.audit)
    return {"answers": answers, "older": older, "later": part is not found, "total": found.count()}


def _after(found: QuerySet[Receipt], receipt_id: str) -> QuerySet[Receipt]:
    """What comes after a receipt in the list, newest first."""
    last = Receipt.objects.filter(pk=receipt_id).first() if receipt_id else None
    return found if last is None else found.filter(Q(at__lt=last.at) | Q(at=last.at, pk__gt=last.pk))


@needs(AUDIT)
def answer_page(request: HttpRequest, receipt_id: str) -> HttpResponse:
    reader = roles.reader(request)
    try:
        receipt = receipts.receipt(receipt_id, reader)
    except NotFound as missing:
        raise Http404(missing.detail) from missing
    explained = page(receipt, reader)
    context = {"page": explained, "receipt": receipt, "asked": asked_in_words(receipt)}
    context |= {"verification": verification.latest(), "address": request.build_absolute_uri(request.path)}
    context |= {"token": tokens.tokens(reader).filter(name=receipt.agent).first()}
    context |= {"gone": _erased_before(receipt, reader)}
    return render_page(request, "answers/answer.html", context)


def _erased_before(receipt: Receipt, reader: Reader) -> int | None:
    """Up to when history was erased of what the question was about, as at the instant that it asked about."""
    subject = receipt.query.get("subject")
    if not subject:
        return None
    at = journal.resolve(receipt.as_of, reader=reader)
    scope = receipt.query.get("scope", receipt.scope)
    return recall(subject, at=at, reader=reader, scope=scope, predicate=receipt.query.get("predicate")).forgotten_before
