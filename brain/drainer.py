"""One thread a server process moves receipts from the spool into the database within a second of their being left,
and does what else can wait a moment."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from time import sleep

from django.db import DatabaseError, connection

from brain import draining
from brain.errors import Busy

PAUSE = 0.5  # seconds
log = logging.getLogger(__name__)
_started = threading.Lock()


def start(*chores: Callable[[], object]) -> None:
    """Starts the thread, once a process; to be called by what serves agents, after any fork."""
    if _started.acquire(blocking=False):
        threading.Thread(target=_run, args=(draining.drain, *chores), name="receipts", daemon=True).start()


def _run(*chores: Callable[[], object]) -> None:
    while True:
        sleep(PAUSE)
        for chore in chores:
            _try(chore)


def _try(chore: Callable[[], object]) -> None:
    try:
        chore()
    except Busy:
        log.info("%s waits for a writer", chore.__name__)
    except (DatabaseError, OSError) as error:
        log.warning("%s has to wait: %s", chore.__name__, error)
        connection.close()
