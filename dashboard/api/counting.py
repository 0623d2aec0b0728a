"""What Prometheus is told of the API: how many requests, how they ended, how long they took."""

from __future__ import annotations

from prometheus_client import Counter, Histogram

REQUESTS = Counter("palimpsest_api_requests", "Requests by route and status", ["method", "route", "status"])
SECONDS = Histogram("palimpsest_api_request_seconds", "Time until the answer is ready", ["method", "route"])


def count(method: str, route: str, status: int, seconds: float) -> None:
    REQUESTS.labels(method, route, str(status)).inc()
    SECONDS.labels(method, route).observe(seconds)
