"""What happens by itself while a server runs: passes of fading, waiting jobs, the end of old receipts.

Every server may run one. Each chore looks, within the writers' turn, whether it is still due, so that of several
servers exactly one does it; what was missed while no server ran is caught up.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from time import monotonic, sleep

from django.conf import settings
from django.db import DatabaseError, connection

from brain import jobs, journal, lifecycle, receipts
from brain.errors import BrainError, Busy
from brain.journal import turn
from brain.models import Operation
from brain.time import DAY

ACTOR = "scheduler"
HOUR = DAY // 24
PAUSE, LONG_PAUSE, MINUTE = 0.5, 10.0, 60.0  # seconds; the long one where the database does not answer
MOST_MISSED = 31  # passes of fading that one start catches up
log = logging.getLogger(__name__)


def start() -> None:
    threading.Thread(target=_run, name="scheduler", daemon=True).start()


def _run() -> None:
    looked = -MINUTE
    while True:
        chores: list[Callable[[], object]] = [jobs.run_waiting]
        if monotonic() - looked >= MINUTE:
            looked = monotonic()
            chores += [expire, decay, forget_receipts]
        done = [_try(chore) for chore in chores]
        sleep(PAUSE if all(done) else LONG_PAUSE)


def _try(chore: Callable[[], object]) -> bool:
    try:
        chore()
    except Busy:
        log.info("%s waits for a writer", chore.__name__)
        return False
    except (BrainError, DatabaseError, OSError) as error:
        log.warning("%s has to wait: %s", chore.__name__, error)
        connection.close()
        return False
    return True


def expire() -> None:
    """The hourly pass; one makes up for any number that were missed, since it counts from the last."""
    if _missed("expire", HOUR):
        with turn():
            if _missed("expire", HOUR):
                lifecycle.expire(actor=ACTOR)


def decay() -> None:
    """The daily pass, once for each day that was missed."""
    if _missed("decay", DAY):
        with turn():
            for _ in range(min(_missed("decay", DAY), MOST_MISSED)):
                lifecycle.decay(actor=ACTOR)


def _missed(kind: str, interval: int) -> int:
    """How many passes are due. The first is due an interval after the brain's first operation."""
    last = lifecycle.last_pass(kind)
    if last is not None:
        return (journal.now() - last) // interval
    first = Operation.objects.order_by("id").values_list("at", flat=True).first()
    return 0 if first is None else min(1, (journal.now() - first) // interval)


def forget_receipts() -> None:
    if settings.BRAIN_RECEIPT_DAYS:
        receipts.expire(settings.BRAIN_RECEIPT_DAYS)
