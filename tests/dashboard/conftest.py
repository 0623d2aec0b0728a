"""People of each role, and a brain told through the public verbs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection
from django.test import Client

from brain.remember import Outcome, remember
from brain.saying import Saying


def on(text: str) -> int:
    """Epoch milliseconds of a date or a time in UTC."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def say(subject: str, predicate: str, value: str, since: str | None = None, **more: object) -> Outcome:
    given = {"source": "pricing-sheet", "written_by": "pricing-team"} | more
    if since is not None:
        given["learned_at"] = on(since)
    return remember(Saying(subject, predicate, value, **given), actor="pricing-team", reason="as told")  # type: ignore[arg-type]


def queries(client: Client, path: str, **headers: str) -> int:
    """How many SQL statements a page takes."""
    sent: list[str] = []

    def count(execute: Callable[..., object], sql: str, *rest: object) -> object:
        sent.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(count):
        assert client.get(path, headers=headers or None).status_code == 200
    return len(sent)


@pytest.fixture
def signed_in(db: None) -> Callable[[str], Client]:
    """A browser of somebody who holds the role."""

    def sign_in(role: str) -> Client:
        user, _ = User.objects.get_or_create(username=role)
        user.groups.add(Group.objects.get_or_create(name=role)[0])
        client = Client()
        client.force_login(user)
        return client

    return sign_in


@pytest.fixture
def reader(signed_in: Callable[[str], Client]) -> Client:
    return signed_in("reader")


@pytest.fixture
def auditor(signed_in: Callable[[str], Client]) -> Client:
    return signed_in("auditor")
