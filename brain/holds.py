"""A legal hold makes the facts that match it unforgettable until it is lifted; placing and lifting are operations."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from brain import saying, selectors
from brain.errors import NotFound
from brain.journal import operation
from brain.models import Fact, LegalHold, Operation
from brain.querysets import under
from brain.reader import Reader
from brain.selectors import Selector


def holds(reader: Reader) -> QuerySet[LegalHold]:
    """The holds in force in this reader's subtree."""
    return LegalHold.objects.filter(under(reader.scope, "scope"), lifted_in__isnull=True)


def place(selector: Selector, *, actor: str, reason: str, reader: Reader) -> tuple[LegalHold, Operation]:
    """Puts facts that match, now or later, in the reader's subtree on hold."""
    reason = saying.reason(reason, required=True)
    scope = selector.scope or reader.scope
    with operation("place_hold", actor=actor, reason=reason, scope=scope, details=selector.given()) as entry:
        hold = LegalHold.objects.create(
            selector=selector.given(), scope=scope, reason=reason, placed_by=actor, placed_in_id=entry.id
        )
        entry.count(holds=1)
    return hold, entry.row


def lift(hold_id: int, *, actor: str, reason: str = "", reader: Reader) -> Operation:
    """Ends a hold. Raises NotFound, the same for what lies elsewhere and what never was."""
    with operation("lift_hold", actor=actor, reason=saying.reason(reason), details={"hold": hold_id}) as entry:
        hold = holds(reader).filter(pk=hold_id).first()
        if hold is None:
            raise NotFound(f"there is no hold {hold_id}")
        entry.widen(hold.scope)
        LegalHold.objects.filter(pk=hold_id).update(lifted_in=entry.id)
        entry.count(holds=1)
    return entry.row


def held() -> Q:
    """The condition on sayings that their fact is on hold."""
    condition = Q(pk__in=[])
    for hold in LegalHold.objects.filter(lifted_in__isnull=True):
        origins = selectors.parse(hold.selector).matches(hold.scope).order_by().values("origin_id")
        condition |= Q(origin__in=origins)
    return condition


def is_held(fact_id: int) -> bool:
    return Fact.objects.filter(held(), origin=fact_id).exists()
