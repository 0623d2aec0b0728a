"""Writers take turns: one lock a brain, held to commit, so that operations commit in the order of their ids."""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from django.db import OperationalError, connection, transaction

from brain.errors import Busy

PATIENCE = 10.0  # seconds a writer waits for its turn
ADVISORY_LOCK = 0x70616C69  # any constant that all writers of a PostgreSQL brain share

_held = threading.local()
_LATE = "another writer holds the brain; nothing was stored, try again"


@contextmanager
def turn(patience: float = PATIENCE) -> Iterator[None]:
    """The writers' lock and a transaction; inside a turn it only nests. Raises Busy when the lock does not come."""
    if getattr(_held, "depth", 0):
        with transaction.atomic():
            yield
        return
    with _lock_file(patience), _transaction(patience):
        _held.depth = 1
        try:
            yield
        finally:
            _held.depth = 0


@contextmanager
def _transaction(patience: float) -> Iterator[None]:
    try:
        block = transaction.atomic()
        block.__enter__()
    except OperationalError as error:
        raise Busy(_LATE) from error
    try:
        if connection.vendor == "postgresql":
            _take_advisory_lock(patience)
        yield
    except BaseException as error:
        block.__exit__(type(error), error, error.__traceback__)
        raise
    else:
        block.__exit__(None, None, None)


def _take_advisory_lock(patience: float) -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = {int(patience * 1000)}")
            cursor.execute(f"SELECT pg_advisory_xact_lock({ADVISORY_LOCK})")
    except OperationalError as error:
        raise Busy(_LATE) from error


@contextmanager
def _lock_file(patience: float) -> Iterator[None]:
    """SQLite's own busy handler starves writers; a file lock in front of BEGIN IMMEDIATE queues them."""
    path = _lock_path()
    if path is None:
        yield
        return
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _flock(descriptor, patience)
        yield
    finally:
        os.close(descriptor)


def _lock_path() -> str | None:
    if connection.vendor != "sqlite":
        return None
    name = str(connection.settings_dict["NAME"])
    in_memory = ":memory:" in name or name.startswith("file:")
    return None if in_memory or connection.in_atomic_block else name + ".turn"


def _flock(descriptor: int, patience: float) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        _wait_for_flock(descriptor, patience)


def _wait_for_flock(descriptor: int, patience: float) -> None:
    """A blocking flock keeps its place in the kernel's queue but knows no time-out, so a thread waits in our place.

    The thread owns a duplicate of the descriptor: the lock lives until both are closed.
    """
    duplicate, taken, deadline = os.dup(descriptor), threading.Event(), monotonic() + patience

    def wait() -> None:
        try:
            fcntl.flock(duplicate, fcntl.LOCK_EX)
            if monotonic() < deadline:
                taken.set()
        finally:
            os.close(duplicate)

    threading.Thread(target=wait, daemon=True).start()
    if not taken.wait(patience):
        raise Busy(_LATE)


class _Rehearsed(Exception):
    """Carries a rehearsal to the place where everything it wrote is rolled back."""


@contextmanager
def rehearsal() -> Iterator[None]:
    """A turn that leaves no trace: what was written in it is seen within and rolled back at its end."""
    try:
        with turn():
            yield
            raise _Rehearsed
    except _Rehearsed:
        return
