"""What one caller may send: so many requests a second, so many bytes, JSON only."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from time import monotonic

from django.http import HttpRequest

from dashboard.api.auth import Caller
from dashboard.api.errors import Refusal

BODY = 1024 * 1024
BATCH = 10 * 1024 * 1024
BATCH_PATHS = frozenset({"/facts/batch"})
MEDIA_TYPE = "application/json"


@dataclass(slots=True)
class Bucket:
    """A token bucket that holds one second's worth: `level` requests may be made at `stamp`."""

    level: float
    stamp: float

    def wait(self, rate: int, now: float) -> float:
        """Takes one request; the seconds to wait where there is none."""
        self.level = min(float(rate), self.level + (now - self.stamp) * rate)
        self.stamp = now
        if self.level >= 1:
            self.level -= 1
            return 0.0
        return (1 - self.level) / rate


_buckets: dict[str, Bucket] = {}
_lock = threading.Lock()


def limit_rate(caller: Caller) -> None:
    """Raises Refusal where a token has used up its rate in this process."""
    rate = caller.token.rate if caller.token is not None else 0
    if rate == 0:
        return
    now = monotonic()
    with _lock:
        wait = _buckets.setdefault(caller.identity, Bucket(float(rate), now)).wait(rate, now)
    if wait:
        seconds = str(math.ceil(wait))
        raise Refusal(
            "rate_limited",
            f"more than {rate} requests a second; try again in {seconds} s",
            headers={"Retry-After": seconds},
        )


def body_of(request: HttpRequest, path: str) -> bytes:
    """The body, read only when its length and type allow. Raises Refusal."""
    limit = BATCH if path in BATCH_PATHS else BODY
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdigit() or int(length) > limit:
        raise Refusal("too_large", f"a body may have at most {limit:,} bytes")
    body = request.body
    if len(body) > limit:
        raise Refusal("too_large", f"a body may have at most {limit:,} bytes")
    if body and not _is_json(request):
        raise Refusal("unsupported_media_type", f"send the body as {MEDIA_TYPE}")
    return body


def _is_json(request: HttpRequest) -> bool:
    charset = (request.content_params or {}).get("charset", "utf-8")
    return request.content_type == MEDIA_TYPE and charset.lower() in {"utf-8", "utf8"}
