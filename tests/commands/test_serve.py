"""serve starts only where it is safe to, answers with static files too, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from select import select
from urllib.request import urlopen

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command

from tests.commands.running import free_port, refused
from tests.databases import default_is, sqlite_file

PATIENCE = 60


@pytest.fixture
def place(django_db_blocker: pytest.FixtureRequest) -> Iterator[str]:
    """A database of its own, which processes see as well."""
    with sqlite_file() as url, default_is(url), django_db_blocker.unblock():
        call_command("migrate", verbosity=0)
        yield url


def test_without_a_secret_key_it_is_refused_with_a_sentence(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    assert refused("serve")[1] == "SECRET_KEY is not set: set it to a long random text before serving."


def test_a_database_with_the_sample_s_user_is_not_served(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "x" * 50)
    get_user_model().objects.create_user("demo")
    assert "holds the sample's user 'demo', so it is not served" in refused("serve")[1]


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [(("--host", "192.0.2.1"), "Cannot listen on 192.0.2.1"), (("--workers", "0"), "must be at least 1")],
)
def test_a_place_that_is_none_is_refused(
    place: str, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, str], rule: str
) -> None:
    monkeypatch.setenv("SECRET_KEY", "x" * 50)
    assert rule in refused("serve", *arguments)[1]


def test_a_database_that_lacks_tables_gets_them(monkeypatch: pytest.MonkeyPatch) -> None:
    with sqlite_file() as url:
        address, server = start(workers=1, DATABASE_URL=url)
        with urlopen(f"{address}/readyz") as answer:
            assert answer.status == 200
        _stop(server)


def test_static_files_are_served_under_digested_names_that_may_be_kept(place: str) -> None:
    address, server = start(workers=1)
    with urlopen(f"{address}/sign-in") as page:
        sheet = re.search(r'href="(/static/[^"]+\.css)"', page.read().decode())
    assert sheet is not None
    with urlopen(address + sheet[1]) as answer:
        assert answer.headers["Cache-Control"] == "max-age=31536000"
        assert answer.headers["Content-Type"].startswith("text/css")
    assert re.search(r"\.[0-9a-f]{12}\.css$", sheet[1])
    _stop(server)


def test_a_stopped_server_leaves_no_process_and_no_file(place: str, tmp_path: Path) -> None:
    _, server = start(TMPDIR=str(tmp_path))
    children = _children(server.pid)
    assert len(children) >= 2
    _stop(server)
    _await_ends(children)
    assert not list(tmp_path.glob("static-*"))


def test_workers_of_a_killed_server_end_by_themselves(place: str) -> None:
    _, server = start()
    children = _children(server.pid)
    server.kill()
    server.wait(PATIENCE)
    _await_ends(children)


def start(*, workers: int = 2, **environment: str) -> tuple[str, subprocess.Popen[str]]:
    """The address of a server, once it says that it serves, and its process."""
    command = [sys.executable, "manage.py", "serve", "--port", str(free_port()), "--workers", str(workers)]
    known = os.environ | {"SECRET_KEY": "a secret of the tests"} | environment
    server = subprocess.Popen(command, cwd=settings.BASE_DIR, env=known, stderr=subprocess.PIPE, text=True)
    timer = threading.Timer(PATIENCE, server.kill)
    timer.start()
    for line in server.stderr or ():
        if served := re.match(r"Serving on (http://[0-9.:]+)/", line):
            timer.cancel()
            return served[1], server
    raise AssertionError("the server did not start")


def _stop(server: subprocess.Popen[str]) -> None:
    server.send_signal(signal.SIGTERM)
    assert server.wait(PATIENCE) == 0


def _children(pid: int) -> list[int]:
    """Descriptors of the processes that the server started."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [os.pidfd_open(int(child)) for child in children]


def _await_ends(children: list[int]) -> None:
    for descriptor in children:
        assert select([descriptor], [], [], PATIENCE)[0] == [descriptor]
        os.close(descriptor)
