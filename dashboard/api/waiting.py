"""Long polls and event streams hold a thread each, so each caller gets few of them and all together leave some free."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, sleep

from dashboard.api.auth import Caller
from dashboard.api.errors import Refusal

EACH, ALL = 4, 10  # waiting at once in one worker, which has 16 threads
PAUSE = 0.2  # seconds between two looks
LONGEST = 30  # seconds of one wait

_waiting: Counter[str] = Counter()
_lock = threading.Lock()


def take(caller: Caller) -> Callable[[], None]:
    """Takes a place; the answer gives it back. Raises Refusal where there is none."""
    with _lock:
        if _waiting[caller.identity] >= EACH or _waiting.total() >= ALL:
            raise Refusal("rate_limited", "too many are waiting already", headers={"Retry-After": "1"})
        _waiting[caller.identity] += 1
    return lambda: _give_back(caller)


def _give_back(caller: Caller) -> None:
    with _lock:
        _waiting[caller.identity] -= 1
        if not _waiting[caller.identity]:
            del _waiting[caller.identity]


@contextmanager
def place(caller: Caller) -> Iterator[None]:
    give_back = take(caller)
    try:
        yield
    finally:
        give_back()


def until[Answer](look: Callable[[], Answer], enough: Callable[[Answer], bool], *, seconds: float) -> Answer:
    """Looks until there is enough to see or the time is over; the last thing seen."""
    deadline = monotonic() + seconds
    while not enough(seen := look()) and monotonic() < deadline:
        sleep(min(PAUSE, max(0.0, deadline - monotonic())))
    return seen
