"""Bad input is refused by the name of the field and the rule it broke; nothing is stored and nothing breaks."""

from __future__ import annotations

import json

import pytest

from tests.api.callers import TIER, Agent
from tests.api.routes import ROUTES, Route

pytestmark = pytest.mark.usefixtures("database")  # on SQLite and on PostgreSQL

SAYING = {"subject": "s", "predicate": "p", "value": "v", "source": "here"}
HUGE = 10**30


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"subject": ""}, "subject"),
        ({"subject": "\u00a0 "}, "subject"),
        ({"subject": "x" * 513}, "subject"),
        ({"subject": "é" * 257}, "subject"),
        ({"predicate": "x" * 257}, "predicate"),
        ({"value": "x" * 65_537}, "value"),
        ({"value": "a\x00b"}, "value"),
        ({"value": "a\x07b"}, "value"),
        ({"subject": "a\x00b"}, "subject"),
        ({"source": 7}, "source"),
        ({"source": None}, "source"),
        ({"value": ["v"]}, "value"),
        ({"written_by": " "}, "written_by"),
        ({"learned_at": "2026-03-03T12:00:00"}, "learned_at"),
        ({"learned_at": 1788000000}, "learned_at"),
        ({"learned_at": 1788000000000000}, "learned_at"),
        ({"learned_at": HUGE}, "learned_at"),
        ({"learned_at": 1.5}, "learned_at"),
        ({"learned_at": True}, "learned_at"),
        ({"learned_at": "soon"}, "learned_at"),
        ({"learned_at": "2026-13-01"}, "learned_at"),
        ({"learned_at": {}}, "learned_at"),
        ({"learned_at": "2026-03-03", "expires_at": "2026-03-03"}, "expires_at"),
        ({"temporary": True}, "expires_at"),
        ({"temporary": "true"}, "temporary"),
        ({"temporary": None}, "temporary"),
        ({"category": "gossip"}, "category"),
        ({"source_kind": "rumour"}, "source_kind"),
        ({"confidence": 1.5}, "confidence"),
        ({"confidence": "1"}, "confidence"),
        ({"confidence": HUGE}, "confidence"),
        ({"scope": "emea"}, "scope"),
        ({"scope": "/EMEA"}, "scope"),
        ({"scope": "/emea/"}, "scope"),
        ({"scope": "/a" * 9}, "scope"),
        ({"expected_current": HUGE}, "expected_current"),
        ({"expected_current": "1"}, "expected_current"),
        ({"reason": "x" * 5000}, "reason"),
        ({"colour": "red"}, "colour"),
        ({"ID": 1}, "ID"),
    ],
)
def test_a_fact_with_one_bad_field_is_refused_by_its_name(operator: Agent, change: dict, field: str) -> None:
    refused = operator.post("/facts", SAYING | change)
    assert (refused.status, refused.code, refused.fields) == (422, "invalid", {field}), refused.content
    assert operator.get("/operations")["items"] == []


def test_every_bad_field_is_named_at_once(operator: Agent) -> None:
    refused = operator.post("/facts", {"subject": " ", "value": 1, "source": "s", "learned_at": "soon", "x": 1})
    assert refused.fields == {"subject", "predicate", "value", "learned_at", "x"}


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"nonsense",
        b"[]",
        b'"text"',
        b"null",
        b"\xff\xfe{}",
        b"\xef\xbb\xbf{}",
        b'{"subject": "caf\xe9"}',
        b'{"value": NaN}',
        b'{"confidence": Infinity}',
        b'{"confidence": 1e999}',
        b'{"confidence": ' + b"9" * 5000 + b"}",
        b"[" * 50_000,
        b'{"a":' * 20_000,
    ],
)
def test_a_body_that_is_no_json_object_is_named_as_the_body(operator: Agent, raw: bytes) -> None:
    refused = operator.send("POST", "/facts", raw)
    assert (refused.status, refused.code, refused.fields) == (422, "invalid", {"body"}), refused.content


