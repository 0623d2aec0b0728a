"""Retiring chosen facts: who may, and what would be said in their place."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest

from brain.errors import NotFound
from brain.models import Fact
from brain.reader import Reader
from brain.receipts import affected
from brain.retire import retract, standing
from brain.rewind import Rewound
from brain.tokens import FORGET, WRITE
from brain.turns import rehearsal, turn
from brain.whatif import answers, differences
from dashboard import roles
from dashboard.allowed import actor, may


def own_or_any(request: HttpRequest, ids: Sequence[int]) -> list[Fact]:
    """The latest sayings of the facts, when the person may take them back: their own, or with memory:forget anybody's.
    Raises Http404 and PermissionDenied."""
    try:
        rows = [standing(fact, roles.reader(request)) for fact in ids]
    except NotFound as missing:
        raise Http404(missing.detail) from missing
    own = may(request, WRITE) and all(row.written_by == actor(request) for row in rows)
    if not (own or may(request, FORGET)):
        raise PermissionDenied("Taking back what others wrote is for operators.")
    return rows


def retract_all(rows: Sequence[Fact], *, actor: str, reason: str, reader: Reader, dry_run: bool) -> Rewound:
    """Retracts each fact, an operation each, all or none; the outcome counts like a rewind's."""
    whole = rehearsal() if dry_run else turn()
    outcome, keys = Rewound(relied={row.origin_id for row in rows}), {row.key_id for row in rows}
    with whole:
        before = answers(keys)
        done = [retract(row.origin_id, actor=actor, reason=reason, reader=reader) for row in rows]
        outcome.changes = differences(before, answers(keys))
    outcome.retracted = sum(one.outcome == "retracted" for one in done)
    outcome.changed = len(outcome.changes)
    outcome.receipts_affected = affected(outcome.relied)
    return outcome
