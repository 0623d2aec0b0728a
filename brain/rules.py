"""How a new saying compares with what stands: the rules of succession and disagreement, as reads."""

from __future__ import annotations

from django.db.models import Q

from brain.models import Fact
from brain.querysets import unexpired
from brain.saying import CURATED, Saying

CONFIDENCE_FLOOR = 0.7


def incumbent(key_id: int, learned_at: int, *, temporary: bool) -> Fact | None:
    """The row that wins its track at `learned_at`, unless it is expired, forgotten or erased by then."""
    winner = (
        Fact.objects.filter(key_id=key_id, temporary=temporary, retracted_in__isnull=True, claim=False)
        .filter(learned_at__lte=learned_at)
        .order_by("-learned_at", "-origin_id")
        .first()
    )
    if winner is None or winner.erasure or is_forgotten(winner):
        return None
    return None if winner.expires_at is not None and winner.expires_at <= learned_at else winner


def is_forgotten(row: Fact) -> bool:
    return row.forgotten_in_id is not None and row.restored_in_id is None


def is_curated(row: Fact) -> bool:
    return row.source_kind in CURATED


def says_the_same(said: Saying, stands: Fact, *, dated: bool) -> bool:
    """True when the saying adds nothing: the brain only notes that it was affirmed.

    `dated`: the writer named the saying's `learned_at`.
    """
    if said.value != stands.value:
        return False
    if is_curated(stands) and not said.curated:
        return True
    same = said.expires_at == stands.expires_at and said.category == stands.category
    return same and said.curated == is_curated(stands) and (not dated or said.learned_at == stands.learned_at)


def disagrees(said: Saying, stands: Fact) -> bool:
    """True when the saying is no succession but a claim against `stands`."""
    if said.value == stands.value:
        return False
    if said.curated == is_curated(stands):
        return said.confidence < CONFIDENCE_FLOOR or said.confidence < stands.confidence
    return not said.curated


def lies_over_curated(said: Saying, key_id: int) -> bool:
    """True for an experiential temporary saying whose period meets a curated standing value."""
    if not said.temporary or said.curated:
        return False
    begins, ends = said.learned_at or 0, said.expires_at or 0
    withheld = Q(forgotten_in__isnull=False, restored_in__isnull=True)
    return (
        Fact.objects.filter(key_id=key_id, temporary=False, retracted_in__isnull=True, claim=False, erasure=None)
        .filter(Q(superseded_at__isnull=True) | Q(superseded_at__gt=begins), unexpired(begins))
        .filter(learned_at__lt=ends, source_kind__in=CURATED)
        .exclude(withheld)
        .exists()
    )
