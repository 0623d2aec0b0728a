"""Fading: a pass is one row of the journal however many facts it concerns, and edits none of them."""

from __future__ import annotations

from django.db.models import F, Max, Q

from brain.journal import operation
from brain.models import Fact, Operation
from brain.policy import FADING, Fading


def decay(*, actor: str, fading: Fading = FADING) -> Operation:
    """One step of fading: the pass keeps its factors, and importance is computed from the passes on reading."""
    factors = {name: category.factor for name, category in fading.items()}
    with operation("decay", actor=actor, details={"factors": factors}) as entry:
        fade = [name for name, factor in factors.items() if factor != 1]
        entry.count(affected=Fact.objects.content().filter(retracted_in__isnull=True, category__in=fade).count())
    return entry.row


def expire(*, actor: str) -> Operation:
    """Notes how many facts ran out since the last pass; reads honour every expiry to the millisecond without it."""
    with operation("expire", actor=actor) as entry:
        since = Operation.objects.filter(kind="expire", pk__lt=entry.id).aggregate(at=Max("at"))["at"] or 0
        ran_out = Fact.objects.content().filter(
            Q(superseded_at__isnull=True) | Q(superseded_at__gt=F("expires_at")),
            expires_at__gt=since,
            expires_at__lte=entry.at,
            retracted_in__isnull=True,
            claim=False,
        )
        entry.count(affected=ran_out.count())
    return entry.row


def last_pass(kind: str) -> int | None:
    """The instant of the last pass of a kind (expire or decay), epoch milliseconds."""
    instant: int | None = Operation.objects.filter(kind=kind).aggregate(at=Max("at"))["at"]
    return instant
