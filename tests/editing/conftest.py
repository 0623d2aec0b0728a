"""People of each role, and what a form sends back when nobody touches the fields."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from tests.dashboard.conftest import signed_in

__all__ = ["signed_in"]

FIELD = re.compile(r'<input[^>]*name="(?P<name>[^"]+)"[^>]*>')


@pytest.fixture
def pricing(signed_in: Callable[[str], Client]) -> Client:
    return signed_in("pricing")


@pytest.fixture
def auditor(signed_in: Callable[[str], Client]) -> Client:
    return signed_in("auditor")


def attribute(tag: str, name: str) -> str | None:
    found = re.search(rf'\s{name}(?:="([^"]*)")?(?=[\s>/])', tag)
    return None if found is None else found[1] or ""


def fields(html: str) -> dict[str, str]:
    """The first form's fields as a browser would send them, buttons left out."""
    form = re.search(r'<form class="edit-form".*?</form>', html, re.S)
    sent: dict[str, str] = {}
    for found in FIELD.finditer(form[0] if form else html):
        tag = found[0]
        if 'type="radio"' in tag and attribute(tag, "checked") is None:
            continue
        sent[found["name"]] = (attribute(tag, "value") or "").replace("&amp;", "&")
    for name, text in re.findall(r'<textarea[^>]*name="([^"]+)"[^>]*>\n?(.*?)</textarea>', html, re.S):
        sent[name] = text
    sent.pop("over", None)
    return sent
