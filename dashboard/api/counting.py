"""What Prometheus is told of the API: how many requests, how they ended, how long they took."""

from __future__ import annotations

from functools import lru_cache

from prometheus_client import Counter, Histogram

REQUESTS = Counter("palimpsest_api_requests", "Requests by route and status", ["method", "route", "status"])
SECONDS = Histogram("palimpsest_api_request_seconds", "Time until the answer is ready", ["method", "route"])


@lru_cache(maxsize=4096)
def _counters(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    return REQUESTS.labels(method, route, str(status)), SECONDS.labels(method, route)


def count(method: str, route: str, status: int, seconds: float) -> None:
    requests, times = _counters(method, route, status)
    requests.inc()
    times.observe(seconds)
