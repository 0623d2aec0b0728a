"""A token for one subtree learns nothing of another: no value, no total, no look-alike, no reason, not that it is."""

from __future__ import annotations

import pytest

from brain import tokens
from tests.api.callers import FEB, JAN, MAR, TIER, Agent, agent
from tests.api.routes import BODIES, ROUTES, Route

SECRET = "ZQX-APAC-7731"
APAC, EMEA = "/apac", "/emea/pricing"
SCOPED = [route for route in ROUTES if "scope" in route.parameters]


@pytest.fixture
def emea(operator: Agent) -> Agent:
    """Every grant in /emea; everything that holds SECRET is in /apac."""
    operator.say(SECRET, JAN, scope=APAC, source=SECRET, written_by=SECRET, reason=SECRET)
    operator.say(SECRET + "2", MAR, scope=APAC, subject=SECRET)
    operator.say("look-alike", JAN, scope=APAC, subject=TIER.lower())
    operator.say("claim", FEB, scope=APAC, source_kind="turn", source=SECRET)
    operator.post("/holds", {"selector": {"subject": SECRET, "scope": APAC}, "reason": SECRET})
    tokens.issue("apac-reader", grants=["memory:read"], scope=APAC)
    operator.say("$4,200", JAN, scope=EMEA)
    return agent("emea", scope="/emea")


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_no_route_tells_of_another_subtree(route: Route, emea: Agent) -> None:
    for at in ("1", "2"):
        for more in [{}, *({name: value} for name in sorted(route.parameters) for value in _values(name))]:
            answer = route.asked(emea, at=at, **more)
            text = answer.content.decode() + str(dict(answer.headers))
            if SECRET in more.values():
                text = text.replace(f'"subject":"{SECRET}"', "")
            assert SECRET not in text, (at, more)


def _values(name: str) -> list[str]:
    known = {
        "status": ["all", "claim", "superseded"],
        "q": [SECRET],
        "subject": [SECRET, TIER],
        "value": [SECRET],
        "count": ["true"],
        "recursive": ["true"],
        "as_of": ["2026-02-20"],
        "known_at": ["op:3"],
        "scope": ["/emea", EMEA, "/emea/unheard-of"],
    }
    return known.get(name, [])


@pytest.mark.parametrize("route", SCOPED, ids=str)
def test_a_scope_outside_is_forbidden_whether_or_not_it_exists(route: Route, emea: Agent) -> None:
    for scope in (APAC, "/never-was", "/", "/emeaa"):
        refused = route.asked(emea, scope=scope)
        assert (refused.status, refused.code) == (403, "forbidden"), scope


def test_a_write_outside_is_forbidden_whether_or_not_the_scope_exists(emea: Agent) -> None:
    for scope in (APAC, "/never-was", "/"):
        selector = {"selector": {"subject": TIER, "scope": scope}, "reason": "x"}
        for refused in (
            emea.remember("x", scope=scope),
            emea.post("/recall", {"subjects": [TIER], "scope": scope}),
            emea.post("/freeze", {"scope": scope, "reason": "x"}),
            emea.post("/scopes", {"scope": scope}),
            emea.post("/forget", selector),
            emea.post("/forget", {"scope": scope, "recursive": True, "reason": "x"}),
            emea.post("/forget", {"scope": scope, "superseded_before": "2026-01-01", "reason": "x"}),
            emea.post("/holds", selector),
            emea.post("/rewind", {"to": "op:0", "scope": scope, "reason": "x"}),
            emea.post("/tokens", {"name": "n", "grants": ["memory:read"], "scope": scope}),
        ):
            assert (refused.status, refused.code) == (403, "forbidden"), (scope, refused.content)


def test_an_id_outside_answers_like_one_that_does_not_exist(emea: Agent) -> None:
    for method, path in [(route.method, route.path) for route in ROUTES if "{fact_id}" in route.path]:
        body = BODIES.get(path)
        there, never = (_asked(emea, method, path.replace("{fact_id}", at), body) for at in ("1", "999"))
        assert (there.status, there.code) == (404, "not_found"), path
        assert there.content == never.content.replace(b"999", b"1")


def _asked(by: Agent, method: str, path: str, body: object):
    return by.post(path, body) if method == "POST" else by.send(method, path)


def test_the_default_scope_is_the_callers_own(emea: Agent) -> None:
    assert emea.remember("x", subject="new")["fact"]["scope"] == "/emea"
    assert emea.recall()["scope"] == "/emea"
    assert {item["scope"] for item in emea.get("/facts")["items"]} == {"/emea", EMEA}
    assert emea.get("/facts", recursive="false", count="true")["total"] == 1
    assert emea.get("/facts", scope=EMEA, count="true")["total"] == 1


def test_forget_and_rewind_act_in_the_callers_subtree(emea: Agent, operator: Agent) -> None:
    assert emea.post("/forget", {"selector": {"subject": TIER}, "reason": "x"})["matched"] == 1
    assert emea.post("/forget", {"selector": {"ids": [1, 2]}, "reason": "x"})["matched"] == 0
    emea.say("more", JAN, subject="more")
    assert emea.post("/rewind", {"to": "op:0", "reason": "x"})["retracted"] == 2
    assert operator.values(scope=APAC) == [SECRET]


def test_a_pass_over_the_whole_brain_takes_the_whole_brain(emea: Agent, operator: Agent) -> None:
    for kind in ("expire", "decay"):
        assert emea.post(f"/lifecycle/{kind}").code == "forbidden"
        assert operator.post(f"/lifecycle/{kind}").status == 200
