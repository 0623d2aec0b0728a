"""A real server over the test's database, which can be killed and started again on the same port."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.conf import settings

PATIENCE = 60.0  # seconds until a server answers


class Server:
    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it in a group of its own and returns once it answers; a port in use is tried again."""
        deadline = time.monotonic() + PATIENCE
        environment = {**os.environ, "SECRET_KEY": "for the tests of killing", "DEBUG": ""}
        command = [sys.executable, "manage.py", "serve", "--port", str(self.port), "--workers", "2"]
        while time.monotonic() < deadline:
            self.process = subprocess.Popen(
                command, cwd=settings.BASE_DIR, env=environment, stderr=subprocess.DEVNULL, start_new_session=True
            )
            while self.process.poll() is None and time.monotonic() < deadline:
                if self._alive():
                    return
                time.sleep(0.05)
        raise RuntimeError("the server did not start")

    def _alive(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        with suppress(OSError, http.client.HTTPException):
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
        return False

    def kill(self) -> None:
        """kill -9 of the server and every worker."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


@contextmanager
def server() -> Iterator[Server]:
    running = Server()
    try:
        running.start()
        yield running
    finally:
        running.kill()