@pytest.mark.parametrize(("name", "field"), [("value", "value"), ("s\\ud800", "s\ud800")])
def test_a_lone_surrogate_is_named_where_it_stands(operator: Agent, name: str, field: str) -> None:
    body = json.dumps(SAYING)[:-1] + f', "{name}": "a\\ud800b"}}'
    refused = operator.send("POST", "/facts", body.encode())
    assert (refused.status, refused.code) == (422, "invalid")
    assert refused.fields == {field}


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("subject=a&colour=red", "colour"),
        ("subject=a&subject=b", "subject"),
        ("subject=", "subject"),
        ("subject=%20", "subject"),
        ("", "subject"),
        ("subject=a%00b", "subject"),
        ("subject=a%ED%A0%80", "query"),
        ("subject=%FF", "query"),
        ("subject=a&predicate=", "predicate"),
        ("subject=a&as_of=", "as_of"),
        ("subject=a&as_of=2026-03-03T12:00:00", "as_of"),
        ("subject=a&as_of=99", "as_of"),
        ("subject=a&as_of=" + "9" * 5000, "as_of"),
        ("subject=a&as_of=op:1", "as_of"),
        ("subject=a&known_at=op:", "known_at"),
        ("subject=a&known_at=op:-1", "known_at"),
        ("subject=a&known_at=op:1.5", "known_at"),
        ("subject=a&known_at=op:99", "known_at"),
        ("subject=a&known_at=2099-01-01", "known_at"),
        ("subject=a&recursive=maybe", "recursive"),
        ("subject=a&scope=emea", "scope"),
        ("subject=" + "x" * 513, "subject"),
        ("&".join(f"a{n}=1" for n in range(60)), "query"),
    ],
)
def test_a_bad_parameter_is_refused_by_its_name(operator: Agent, query: str, field: str) -> None:
    refused = operator.get(f"/recall?{query}")
    assert (refused.status, refused.code, refused.fields) == (422, "invalid", {field}), refused.content


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/facts?limit=0", "limit"),
        ("/facts?limit=501", "limit"),
        ("/facts?limit=many", "limit"),
        ("/facts?status=lost", "status"),
        ("/facts?order=colour", "order"),
        ("/facts?count=yes", "count"),
        ("/facts?cursor=", "cursor"),
        ("/facts?cursor=nonsense", "cursor"),
        ("/facts?q=", "q"),
        ("/facts?q=a%1Cb", "q"),
        ("/diff", "from"),
        ("/diff?from=soon", "from"),
        ("/timeline?buckets=0", "buckets"),
        ("/timeline?from=2026-03-03&to=2026-01-01", "to"),
        ("/export?format=pdf", "format"),
        ("/operations?from=1", "from"),
        ("/facts/1?colour=red", "colour"),
    ],
)
def test_a_bad_parameter_of_another_read_is_refused_by_its_name(operator: Agent, path: str, field: str) -> None:
    refused = operator.get(path)
    assert (refused.status, refused.code, refused.fields) == (422, "invalid", {field}), refused.content


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"body", "reason"}),
        ({"reason": "x"}, {"body"}),
        ({"selector": {}, "reason": "x"}, {"selector"}),
        ({"selector": {"subject": None}, "reason": "x"}, {"selector"}),
        ({"selector": {"colour": "red"}, "reason": "x"}, {"selector.colour"}),
        ({"selector": {"ids": []}, "reason": "x"}, {"selector.ids"}),
        ({"selector": {"ids": [HUGE]}, "reason": "x"}, {"selector.ids.0"}),
        ({"selector": {"ids": ["1"]}, "reason": "x"}, {"selector.ids.0"}),
        ({"selector": {"subject": "a"}}, {"reason"}),
        ({"selector": {"subject": "a"}, "reason": " "}, {"reason"}),
        ({"selector": {"subject": "a"}, "superseded_before": "2026-01-01", "reason": "x"}, {"body"}),
        ({"superseded_before": "2026-01-01", "purge": True, "reason": "x"}, {"purge"}),
        ({"superseded_before": "2026-01-01", "basis": "mood", "reason": "x"}, {"basis"}),
        ({"scope": "/emea", "reason": "x"}, {"body"}),
        ({"recursive": True, "reason": "x"}, {"scope"}),
        ({"scope": "/emea", "recursive": False, "reason": "x"}, {"recursive"}),
    ],
)
def test_a_forget_that_is_not_one_whole_form_is_refused(operator: Agent, body: dict, fields: set[str]) -> None:
    operator.say("v", subject="a")
    refused = operator.post("/forget", body)
    assert (refused.status, refused.code) == (422, "invalid"), refused.content
    assert refused.fields
    assert refused.fields <= fields
    assert operator.values("a") == ["v"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"reason": "x"}, "to"),
        ({"to": "op:1", "operations": [1], "reason": "x"}, "to"),
        ({"to": "op:99", "reason": "x"}, "to"),
        ({"to": "2099-01-01", "reason": "x"}, "to"),
        ({"operations": [99], "reason": "x"}, "operations"),
        ({"to": "op:0"}, "reason"),
    ],
)
def test_a_rewind_to_nowhere_is_refused(operator: Agent, body: dict, field: str) -> None:
    operator.say("v")
    refused = operator.post("/rewind", body)
    assert (refused.status, refused.code, refused.fields) == (422, "invalid", {field})


@pytest.mark.parametrize("at", ["0", "999999999", str(HUGE), "9" * 5000])
def test_an_id_that_names_nothing_is_not_found(operator: Agent, at: str) -> None:
    for path in (f"/facts/{at}", f"/facts/{at}/chain", f"/operations/{at}", f"/jobs/{at}"):
        assert (operator.get(path).status, operator.get(path).code) == (404, "not_found")
    for path in (f"/facts/{at}/retract", f"/facts/{at}/restore", f"/claims/{at}/accept", f"/claims/{at}/reject"):
        assert operator.post(path, {"reason": "x"}).code == "not_found"
    assert operator.post(f"/facts/{at}/end", {"at": None, "reason": "x"}).code == "not_found"
    assert operator.delete(f"/holds/{at}").code == "not_found"


@pytest.mark.parametrize("at", ["abc", "-1", "1.5", "%00", "1/2/3", "%FF"])
def test_what_is_no_id_is_not_found(operator: Agent, at: str) -> None:
    answer = operator.get(f"/facts/{at}")
    assert (answer.status, answer.code) == (404, "not_found")


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_every_route_names_an_unknown_parameter(route: Route, operator: Agent) -> None:
    refused = route.asked(operator, surprise="1")
    assert (refused.status, refused.code, refused.fields) == (422, "invalid", {"surprise"})


@pytest.mark.parametrize("route", [route for route in ROUTES if route.method == "POST"], ids=str)
def test_every_write_names_an_unknown_field(route: Route, operator: Agent) -> None:
    refused = operator.post(route.url(), {"surprise": 1})
    assert (refused.status, refused.code) == (422, "invalid")
    assert "surprise" in refused.fields


def test_recalling_many_takes_one_to_a_hundred_subjects(operator: Agent) -> None:
    assert operator.post("/recall", {"subjects": []}).fields == {"subjects"}
    assert operator.post("/recall", {"subjects": ["a"] * 101}).fields == {"subjects"}
    assert operator.post("/recall", {"subjects": [TIER, " "]}).fields == {"subjects.1"}
    assert operator.post("/recall", {"subjects": "a"}).fields == {"subjects"}
