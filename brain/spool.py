"""The spool keeps a receipt from the moment it is left until the database has it; a killed process loses none.

One file takes the receipts of all processes, a line each, appended in a single write. Whoever drains it sets it aside
first: writers hold a shared lock for the length of one write, the drainer an exclusive one for the length of a rename.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import socket
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.db import connection

CURRENT, SET_ASIDE = "receipts.open", ".full"
log = logging.getLogger(__name__)


def directory() -> Path:
    """Where this brain's spool is: beside a SQLite file, else under BRAIN_SPOOL_DIR or the machine's temporary one."""
    place = connection.settings_dict
    name, named = str(place["NAME"]), os.environ.get("BRAIN_SPOOL_DIR")
    if connection.vendor == "sqlite" and not named and not name.startswith("file:") and ":memory:" not in name:
        return Path(name + ".spool")
    brain = quote(f"{place.get('HOST', '')}:{place.get('PORT', '')}:{name}", safe="")
    return Path(named or f"{tempfile.gettempdir()}/palimpsest-spool-{os.getuid()}") / brain


def host() -> str:
    """Begins the names of this machine's files: a database may be drained into from several."""
    return quote(socket.gethostname(), safe="")


def append(record: dict[str, Any]) -> bool:
    """True when the record will survive the death of this process."""
    line = f"\n{json.dumps(record, separators=(',', ':'))}\n".encode()  # an opening newline heals a torn line before it
    try:
        return _append(line, directory() / CURRENT)
    except OSError as error:
        log.error("a receipt could not be kept: %s", error)
        return False


def _append(line: bytes, path: Path) -> bool:
    while True:
        descriptor = _open(path)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH)
            if _leads_to(path, descriptor):
                return os.write(descriptor, line) == len(line)
        finally:
            os.close(descriptor)


def _open(path: Path) -> int:
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
    try:
        return os.open(path, flags, 0o600)
    except FileNotFoundError:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.parent.stat().st_uid != os.getuid():
            raise PermissionError(f"{path.parent} belongs to somebody else") from None
        return os.open(path, flags, 0o600)


def _leads_to(path: Path, descriptor: int) -> bool:
    """False once the file was set aside between opening and locking it."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    return False


def waiting() -> bool:
    """Whether any receipt has not reached the database yet."""
    with suppress(FileNotFoundError), os.scandir(directory()) as entries:
        return any(entry.stat().st_size for entry in entries)
    return False


def set_aside() -> list[Path]:
    """Closes the open file to writers; names all files that are closed, oldest first."""
    folder = directory()
    with suppress(FileNotFoundError):
        _close(folder / CURRENT, folder / f"{host()}-{time.time_ns()}-{os.getpid()}{SET_ASIDE}")
    return sorted(folder.glob(f"*{SET_ASIDE}"))


def _close(path: Path, aside: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if _leads_to(path, descriptor) and os.fstat(descriptor).st_size:
            path.rename(aside)
    finally:
        os.close(descriptor)


def records(path: Path) -> Iterator[dict[str, Any]]:
    """The records of a file that was set aside; a line that a full disk tore is left out and logged."""
    with suppress(FileNotFoundError), path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.strip():
                yield from _parsed(line, path)


def _parsed(line: str, path: Path) -> Iterator[dict[str, Any]]:
    try:
        yield json.loads(line)
    except ValueError:
        log.error("a torn receipt in %s was left out", path)


def remove(paths: Iterable[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
