"""The rules as data: every case holds through the API, in the process and over HTTP, on both databases."""

from __future__ import annotations

from typing import Any

import pytest

from brain import tokens
from tests.agents.serving import server
from tests.conformance.doors import InProcess, OverHttp
from tests.conformance.player import Case, cases

FILES = ("seed.json", "time.json", "retire.json", "disagree.json")
CASES = [pytest.param(case, id=f"{file}: {case['name']}") for file in FILES for case in cases(file)]


def everything() -> str:
    """A token that may do everything everywhere."""
    return tokens.issue("conformance", grants=tokens.GRANTS, rate=0)[1]


@pytest.mark.usefixtures("database", "db")
@pytest.mark.parametrize("case", CASES)
def test_case(case: dict[str, Any]) -> None:
    Case(InProcess(everything()), case).play()


@pytest.mark.usefixtures("database", "transactional_db")
def test_every_case_over_http() -> None:
    token = everything()
    with server() as running:
        door = OverHttp(f"http://127.0.0.1:{running.port}", token)
        for file in FILES:
            for case in cases(file):
                Case(door, case).play()
