"""`manage.py serve` as a process of its own, over the database that the test runs on."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.request import urlopen

from django.conf import settings

PATIENCE = 60  # seconds until it must answer


@contextmanager
def serving(*, workers: int = 2, **environment: str) -> Iterator[str]:
    """The address of a server that answers; it is stopped at the end of the block."""
    address, server = start(workers=workers, **environment)
    try:
        yield address
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(PATIENCE)


def start(*, workers: int = 2, **environment: str) -> tuple[str, subprocess.Popen[bytes]]:
    """A server that answers, and its process; it leads a process group of its own."""
    port = _free_port()
    command = [sys.executable, "manage.py", "serve", "--port", str(port), "--workers", str(workers)]
    known = os.environ | {"SECRET_KEY": "a secret of the tests"} | environment
    server = subprocess.Popen(command, cwd=settings.BASE_DIR, env=known, start_new_session=True)
    address = f"http://127.0.0.1:{port}"
    try:
        _await(address, server)
    except RuntimeError:
        server.kill()
        raise
    return address, server


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _await(address: str, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while server.poll() is None and time.monotonic() < deadline:
        try:
            with urlopen(f"{address}/readyz", timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server did not start")
