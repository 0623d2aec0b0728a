"""Who calls: a bearer token or a session; a wrong bearer is never replaced by the session that came with it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from brain import journal, tokens
from brain.errors import Conflict, Invalid
from brain.models import AgentToken
from brain.reader import Reader
from tests.api.callers import FORGET, JAN, MAR, READ, ROOT, WRITE, Agent, agent, answer_of


@pytest.fixture
def ada(db: None) -> User:
    user = User.objects.create_user("ada", password="not the default")
    user.groups.add(Group.objects.get_or_create(name="pricing")[0])
    return user


def session(user: User, *, csrf: bool = False) -> Client:
    client = Client(enforce_csrf_checks=csrf)
    client.force_login(user)
    return client


def test_a_token_is_known_by_its_text_alone_and_stored_as_a_hash(db: None) -> None:
    token, plain = tokens.issue("brief-writer", grants=[READ])
    assert Agent(plain).get("/me")["name"] == "brief-writer"
    stored = str(AgentToken.objects.filter(pk=token.pk).values().get())
    assert plain not in stored
    assert plain.removeprefix(tokens.PREFIX) not in stored


@pytest.mark.parametrize("header", ["Bearer nonsense", "Bearer ", "Bearer", "Basic YTpi", "nonsense", ""])
def test_a_wrong_bearer_never_falls_back_to_the_session(ada: User, header: str) -> None:
    client = session(ada)
    assert client.get(ROOT + "/me").status_code == 200
    answer = answer_of(client.get(ROOT + "/me", headers={"Authorization": header}))
    assert (answer.status, answer.code) == (401, "unauthenticated")


def test_a_revoked_token_opens_nothing_and_its_name_stays_taken(operator: Agent) -> None:
    writer = agent("writer", READ)
    assert operator.delete("/tokens/writer").status == 200
    assert writer.get("/me").status == 401
    assert operator.post("/tokens", {"name": "writer", "grants": [READ]}).code == "conflict"


def test_an_expired_token_opens_nothing(db: None) -> None:
    token, plain = tokens.issue("brief", grants=[READ], expires_at=journal.clock() + 60_000)
    assert Agent(plain).get("/me").status == 200
    AgentToken.objects.filter(pk=token.pk).update(expires_at=journal.clock() - 1)
    assert Agent(plain).get("/me").status == 401


def test_a_rotated_token_keeps_its_name_and_loses_its_old_text(db: None) -> None:
    old = tokens.issue("brief", grants=[READ])[1]
    new = tokens.rotate("brief", reader=Reader())
    assert Agent(old).get("/me").status == 401
    assert Agent(new).get("/me")["name"] == "brief"


def test_a_person_reads_with_their_session_and_writes_in_their_own_name(ada: User) -> None:
    client = session(ada)
    body = {"subject": "a", "predicate": "p", "value": "1", "source": "s"}
    stored = answer_of(client.post(ROOT + "/facts", body, content_type="application/json"))
    assert stored.status == 201
    assert (stored["fact"]["written_by"], stored["fact"]["source_kind"]) == ("ada", "upsert")
    seen = answer_of(client.get(ROOT + "/recall?subject=a"))
    assert [fact["value"] for fact in seen["facts"]] == ["1"]
    assert seen["receipt"] is None


def test_a_write_with_a_session_needs_a_csrf_token(ada: User) -> None:
    client, body = session(ada, csrf=True), {"subject": "a", "predicate": "p", "value": "1", "source": "s"}
    refused = answer_of(client.post(ROOT + "/facts", body, content_type="application/json"))
    assert (refused.status, refused.code) == (403, "forbidden")
    client.get("/sign-in")
    secret = client.cookies["csrftoken"].value if "csrftoken" in client.cookies else "0" * 32
    client.cookies["csrftoken"] = secret
    stored = client.post(ROOT + "/facts", body, content_type="application/json", headers={"X-CSRFToken": secret})
    assert stored.status_code == 201, stored.content


def test_somebody_without_a_role_may_do_nothing(db: None) -> None:
    client = session(User.objects.create_user("guest", password="not the default"))
    assert answer_of(client.get(ROOT + "/recall?subject=a")).code == "forbidden"


def test_a_role_opens_what_its_grants_open(ada: User) -> None:
    client = session(ada)
    assert client.get(ROOT + "/claims").status_code == 200
    assert answer_of(client.get(ROOT + "/operations")).code == "forbidden"
    assert (
        answer_of(client.post(ROOT + "/freeze", {"reason": "x"}, content_type="application/json")).code == "forbidden"
    )


def test_no_answer_invites_another_origin(operator: Agent) -> None:
    answer = operator.get("/me", headers={"Origin": "https://elsewhere.example"})
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]
    assert operator.send("OPTIONS", "/me").status == 405


# -- names, grants and terms


def test_a_token_never_takes_a_name_that_is_somebody_elses(ada: User, operator: Agent) -> None:
    operator.say("$1", written_by="pricing-team")
    for name in ("ada", "Ada", "pricing-team", "operator"):
        with pytest.raises(Conflict):
            tokens.issue(name, grants=[READ])


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"grants": []}, "grants"),
        ({"grants": ["memory:everything"]}, "grants"),
        ({"grants": [READ, WRITE], "as_of": JAN}, "grants"),
        ({"grants": [READ], "as_of": 1}, "as_of"),
        ({"grants": [READ], "expires_at": MAR - 1_000_000_000_000}, "expires_at"),
        ({"grants": [READ], "rate": -1}, "rate"),
        ({"grants": [READ], "scope": "emea"}, "scope"),
        ({"grants": [READ], "name": "  "}, "name"),
    ],
)
def test_bad_terms_are_named(db: None, terms: dict, field: str) -> None:
    with pytest.raises(Invalid) as refusal:
        tokens.issue(**{"name": "brief", **terms})
    assert [name for name, _ in refusal.value.errors] == [field]


def test_a_token_gives_no_more_than_it_holds(operator: Agent) -> None:
    manager = agent("manager", READ, "memory:manage", scope="/emea")
    give = {"name": "brief", "grants": [READ]}
    assert manager.post("/tokens", {**give, "grants": [READ, FORGET]}).code == "forbidden"
    assert manager.post("/tokens", {**give, "scope": "/apac"}).code == "forbidden"
    made = manager.post("/tokens", give)
    assert made.status == 201
    assert Agent(made["token"]).get("/me")["scope"] == "/emea"
    assert operator.get("/me")["scope"] == "/"


def test_a_token_sees_and_revokes_only_tokens_of_its_subtree(operator: Agent) -> None:
    manager = agent("manager", "memory:manage", scope="/emea")
    agent("elsewhere", READ, scope="/apac")
    assert [item["name"] for item in manager.get("/tokens")["items"]] == ["manager"]
    assert manager.delete("/tokens/elsewhere").content == manager.delete("/tokens/nobody").content.replace(
        b"nobody", b"elsewhere"
    )


def test_the_list_of_tokens_shows_no_text_of_one(operator: Agent) -> None:
    plain = operator.post("/tokens", {"name": "brief", "grants": [READ]})["token"]
    listed = operator.get("/tokens").content.decode()
    assert plain not in listed
    assert tokens._hash(plain) not in listed


def test_an_owner_must_be_a_user(ada: User, operator: Agent) -> None:
    body = {"name": "brief", "grants": [READ], "owner": "nobody"}
    assert operator.post("/tokens", body).fields == {"owner"}
    made = operator.post("/tokens", body | {"owner": "ada"})
    assert Agent(made["token"]).get("/me")["owner"] == "ada"
