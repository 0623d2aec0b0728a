"""What is purged is gone from every file: on SQLite when the purge returns, on PostgreSQL after `manage.py scrub`."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from django.core.management import call_command
from django.db import connection

from brain import staging, tokens, verify
from tests import databases
from tests.api.callers import Agent

SECRET = "ZQX-PURGE-7731"
SUBJECT = "Project Heron"
HEAD = "subject,predicate,value,source,written_by,learned_at\n"


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: object) -> Iterator[str]:
    """The address of a database of the test's own, so that its files hold nothing else."""
    opened = databases.sqlite_file() if request.param == "sqlite" else _own_server()
    try:
        with opened as url, databases.default_is(url), django_db_blocker.unblock():
            call_command("migrate", verbosity=0)
            yield url
    except databases.Missing as missing:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(missing))


def _own_server() -> object:
    return databases._throw_away_server()


def _teach(directory: Path) -> tuple[Agent, int]:
    """A fact that left its value wherever it can: imported, ended, superseded, searched, answered, named in reasons."""
    sheet = directory / "sheet.csv"
    sheet.write_text(f"{HEAD}{SUBJECT},code,{SECRET},sheet,ann,2026-01-12\nother,code,stays,sheet,ann,2026-01-12\n")
    call_command("import_facts", str(sheet), verbosity=0)
    operator = Agent(tokens.issue("operator", grants=[grant for grant in tokens.GRANTS if grant != "delete:direct"])[1])
    served = operator.get("/recall", subject=SUBJECT)
    operator.post(f"/receipts/{served['receipt']}/answer", {"text": f"The code is {SECRET}."})
    fact = served["facts"][0]["id"]
    for mode in ("text", "hybrid"):
        operator.get("/search", q=SECRET, mode=mode)
    operator.get("/facts", q=SECRET)
    end = {"at": "2027-01-01", "reason": f"{SECRET} runs out"}
    assert operator.post(f"/facts/{fact}/end", end, key="end-once").status == 200
    note = {"subject": "note", "predicate": "about", "value": "x", "source": "s", "reason": f"see {SECRET}"}
    operator.post("/facts", note)
    later = {"subject": SUBJECT, "predicate": "code", "value": "clean", "source": "sheet", "learned_at": "2026-03-03"}
    operator.post("/facts", later)
    asked = operator.post("/tools/memory_delete", {"traceId": f"mt_{fact}", "reason": f"{SECRET} is stale"})
    assert asked.status == 202
    staging.stage("sheet.csv", [sheet.read_bytes()], owner="ann", most=1_000)
    call_command("export_facts", "--history", str(directory / "out.csv"), verbosity=0)
    assert SECRET in (directory / "out.csv").read_text()
    return operator, fact


def _holding(files: Iterator[Path]) -> list[str]:
    return [str(file) for file in files if file.is_file() and SECRET.encode() in file.read_bytes()]


@pytest.mark.parametrize("form", ["ids", "text"])
def test_no_file_holds_what_was_purged(place: str, form: str, tmp_path: Path) -> None:
    operator, fact = _teach(tmp_path)
    if connection.vendor == "sqlite":
        assert _holding(_files())
    selector = {"ids": [fact]} if form == "ids" else {"q": SECRET}
    purged = operator.post("/forget", {"selector": selector, "purge": True, "reason": "a customer asked"})
    assert (purged["matched"], purged["purged"]) == (1, 1)
    if connection.vendor == "sqlite":
        assert purged["storage"] == "erased"
        assert _holding(_files()) == []
    else:
        assert purged["storage"] == "at the next scrub"
        call_command("scrub", verbosity=0)
        assert SECRET not in _dumped(place)
        assert _holding(_cluster(place).rglob("*")) == []
    assert operator.get("/recall", subject="other")["facts"][0]["value"] == "stays"
    assert verify.check() == []


def _files() -> Iterator[Path]:
    return Path(connection.settings_dict["NAME"]).parent.rglob("*")


def _dumped(url: str) -> str:
    program = databases._programs() / "pg_dump"
    return subprocess.run([program, url], check=True, capture_output=True, text=True).stdout


def _cluster(url: str) -> Path:
    """The server's base directory; its write-ahead log lies elsewhere and keeps what it has."""
    connection.cursor().execute("CHECKPOINT")
    return Path(unquote(urlsplit(url).hostname or "")) / "data" / "base"
