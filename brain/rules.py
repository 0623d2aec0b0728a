"""How a new saying compares with what stands: the rules of succession and disagreement, as pure decisions."""

from __future__ import annotations

from brain.models import Fact
from brain.saying import CURATED, Saying

CONFIDENCE_FLOOR = 0.7


def is_standing(row: Fact, instant: int) -> bool:
    """True unless the row, which wins its track, is expired, forgotten or erased by then."""
    if row.erasure or is_forgotten(row):
        return False
    return row.expires_at is None or row.expires_at > instant


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


def lies_over_curated(said: Saying, standing: Fact) -> bool:
    """True for an experiential temporary saying whose period meets that of a curated value of the standing track."""
    if not said.temporary or said.curated or not is_curated(standing):
        return False
    begins, ends = said.learned_at or 0, said.expires_at or 0
    replaced = standing.superseded_at is not None and standing.superseded_at <= begins
    return standing.learned_at < ends and not replaced and is_standing(standing, begins)
