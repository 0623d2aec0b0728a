"""A brain with one agent's bad afternoon in it, people of each role, and what a page says as plain text."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from django.http import HttpResponse
from django.test import Client

from brain.models import Operation
from brain.remember import remember
from brain.saying import Saying
from tests.dashboard.conftest import on, queries, say, signed_in

__all__ = ["on", "queries", "say", "signed_in"]

PRICES = ["Backup", "Migration", "Overage", "Seats"]


@pytest.fixture(autouse=True)
def own_spool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAIN_SPOOL_DIR", str(tmp_path / "spool"))


def write(subject: str, value: str, *, by: str = "pricing-team", predicate: str = "list_price", **more: object) -> int:
    """Says it now; the operation's number."""
    said = Saying(subject, predicate, value, "price list", by, **more)  # type: ignore[arg-type]
    done = remember(said, actor=by, reason=f"{by} at work").operation
    assert done is not None
    return done.pk


def right_prices() -> None:
    for subject in PRICES:
        write(subject, "$100")


def bad_afternoon() -> int:
    """Four wrong prices of crm-sync among thirty good writes by others; the number of the last operation before."""
    before = Operation.objects.count()
    for n in range(34):
        if n % 8 == 4:
            write(PRICES[n // 8], "$1", by="crm-sync")
        else:
            write(f"Product {n}", f"${n}", by=["pricing-team", "legal-desk"][n % 2])
    return before


def text(answer: HttpResponse) -> str:
    """The words of a page as they are read, without marks, in one line."""
    body = re.sub(r"<(script|style)\b.*?</\1>", "", answer.content.decode(), flags=re.S)
    body = re.sub(r"</?(?:a|b|bdi|code|del|output|time)\b[^>]*>", "", body)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def confirm(client: Client, path: str, **changed: str) -> HttpResponse:
    """Looks at the preview, then confirms it as it asks to be confirmed."""
    page = client.get(path, follow=True)
    hidden = dict(re.findall(r'name="(seen|expected|rows|took)" value="([\w.]+)"', page.content.decode()))
    given = hidden | {"reason": "Wrong column mapped", "count": hidden["expected"]} | changed
    query = page.request["QUERY_STRING"]
    return client.post(f"{page.request['PATH_INFO']}?{query}", given)
