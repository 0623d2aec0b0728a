"""Lists are paged at the instants of their first page; a cursor is good for the list and the caller it came from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.api.callers import FEB, JAN, MAR, READ, Agent, agent

pytestmark = pytest.mark.usefixtures("database")  # on SQLite and on PostgreSQL

LISTS = ["/facts", "/facts?order=-learned_at", "/history", "/operations", "/diff?from=2026-01-01", "/claims", "/scopes"]


def pages(by: Agent, path: str, limit: int) -> Iterator[Any]:
    join, cursor = "&" if "?" in path else "?", None
    while True:
        page = by.get(f"{path}{join}limit={limit}" + (f"&cursor={cursor}" if cursor else "")).json
        yield page
        cursor = page["next_cursor"]
        if cursor is None:
            return


def fill(by: Agent, number: int, start: int = JAN) -> None:
    """`number` keys in three scopes, one operation a scope, each with a value and a claim against it."""
    for scope in ("/s0", "/s1", "/s2"):
        keys = range(int(scope[-1]), number, 3)
        facts = [_saying(n, f"v{n}", start + n, scope) for n in keys]
        facts += [_saying(n, "claimed", start + number + n, scope) | {"source_kind": "turn"} for n in keys]
        assert not facts or by.post("/facts/batch", {"facts": facts}).status == 200


def _saying(n: int, value: str, learned_at: int, scope: str) -> dict[str, Any]:
    key = {"subject": f"subject {n:03}", "predicate": "p", "scope": scope}
    return {**key, "value": value, "learned_at": learned_at, "source": "s"}


@pytest.mark.parametrize("path", LISTS)
def test_pages_put_together_are_the_whole_list(operator: Agent, path: str) -> None:
    fill(operator, 7)
    whole = operator.get(path)["items"]
    assert len(whole) >= 3
    for limit in (1, 2, 3, len(whole)):
        assert [item for page in pages(operator, path, limit) for item in page["items"]] == whole


@pytest.mark.parametrize("path", LISTS)
def test_a_total_is_of_the_filter_and_not_of_the_page(operator: Agent, path: str) -> None:
    fill(operator, 5)
    whole, join = operator.get(path)["items"], "&" if "?" in path else "?"
    assert operator.get(f"{path}{join}limit=1&count=true")["total"] == len(whole)
    assert "total" not in operator.get(path).json


def test_what_is_written_between_two_pages_is_not_on_the_second(operator: Agent) -> None:
    fill(operator, 4)
    first = operator.get("/facts", limit=2)
    operator.say("later", subject="subject 003 and a half", predicate="p")
    operator.say("changed", MAR, subject="subject 003", predicate="p", scope="/s0")
    second = operator.get("/facts", limit=2, cursor=first["next_cursor"])
    assert [item["value"] for item in second["items"]] == ["v2", "v3"]
    assert (second["as_of"], second["known_at"]) == (first["as_of"], first["known_at"])


def test_a_cursor_is_refused_for_anything_but_its_own_list(operator: Agent) -> None:
    fill(operator, 3)
    cursor = operator.get("/facts", limit=1, as_of="2026-02-01")["next_cursor"]
    assert operator.get("/facts", limit=1, as_of="2026-02-01", cursor=cursor).status == 200
    assert operator.get("/facts", limit=2, cursor=cursor).status == 200
    other = agent("other", READ)
    for refused in (
        operator.get("/history", cursor=cursor),
        operator.get("/facts", cursor=cursor, subject="subject 001"),
        operator.get("/facts", cursor=cursor, order="-subject"),
        operator.get("/facts", cursor=cursor, scope="/s1"),
        operator.get("/facts", cursor=cursor, as_of="2026-03-01"),
        operator.get("/facts", cursor=cursor, known_at="op:1"),
        operator.get("/facts", cursor=cursor[:-1] + ("A" if cursor[-1] != "A" else "B")),
        other.get("/facts", cursor=cursor),
    ):
        assert (refused.status, refused.fields) == (422, {"cursor"}), refused.content


def test_the_cursor_of_one_chain_does_not_open_another(operator: Agent) -> None:
    for subject in ("a", "b"):
        operator.say("1", JAN, subject=subject)
        operator.say("2", FEB, subject=subject)
    one, other = (item["id"] for item in operator.get("/facts")["items"])
    cursor = operator.get(f"/facts/{one}/chain", limit=1)["next_cursor"]
    assert [item["value"] for item in operator.get(f"/facts/{one}/chain", cursor=cursor)["items"]] == ["2"]
    assert operator.get(f"/facts/{other}/chain", cursor=cursor).fields == {"cursor"}


def test_a_cursor_does_not_get_round_what_a_caller_may_not_ask(operator: Agent) -> None:
    fill(operator, 3)
    reader = agent("reader", READ)
    cursor = reader.get("/facts", limit=1)["next_cursor"]
    assert reader.get("/facts", cursor=cursor).status == 200
    assert reader.get("/facts", cursor=cursor, known_at="op:1").code == "forbidden"


def test_ten_times_the_rows_take_no_more_queries(operator: Agent) -> None:
    paths = [*LISTS, "/facts/1/chain", "/tokens", "/jobs", "/holds", "/timeline", "/export"]
    for start in (JAN, FEB):
        fill(operator, 3, start)
    few = {path: _queries(operator, path) for path in paths}
    fill(operator, 30, MAR)
    for n in range(20):
        operator.say(f"w{n}", MAR + n, subject="subject 000", predicate="p", scope="/s0")
    many = {path: _queries(operator, path) for path in paths}
    assert {path: number for path, number in many.items() if number > few[path]} == {}


def _queries(by: Agent, path: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        answer = by.get(path)
    assert answer.status == 200, answer.content
    return len(queries)


def test_a_long_value_makes_no_long_cursor(operator: Agent) -> None:
    for n in range(3):
        operator.say(f"{n}" * 60_000, subject=f"s{n}")
    pages_ = list(pages(operator, "/facts?order=-value", 1))
    assert [page["items"][0]["value"][0] for page in pages_] == ["2", "1", "0"]
    assert max(len(page["next_cursor"] or "") for page in pages_) < 4_000
