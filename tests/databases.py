"""The databases of a test run: a SQLite file and a PostgreSQL database, both made for the run and gone after it.

While one of them is the default connection, DATABASE_URL names it, so that processes started by a test meet the same
brain.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import psycopg
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.db import connections

from dashboard.settings import _database as database_settings

PATIENCE = 30  # seconds for a PostgreSQL server to start


class Missing(Exception):
    """There is no PostgreSQL to run on."""


@contextmanager
def default_is(url: str) -> Iterator[None]:
    """The default connection, here and in processes started from here, leads to `url`; then back to where it led."""
    before, before_url = dict(settings.DATABASES["default"]), os.environ.get("DATABASE_URL")
    _lead_to(_configuration(url), url)
    try:
        yield
    finally:
        _lead_to(before, before_url)


def _configuration(url: str) -> dict[str, object]:
    os.environ["DATABASE_URL"] = url
    return database_settings()


def _lead_to(configuration: dict[str, object], url: str | None) -> None:
    connections["default"].close()
    del connections["default"]
    settings.DATABASES["default"].clear()
    settings.DATABASES["default"].update(configuration)
    connections.configure_settings(settings.DATABASES)
    ContentType.objects.clear_cache()
    if url is None:
        os.environ.pop("DATABASE_URL", None)
    else:
        os.environ["DATABASE_URL"] = url


@contextmanager
def sqlite_file() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="palimpsest-") as directory:
        yield f"sqlite:///{directory}/brain.db"


@contextmanager
def postgresql_database() -> Iterator[str]:
    """A fresh, empty database on the server of TEST_DATABASE_URL, or on a throw-away one."""
    server = os.environ.get("TEST_DATABASE_URL")
    with _given(server) if server else _throw_away_server() as url:
        base, name = url.rsplit("/", 1)[0], f"palimpsest_test_{os.getpid()}"
        with closing(psycopg.connect(url, autocommit=True)) as admin:
            admin.execute(f'CREATE DATABASE "{name}"')
        yield f"{base}/{name}"
        with closing(psycopg.connect(url, autocommit=True)) as admin:
            admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def _given(url: str) -> Iterator[str]:
    yield url


# Reads its input, which ends with the tests however they end; so neither a server nor a file is left behind.
KEEPER = '"$@" & server=$!; read -r _; kill -INT $server; wait $server; rm -rf data log; cd / && rmdir "$OLDPWD"'


@contextmanager
def _throw_away_server() -> Iterator[str]:
    """A server of its own on a Unix socket, without fsync; run by an unprivileged user when we are root."""
    programs = _programs()
    directory = Path(tempfile.mkdtemp(prefix="palimpsest-pg-"))
    drop = _unprivileged(directory) | {"cwd": directory}
    try:
        initdb = [programs / "initdb", "-D", "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"]
        subprocess.run([*initdb, "--no-sync"], check=True, stdout=subprocess.DEVNULL, **drop)
        options = {"listen_addresses": "", "unix_socket_directories": directory, "fsync": "off", "max_connections": 60}
        postgres = [programs / "postgres", "-D", "data", *(f"--{name}={value}" for name, value in options.items())]
        command = ["sh", "-c", f"({KEEPER}) >log 2>&1", "sh", *postgres]
        with subprocess.Popen(command, stdin=subprocess.PIPE, **drop) as server:
            url = f"postgresql://postgres@{quote(str(directory), safe='')}/postgres"
            _await(url, server)
            yield url
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _programs() -> Path:
    """Where initdb and postgres are: on the PATH, or the newest of Debian's versions."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if not versions:
        raise Missing("no PostgreSQL: neither TEST_DATABASE_URL nor initdb in PATH or /usr/lib/postgresql/*/bin")
    return versions[-1].parent


def _unprivileged(directory: Path) -> dict[str, object]:
    """Arguments for subprocess that give up root, which PostgreSQL refuses to run as."""
    if os.geteuid() != 0:
        return {}
    user = next(entry for entry in pwd.getpwall() if entry.pw_name in {"postgres", "nobody"})
    os.chown(directory, user.pw_uid, user.pw_gid)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _await(url: str, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while server.poll() is None and time.monotonic() < deadline:
        with suppress(psycopg.OperationalError), closing(psycopg.connect(url)):
            return
        time.sleep(0.05)
    raise RuntimeError("the throw-away PostgreSQL server did not start")
