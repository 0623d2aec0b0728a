"""Who comes in, what the browser is told to refuse, and what each role is shown."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from dashboard import roles
from tests.dashboard.conftest import say

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["/", "/subjects/Seat", "/admin/auth/user/", "/?as_of=2026-02-09"])
def test_a_stranger_is_sent_to_the_sign_in_page(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 302
    assert "/sign-in?next=" in answer.headers["Location"] or "/admin/login" in answer.headers["Location"]


def test_signing_in_leads_back_to_where_one_wanted_to_go(client: Client) -> None:
    user = User.objects.create_user("ann", password="a long secret")
    user.groups.add(Group.objects.get_or_create(name="reader")[0])
    form = {"username": "ann", "password": "a long secret", "next": "/?as_of=2026-02-09T00:00:00.000Z"}
    assert client.post("/sign-in", form).headers["Location"] == form["next"]
    assert client.get("/").status_code == 200
    assert client.post("/sign-out").status_code == 302
    assert client.get("/").status_code == 302


def test_a_wrong_password_is_said_on_the_page(client: Client) -> None:
    answer = client.post("/sign-in", {"username": "ann", "password": "wrong"})
    assert 'role="alert"' in answer.content.decode()


def test_an_account_without_a_role_reads_nothing(client: Client) -> None:
    client.force_login(User.objects.create_user("new"))
    answer = client.get("/")
    assert answer.status_code == 403
    assert "no role yet" in answer.content.decode()


def test_every_page_forbids_inline_code_and_other_hosts(client: Client, reader: Client) -> None:
    say("Seat", "list_price", "$36")
    for answer in (client.get("/sign-in"), reader.get("/"), reader.get("/subjects/Seat"), reader.get("/subjects/No")):
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        html = answer.content.decode()
        assert " style=" not in html
        assert "<script>" not in html
        assert " onclick" not in html


def test_the_groups_that_are_roles_are_made_by_a_migration() -> None:
    from importlib import import_module

    names = import_module("dashboard.migrations.0001_roles").ROLES
    assert set(names) == roles.GRANTS.keys()


def test_roles_open_what_the_api_says_they_do(signed_in: Callable[[str], Client]) -> None:
    held = {}
    for role in roles.GRANTS:
        signed_in(role)
        held[role] = roles.grants(User.objects.get(username=role))
    assert held["reader"] == {"memory:read"}
    assert held["pricing"] == {"memory:read", "memory:write", "write:curated"}
    assert held["auditor"] == {"memory:read", "audit:read"}
    assert held["operator"] == held["administrator"] == roles.EVERYTHING
    assert roles.grants(User.objects.create_superuser("root")) == roles.EVERYTHING
    assert roles.grants(User.objects.create_user("gone", is_active=False)) == frozenset()


def test_times_are_in_the_zone_that_the_browser_named_else_in_the_brains(reader: Client) -> None:
    path = "/?as_of=2026-07-09T13:32:00.000Z"
    say("Seat", "list_price", "$36", "2025-01-01")
    assert "Thu 9 Jul 2026, 13:32 UTC" in reader.get(path).content.decode()
    reader.cookies["zone"] = "Europe/London"
    html = reader.get(path).content.decode()
    assert "Thu 9 Jul 2026, 14:32 BST" in html
    assert 'title="2026-07-09T13:32:00.000Z"' in html
    reader.cookies["zone"] = "../../etc/passwd"
    assert "13:32 UTC" in reader.get(path).content.decode()


def test_links_to_other_pages_carry_the_instant(reader: Client) -> None:
    say("Seat", "list_price", "$36", "2025-01-01")
    html = reader.get("/?as_of=2026-02-09T00:00:00.000Z").content.decode()
    assert 'href="/subjects/Seat?as_of=2026-02-09T00:00:00.000Z"' in html
    assert 'href="/?as_of=2026-02-09T00:00:00.000Z"' in html
