"""The shapes of what agents get: receipts, what a search found, approvals, the feed."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from dashboard.api.shapes import Fact, List, Moment, Shape

Verdict = Literal["forgotten", "corrected", "superseded", "no_record", "holds"]
State = Literal["pending", "executed", "rejected", "expired", "stale", "failed"]


class Receipt(Shape):
    id: str
    at: Moment
    agent: str
    scope: str
    query: Annotated[dict[str, object], Field(description="the question: its kind, its texts, what it named")]
    as_of: Moment
    known_at: Moment
    fact_ids: list[int]
    answer: str | None
    answered_at: Moment | None
    erased: Annotated[bool, Field(description="what it could have given away was erased")]


class Receipts(List):
    items: list[Receipt]


class Told(Shape):
    fact: int
    then: Annotated[Fact | None, Field(description="as it was served")]
    held: Annotated[Fact | None, Field(description="what we now say held at the instant asked about")]
    now: Annotated[Fact | None, Field(description="what the same question finds today")]


class Explained(Receipt):
    facts: list[Told]
    found: Annotated[list[Fact], Field(description="what a question that was served nothing finds by now")]
    verdict: Verdict
    supported: bool | None
    explanation: str


class Hit(Shape):
    fact: Fact
    score: float


class Hits(Shape):
    items: list[Hit]
    as_of: Moment
    known_at: Moment
    receipt: str | None


class Approval(Shape):
    id: int
    state: State
    fact_id: int
    traceId: str
    fact_operation: Annotated[int, Field(description="the fact's last operation when it was asked: what was shown")]
    scope: str
    agent: str
    reason: str
    asked_at: Moment
    expires_at: Moment
    decided_at: Moment | None
    decided_by: str | None
    decision_reason: str | None
    detail: Annotated[str | None, Field(description="why an approved delete failed")]
    operation: int | None


class Approvals(List):
    items: list[Approval]


class Deleted(Shape):
    deleted: bool
    operation: int | None = None


class Pending(Shape):
    status: Literal["pending_approval"]
    approval_id: int


class FeedEntry(Shape):
    id: int
    at: Moment
    kind: str
    actor: str
    reason: str
    counts: dict[str, int]
    hash: str
    facts: Annotated[list[int] | None, Field(description="which it touched; null when they are too many to name")]


class Feed(Shape):
    items: list[FeedEntry]
    last: Annotated[int, Field(description="where to go on: the next `after`")]
