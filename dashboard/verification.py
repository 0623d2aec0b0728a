"""Whether the journal's chain verifies: checked on demand, and what was found last is kept, with its instant."""

from __future__ import annotations

from brain import journal, verify
from brain.turns import turn
from dashboard.models import Verification

MOST_PROBLEMS = 50
KEPT = 20


def latest() -> Verification | None:
    return Verification.objects.first()


def run() -> Verification:
    """Checks everything that `manage.py verify` checks. Takes as long as it takes; reads and writes go on."""
    up_to = journal.last_id()
    problems = verify.check()[:MOST_PROBLEMS]
    with turn():
        done = Verification.objects.create(up_to=up_to, at=journal.clock(), problems=problems)
        kept = Verification.objects.values_list("pk", flat=True)[:KEPT]
        Verification.objects.exclude(pk__in=list(kept)).delete()
    return done
