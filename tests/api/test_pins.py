"""A token pinned to one instant reads nothing that was learned, done or asked later, by any route and parameter."""

from __future__ import annotations

import pytest

from brain import tokens
from tests.api.callers import AUDIT, FEB, JAN, READ, TIER, Agent, agent
from tests.api.routes import ROUTES, Route

SECRET = "ZQX-LATER-7731"
PINNED = [
    route for route in ROUTES if route.grants & tokens.READING and (route.method == "GET" or route.path == "/recall")
]
INSTANTS = {"as_of", "known_at", "known_from", "known_to"}


@pytest.fixture
def pinned(operator: Agent) -> Agent:
    """Pinned to 9 February 2026; everything that holds SECRET is later."""
    operator.say("$4,200", JAN, expires_at="2027-01-01")
    operator.say(SECRET, "2026-03-03", source=SECRET, reason=SECRET)
    operator.say(SECRET, "2026-03-03", subject=SECRET, scope="/later")
    operator.say("claim", "2026-03-04", source_kind="turn", source=SECRET)
    operator.say("x", "2026-03-03", subject=TIER.upper())
    fact = operator.say("short", JAN, subject="ended")
    operator.post(f"/facts/{fact}/end", {"at": "2026-05-01", "reason": SECRET})
    return agent("historian", READ, AUDIT, as_of=FEB)


@pytest.mark.parametrize("route", PINNED, ids=str)
def test_no_read_tells_of_anything_later(route: Route, pinned: Agent) -> None:
    for at in ("1", "2"):
        tries = [{}, *({name: value} for name in route.parameters for value in _values(name))]
        for more in tries:
            answer = route.asked(pinned, at=at, **more)
            assert SECRET not in _without_question(answer, more), (at, more)


def _values(name: str) -> list[str]:
    known = {
        "status": ["all", "scheduled", "superseded", "claim"],
        "order": ["-learned_at", "value"],
        "q": [SECRET],
        "subject": [SECRET, TIER],
        "value": [SECRET],
        "source": [SECRET],
        "to": ["2099-01-01"],
        "from": ["2000-01-01"],
        "count": ["true"],
        "recursive": ["true"],
        "scope": ["/", "/later"],
        "limit": ["500"],
        "format": ["csv", "ndjson"],
    }
    return known.get(name, [])


def _without_question(answer, asked: dict[str, str]) -> str:
    text = answer.content.decode() + str(dict(answer.headers))
    return text.replace(f'"subject":"{SECRET}"', "") if asked.get("subject") == SECRET else text


def test_what_a_fact_became_later_is_not_shown(pinned: Agent) -> None:
    fact = pinned.recall()["facts"][0]
    assert fact["value"] == "$4,200"
    later = ("expires_at", "superseded_by", "superseded_at", "recorded_at", "retracted_at", "operation")
    assert {name: fact[name] for name in later} == dict.fromkeys(later)
    assert (fact["status"], fact["contested"]) == ("current", False)


@pytest.mark.parametrize("route", PINNED, ids=str)
def test_a_pinned_caller_chooses_no_instant(route: Route, pinned: Agent) -> None:
    for name in sorted(INSTANTS & route.parameters):
        refused = route.asked(pinned, **{name: "2026-01-20"})
        assert (refused.status, refused.code) == (403, "as_of_pinned"), name


def test_the_pin_itself_may_be_named(pinned: Agent) -> None:
    assert pinned.values(as_of="2026-02-09") == ["$4,200"]
    assert pinned.post("/recall", {"subjects": [TIER], "as_of": "2026-02-09"}).status == 200
    assert pinned.post("/recall", {"subjects": [TIER], "as_of": "2026-02-10"}).code == "as_of_pinned"
    assert pinned.post("/recall", {"subjects": [TIER], "known_at": "op:1"}).code == "as_of_pinned"


def test_totals_and_suggestions_end_at_the_pin(pinned: Agent) -> None:
    assert pinned.get("/facts", count="true", status="all")["total"] == 2
    assert pinned.get("/history", count="true", subject=TIER)["total"] == 1
    assert pinned.recall(TIER.lower())["similar"] == [TIER]
    assert pinned.get("/operations", count="true")["total"] == 0


def test_a_fact_learned_later_is_as_good_as_none(pinned: Agent) -> None:
    later, never = pinned.get("/facts/2"), pinned.get("/facts/999")
    assert later.content == never.content.replace(b"999", b"2")


def test_a_period_is_cut_to_the_pin(pinned: Agent) -> None:
    assert pinned.get("/timeline", to="2099-01-01")["buckets"][-1]["to"] <= "2026-02-09T00:00:00.001Z"
    changes = pinned.get("/diff", from_="2026-01-01", to="2099-01-01")["items"]
    assert [item["after"]["value"] for item in changes] == ["$4,200", "short"]


def test_a_cursor_of_another_caller_does_not_unpin(pinned: Agent, operator: Agent) -> None:
    cursor = operator.get("/facts", limit=1)["next_cursor"]
    assert pinned.get("/facts", cursor=cursor).fields == {"cursor"}
