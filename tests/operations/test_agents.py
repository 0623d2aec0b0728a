"""Agents: tokens are handed out and shown once; what each reads, writes and may do is seen; it can be revoked."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from brain import journal, receipts, tokens
from brain.models import AgentToken
from tests.operations.conftest import queries, text, write

pytestmark = pytest.mark.django_db

GIVEN = {"name": "brief-writer", "grants": ["memory:read"], "rate": "200"}


def made(client: Client, **changed: object) -> str:
    page = client.post("/agents/new", GIVEN | changed)
    return re.findall(r'<code id="token">(.*?)</code>', page.content.decode())[0]


def test_a_token_is_shown_once_and_works(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("operator")
    plain = made(client, scope="/emea", as_of="9 Feb 2026")
    token = tokens.authenticate(plain)
    assert token is not None
    assert (token.name, token.scope, token.grants) == ("brief-writer", "/emea", ["memory:read"])
    assert token.owner == User.objects.get(username="operator")
    for path in ("/agents", "/agents/named/brief-writer"):
        assert plain not in client.get(path).content.decode()


def test_the_page_with_the_token_is_kept_by_no_cache(signed_in: Callable[[str], Client]) -> None:
    assert "no-store" in signed_in("operator").post("/agents/new", GIVEN)["Cache-Control"]


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"name": ""}, "required"),
        ({"name": "operator"}, "is the name of a user"),
        ({"name": "pricing-team"}, "is the name of another writer"),
        ({"grants": []}, "required"),
        ({"grants": ["everything"]}, "not one of the available choices"),
        ({"scope": "EMEA"}, "must be"),
        ({"as_of": "9 Feb 2026", "grants": ["memory:write"]}, "With a pinned as_of only"),
        ({"expires_at": "1 Jan 2001"}, "Must lie after now"),
        ({"rate": "-1"}, "greater than or equal"),
        ({"owner": "nobody"}, "There is no such user"),
    ],
)
def test_bad_input_makes_no_token(signed_in: Callable[[str], Client], changed: dict[str, object], says: str) -> None:
    write("Seats", "$1")
    answer = signed_in("operator").post("/agents/new", GIVEN | changed)
    assert answer.status_code == 422
    assert says in text(answer)
    assert AgentToken.objects.count() == 0


def test_a_new_text_ends_the_old_one(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("operator")
    old = made(client)
    page = client.post("/agents/named/brief-writer/rotate")
    new = re.findall(r'<code id="token">(.*?)</code>', page.content.decode())[0]
    assert tokens.authenticate(old) is None
    assert tokens.authenticate(new) is not None


def test_a_revoked_token_opens_nothing_and_stays_known(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("operator")
    plain = made(client)
    assert "is revoked" in text(client.post("/agents/named/brief-writer/revoke", follow=True))
    assert tokens.authenticate(plain) is None
    assert "1 token revoked or run out" in text(client.get("/agents"))
    assert client.post("/agents/named/brief-writer/rotate").status_code == 302
    assert tokens.authenticate(plain) is None


def test_reads_and_writes_of_an_agent_are_seen(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("operator")
    made(client)
    at = journal.resolve()
    for _ in range(3):
        receipts.leave(agent="brief-writer", scope="/", query={"kind": "recall", "subject": "x"}, at=at, fact_ids=[])
    receipts.drain()
    write("Seats", "$1", by="brief-writer")
    page = client.get("/agents")
    [agent] = page.context["agents"]
    assert (agent.today, agent.most) == (3, 3)
    assert agent.last_read is not None
    assert "Reads a day in the last 30 days: 3 today" in page.content.decode()
    detail = text(client.get("/agents/named/brief-writer"))
    assert "Seats list_price $1" in detail
    assert "What did it write?" in detail
    assert "Undo everything since…" in detail


def test_a_name_may_hold_anything(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("operator")
    made(client, name="crm/sync & co.")
    page = client.get("/agents").content.decode()
    address = re.findall(r'href="(/agents/named/[^"]+)"', page)[0]
    assert "crm/sync & co." in text(client.get(html.unescape(address)))


def test_an_agent_that_never_was_is_not_found(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("operator")
    assert client.get("/agents/named/nobody").status_code == 404
    assert client.post("/agents/named/nobody/revoke").status_code == 404
    assert client.post("/agents/named/nobody/rotate").status_code == 404


def test_ten_times_the_agents_take_no_more_queries(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("operator")
    made(client)
    few = queries(client, "/agents")
    for n in range(12):
        made(client, name=f"agent {n}")
    assert queries(client, "/agents") == few


def test_the_empty_page_teaches(signed_in: Callable[[str], Client]) -> None:
    assert "Hand out the first token…" in text(signed_in("operator").get("/agents"))
