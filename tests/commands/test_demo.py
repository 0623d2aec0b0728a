"""demo: one command from nothing to a sample brain that a browser and an agent can read."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest
from django.conf import settings
from django.contrib.auth import authenticate
from django.core.management import call_command

from brain import tokens
from brain.models import Fact, Operation, Receipt
from brain.reader import EVERYTHING
from brain.verdicts import explain
from brain.verify import check
from dashboard import demo
from tests.commands.running import facts, free_port, values
from tests.databases import default_is, sqlite_file

PATIENCE = 60


@pytest.fixture
def sample(django_db_blocker: pytest.FixtureRequest) -> Iterator[demo.Keys]:
    with sqlite_file() as url, default_is(url), django_db_blocker.unblock():
        call_command("migrate", verbosity=0)
        yield demo.prepare()


def test_the_renewal_s_story_is_told_as_it_is(sample: demo.Keys) -> None:
    renewal = ("Tier 2 renewal", "list_price")
    assert [values(day).get(renewal) for day in ("2026-01-11", "2026-02-09", "2026-03-03")] == [
        None,
        "$4,200",
        "$3,600",
    ]
    rows = Fact.objects.about(*renewal).order_by("learned_at")
    assert [(row.value, row.source, row.written_by) for row in rows] == [
        ("$4,200", "pricing-sheet", "pricing-team"),
        ("$3,600", "pricing-sheet", "pricing-team"),
    ]


def test_around_it_everything_happens_that_the_pages_can_show(sample: demo.Keys) -> None:
    assert 60 <= Fact.objects.count() <= 150
    assert all(facts(status=status) for status in ("scheduled", "covered", "superseded", "claim"))
    assert Fact.objects.filter(forgotten_in__isnull=False).exists()
    assert Fact.objects.filter(erasure="retention").exists()
    assert Fact.objects.filter(retracted_in__isnull=False).exists()
    assert Operation.objects.filter(kind="place_hold").exists()
    verdicts = {receipt.answer: explain(receipt, EVERYTHING).verdict for receipt in Receipt.objects.all()}
    assert verdicts["A Tier 2 renewal is $4,200 a year."] == "superseded"
    assert set(verdicts.values()) == {"forgotten", "corrected", "superseded", "no_record", "holds"}
    assert check() == []


def test_a_second_run_keeps_the_brain_and_gives_new_keys(sample: demo.Keys) -> None:
    before = Operation.objects.count()
    again = demo.prepare()
    assert Operation.objects.count() == before
    assert authenticate(username="demo", password=sample.password) is None
    assert authenticate(username="demo", password=again.password) is not None
    assert tokens.authenticate(sample.token) is None
    assert tokens.authenticate(again.token) is not None


def test_the_command_serves_it_and_prints_what_opens_it(tmp_path: Path) -> None:
    project = _copy(tmp_path)
    with _running(project) as printed:
        shown = dict(re.findall(r"^  (open|user|password|token) +(\S+)$", printed, re.MULTILINE))
        assert set(shown) == {"open", "user", "password", "token"}
        question = f"api/v1/recall?subject={quote('Tier 2 renewal')}&as_of=2026-02-09"
        request = Request(shown["open"] + question, headers={"Authorization": f"Bearer {shown['token']}"})
        with urlopen(request) as answer:
            assert [fact["value"] for fact in json.load(answer)["facts"]] == ["$4,200"]
    assert (project / "data" / "demo.db").exists()


def _copy(directory: Path) -> Path:
    """The project without anybody's data."""
    for name in ("brain", "dashboard", "templates", "static"):
        shutil.copytree(settings.BASE_DIR / name, directory / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(settings.BASE_DIR / "manage.py", directory)
    return directory


@contextmanager
def _running(project: Path) -> Iterator[str]:
    """What the command has printed by the time it serves."""
    command = [sys.executable, "manage.py", "demo", "--port", str(free_port())]
    with subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, text=True) as server:
        timer = threading.Timer(PATIENCE, server.kill)
        timer.start()
        try:
            yield "".join(takewhile(lambda line: "api/v1/recall" not in line, server.stdout or ()))
        finally:
            timer.cancel()
            server.send_signal(signal.SIGINT)
