"""Alive, ready, and how it fares: for a load balancer and for Prometheus, without signing in."""

from __future__ import annotations

from django.test import Client

from brain import tokens

FAR = "203.0.113.7"


def test_a_process_that_answers_is_alive(client: Client) -> None:
    assert client.get("/healthz").status_code == 200


def test_a_migrated_database_is_ready(client: Client, db: None) -> None:
    assert client.get("/readyz").json() == {"status": "ready"}


def test_metrics_are_for_this_machine_or_a_token(client: Client, db: None) -> None:
    client.get("/api/v1/me")
    here = client.get("/metrics", REMOTE_ADDR="127.0.0.1")
    assert b'palimpsest_api_requests_total{method="GET",route="/me",status="401"}' in here.content
    assert client.get("/metrics", REMOTE_ADDR=FAR).status_code == 401
    assert client.get("/metrics", REMOTE_ADDR="127.0.0.1", headers={"X-Forwarded-For": FAR}).status_code == 401
    plain = tokens.issue("prometheus", grants=["memory:read"])[1]
    bearer = {"Authorization": f"Bearer {plain}"}
    assert client.get("/metrics", REMOTE_ADDR=FAR, headers=bearer).status_code == 200
