"""Every recall and search through a token leaves a receipt; one through a browser session leaves none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from brain import receipts
from brain.time import AsOf
from dashboard.api.auth import Caller


def leave_receipt(caller: Caller, scope: str, query: dict[str, Any], at: AsOf, fact_ids: Sequence[int]) -> str | None:
    """The receipt's id; None without a token, or where it could not be written. `query`: the question as asked, with
    its kind; `scope`: where it was asked."""
    if caller.token is None:
        return None
    if caller.pin is not None:
        query = query | {"as_of": caller.pin}
    return receipts.leave(agent=caller.name, scope=scope, query=query, at=at, fact_ids=list(fact_ids))
