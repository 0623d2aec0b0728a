"""Any OpenAI-compatible endpoint can stand in for the model that ships; when it fails, words are still found."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from brain import vectors
from brain.embedding import Endpoint, WordLlama
from brain.errors import Busy
from brain.search import search
from tests.agents.story import say

pytestmark = pytest.mark.usefixtures("_on_both")
TOPICS = ("price renew pay", "refund back money", "contact mail invoice")


def _topics_of(text: str) -> list[float]:
    return [float(any(word in text for word in topic.split())) for topic in TOPICS]


class Model(BaseHTTPRequestHandler):
    """A vector per topic that the text touches; `fails` is what it answers instead."""

    fails: bytes | None = None
    asked: list[dict[str, object]] = []

    def do_POST(self) -> None:
        document = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append({**document, "key": self.headers.get("Authorization")})
        data = [{"embedding": _topics_of(text.lower())} for text in document["input"]]
        body = self.fails or json.dumps({"data": data}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None: ...


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setattr(vectors, "_indexes", {})
    monkeypatch.setattr(Model, "asked", [])
    monkeypatch.setattr(Model, "fails", None)
    with HTTPServer(("127.0.0.1", 0), Model) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Endpoint(f"http://127.0.0.1:{server.server_port}/v1/embeddings", "small", key="secret")
        server.shutdown()


def found(endpoint: Endpoint, q: str, mode: str = "meaning") -> list[str]:
    return [hit.fact.value for hit in search(q, mode=mode, embedding=endpoint)]


def test_an_endpoint_is_asked_for_vectors_with_model_and_key(endpoint: Endpoint) -> None:
    say("$4,200"), say("14 days", subject="refund", predicate="window")
    assert found(endpoint, "what do they pay") == ["$4,200"]
    assert (Model.asked[0]["model"], Model.asked[0]["key"]) == ("small", "Bearer secret")


@pytest.mark.parametrize("fails", [b"", b"{}", b'{"data": [1]}', b'{"data": []}', b"<html>"])
def test_when_it_fails_both_go_by_words_and_meaning_is_busy(endpoint: Endpoint, fails: bytes, monkeypatch) -> None:
    say("$4,200")
    monkeypatch.setattr(Model, "fails", fails or b" ")
    assert found(endpoint, "renewal", "hybrid") == ["$4,200"]
    with pytest.raises(Busy):
        found(endpoint, "renewal")


def test_an_endpoint_that_is_not_there_is_no_error_of_ours() -> None:
    say("$4,200")
    nowhere = Endpoint("http://127.0.0.1:9/v1/embeddings", "small")
    assert found(nowhere, "renewal", "hybrid") == ["$4,200"]


def test_the_model_that_ships_loads_without_a_network_and_gives_unit_vectors() -> None:
    vectors_of_two = WordLlama().embed(["Tier 2 renewal list price $4,200", ""])
    assert vectors_of_two.shape == (2, 256)
    assert float(vectors_of_two[0] @ vectors_of_two[0]) == pytest.approx(1, abs=1e-5)
