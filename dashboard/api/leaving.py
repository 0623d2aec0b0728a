"""Every recall and search through a token leaves a receipt; one through a browser session leaves none."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from brain.time import AsOf
from dashboard.api.auth import Caller


def leave_receipt(caller: Caller, query: dict[str, Any], at: AsOf, fact_ids: Sequence[int]) -> str | None:
    if caller.token is None or find_spec("brain.receipts") is None:
        return None
    from brain import receipts

    return receipts.leave(agent=caller.name, scope=caller.scope, query=query, at=at, fact_ids=list(fact_ids))
