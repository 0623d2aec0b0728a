"""Which grant opens which route is one table; this walks it against the routes there are."""

from __future__ import annotations

import pytest

from brain import tokens
from dashboard.api.grants import CLAIMS
from dashboard.api.grants import ROUTES as TABLE
from tests.api.callers import ROOT, Agent, agent, answer_of
from tests.api.routes import ROUTES, Route

EACH = pytest.mark.parametrize("route", ROUTES, ids=str)


def test_every_route_is_in_the_table_and_nothing_else_is() -> None:
    assert {(route.method, route.path) for route in ROUTES} == set(TABLE)


def test_the_table_names_only_grants_that_exist() -> None:
    assert set().union(*TABLE.values()) <= {*tokens.GRANTS, CLAIMS}


@EACH
def test_no_route_answers_without_a_caller(route: Route, db: None, client) -> None:
    answer = answer_of(client.generic(route.method, ROOT + route.url()))
    assert (answer.status, answer.code) == (401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@EACH
def test_a_route_is_closed_to_every_grant_but_its_own(route: Route, db: None) -> None:
    others = [grant for grant in tokens.GRANTS if grant not in route.grants]
    answer = route.asked(agent("stranger", *others))
    assert (answer.status, answer.code) == (403, "forbidden"), answer.content


@EACH
def test_each_of_its_grants_alone_opens_a_route(route: Route, db: None) -> None:
    for grant in sorted(route.grants - {CLAIMS}):
        answer = route.asked(agent(f"holder of {grant}", grant))
        assert "this takes" not in answer.content.decode(), answer.content


@EACH
def test_bad_input_is_named_before_a_missing_grant(route: Route, db: None) -> None:
    others = [grant for grant in tokens.GRANTS if grant not in route.grants]
    answer = route.asked(agent("stranger", *others), surprise="1")
    assert (answer.status, answer.code, answer.fields) == (422, "invalid", {"surprise"})


def test_a_known_at_is_for_auditors(operator: Agent) -> None:
    operator.say("$4,200")
    reader = agent("reader", "memory:read")
    for path in ("/recall?subject=a&", "/facts?", "/history?", "/facts/1?", "/timeline?", "/export?"):
        answer = reader.get(f"{path}known_at=op:1")
        assert (answer.status, answer.code) == (403, "forbidden"), path
    assert reader.get("/diff", from_="2026-01-01", known_from="op:1").code == "forbidden"
    assert reader.post("/recall", {"subjects": ["a"], "known_at": "op:1"}).code == "forbidden"
