"""One thread a server process moves receipts from the spool into the database within a second of their being left."""

from __future__ import annotations

import logging
import threading
from time import sleep

from django.db import DatabaseError, connection

from brain import receipts
from brain.errors import Busy

PAUSE = 0.5  # seconds
log = logging.getLogger(__name__)
_started = threading.Lock()


def start() -> None:
    """Starts the thread, once a process; to be called by what serves agents, after any fork."""
    if _started.acquire(blocking=False):
        threading.Thread(target=_run, name="receipts", daemon=True).start()


def _run() -> None:
    while True:
        sleep(PAUSE)
        try:
            receipts.drain()
        except Busy:
            log.info("receipts wait for a writer")
        except (DatabaseError, OSError) as error:
            log.warning("receipts wait in the spool: %s", error)
            connection.close()
