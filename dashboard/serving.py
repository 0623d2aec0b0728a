"""The production server: granian's WSGI workers, each a process of its own; static files never reach Python."""

from __future__ import annotations

import multiprocessing
import os
import socket
import tempfile
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic, sleep

from django.contrib.staticfiles.management.commands import collectstatic
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from django.core.management import call_command
from django.db import connections
from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

from dashboard import scheduler

THREADS = 8  # a worker's requests under way at once, each with its own database connection
YEAR = 365 * 24 * 3600  # file names carry their digest, so they may be cached for good
PATIENCE_AT_START = 60  # seconds until the first answer
PATIENCE = 10  # seconds that requests under way get when the server stops


def serve(*, host: str, port: int, workers: int, ready: Callable[[], None]) -> None:
    """Serves until SIGINT or SIGTERM. `host` is an address that `address` has checked; `ready` is called once requests
    are answered."""
    with tempfile.TemporaryDirectory(prefix="static-") as root:
        collect_static(Path(root))
        os.environ["BRAIN_STATIC_ROOT"] = root
        multiprocessing.set_start_method("spawn", force=True)  # a forked worker would share our connections
        connections.close_all()
        scheduler.start()
        threading.Thread(target=_announce, args=(host, port, ready), daemon=True).start()
        Granian(
            "dashboard.worker:application",
            address=host,
            port=port,
            interface=Interfaces.WSGI,
            workers=workers,
            blocking_threads=THREADS,
            blocking_threads_idle_timeout=600,
            websockets=False,
            respawn_failed_workers=True,
            workers_kill_timeout=PATIENCE,
            static_path_route=["/static"],
            static_path_mount=[Path(root)],
            static_path_expires=YEAR,
            log_level=LogLevels.error,
        ).serve()


def _announce(host: str, port: int, ready: Callable[[], None]) -> None:
    deadline = monotonic() + PATIENCE_AT_START
    while monotonic() < deadline:
        with closing(HTTPConnection(host, port, timeout=PATIENCE_AT_START)) as connection, suppress(OSError):
            connection.request("GET", "/healthz")
            connection.getresponse()
            return ready()
        sleep(0.05)
    return None


def collect_static(root: Path) -> None:
    """Copies the static files to `root` under names that carry their digest."""
    command = collectstatic.Command()
    command.storage = ManifestStaticFilesStorage(location=root)
    call_command(command, interactive=False, verbosity=0)


def address(host: str, port: int) -> str:
    """The numeric address of `host`. Raises OSError when nothing can listen there."""
    family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(place)
    return str(place[0])
