"""Whatever goes wrong under /api/ is a problem document (RFC 9457) with a code, never a page."""

from __future__ import annotations

import pytest
from django.test import Client

from dashboard.api.errors import MEDIA_TYPE, PROBLEMS
from tests.api.callers import ROOT, Agent, Answer, answer_of


def is_problem(answer: Answer, status: int, code: str) -> bool:
    known = {"type", "title", "status", "detail", "code"}
    document = answer.json
    return (
        answer.headers["Content-Type"] == MEDIA_TYPE
        and known <= document.keys() <= known | {"errors"}
        and (answer.status, document["status"], document["code"]) == (status, status, code)
    )


@pytest.mark.parametrize("path", ["/api/v1/nothing", "/api/v1/", "/api/v2/facts", "/api/v1/facts/", "/api/<script>"])
def test_an_unknown_route_is_not_found(operator: Agent, path: str) -> None:
    assert is_problem(answer_of(operator.client.get(path)), 404, "not_found")


@pytest.mark.parametrize(("method", "path"), [("PUT", "/facts"), ("DELETE", "/recall"), ("GET", "/forget")])
def test_a_wrong_method_is_405_and_names_the_right_ones(operator: Agent, method: str, path: str) -> None:
    answer = operator.send(method, path)
    assert is_problem(answer, 405, "method_not_allowed")
    assert answer.headers["Allow"]


def test_a_body_beyond_a_mebibyte_is_too_large(operator: Agent) -> None:
    assert is_problem(operator.send("POST", "/facts", b" " * (1024 * 1024 + 1)), 413, "too_large")


def test_a_batch_may_have_ten_mebibytes(operator: Agent) -> None:
    assert operator.send("POST", "/facts/batch", b" " * (2 * 1024 * 1024)).status == 422
    assert is_problem(operator.send("POST", "/facts/batch", b" " * (10 * 1024 * 1024 + 1)), 413, "too_large")


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=latin-1",
        "",
    ],
)
def test_a_body_that_is_not_json_by_name_is_415(operator: Agent, content_type: str) -> None:
    answer = operator.send("POST", "/facts", b"{}", content_type=content_type)
    assert is_problem(answer, 415, "unsupported_media_type")


def test_a_foreign_host_is_refused_without_a_page(operator: Agent) -> None:
    answer = answer_of(operator.client.get(ROOT + "/me", headers={"Host": "evil.example"}))
    assert is_problem(answer, 400, "bad_request")


def test_a_fault_of_ours_is_a_problem_too(operator: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("dashboard.api.gate.caller_of", broken)
    client = Client(raise_request_exception=False)
    for headers in ({}, {"Authorization": "Bearer something"}):
        answer = answer_of(client.get(ROOT + "/me", headers=headers))
        assert is_problem(answer, 500, "internal")
        assert b"ZeroDivision" not in answer.content


def test_every_code_is_explained_where_its_type_leads(client, db: None) -> None:
    page = client.get("/api/v1/docs").content.decode()
    for code in PROBLEMS:
        assert f'id="{code}"' in page
