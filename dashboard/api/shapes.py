"""The shapes of answers, for the OpenAPI document; a test holds every answer to its shape."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from dashboard.api.fields import INSTANT_TEXT

Moment = Annotated[str, Field(json_schema_extra=INSTANT_TEXT)]
Status = Literal["retracted", "forgotten", "claim", "scheduled", "current", "covered", "superseded", "expired"]
Outcomes = Literal["created", "superseded", "backfilled", "scheduled", "contested", "unchanged"]


class Shape(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NamedError(Shape):
    field: str
    message: str


class Problem(Shape):
    """RFC 9457: what was refused and why."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    errors: list[NamedError] = []


class Fact(Shape):
    id: int
    scope: str
    subject: str
    predicate: str
    value: str
    source: str
    source_kind: str
    written_by: str
    category: str
    confidence: float
    importance: float
    temporary: bool
    learned_at: Moment
    expires_at: Moment | None
    superseded_by: int | None
    superseded_at: Moment | None
    recorded_at: Moment | None
    retracted_at: Moment | None
    operation: int | None
    status: Status
    contested: bool


class Recalled(Shape):
    subject: str
    scope: str
    as_of: Moment
    known_at: Moment
    facts: list[Fact]
    claims: list[Fact]
    history_complete: bool
    forgotten_before: Moment | None
    similar: list[str]
    receipt: str | None


class RecalledMany(Shape):
    as_of: Moment
    known_at: Moment
    results: dict[str, list[Fact]]
    incomplete: dict[str, Moment]
    receipt: str | None


class List(Shape):
    next_cursor: str | None
    as_of: Moment
    known_at: Moment
    total: Annotated[int, Field(description="with count=true: of the filter, not of the page")] = 0


class Facts(List):
    items: list[Fact]


class Saying(Fact):
    """One row of a history: when it was recorded, by whom and why."""

    actor: str | None
    reason: str | None


class History(List):
    items: list[Saying]


class Touch(Shape):
    id: int
    at: Moment
    kind: str
    actor: str
    reason: str


class Link(Fact):
    """One row of a chain, with the operations that touched it."""

    operations: list[Touch]


class Chain(List):
    items: list[Link]


class Change(Shape):
    scope: str
    subject: str
    predicate: str
    change: Literal["added", "changed", "removed"]
    before: Fact | None
    after: Fact | None


class Counts(Shape):
    added: int
    changed: int
    removed: int


class Diff(List):
    items: list[Change]
    counts: Counts = Counts(added=0, changed=0, removed=0)


class Stretch(Shape):
    model_config = ConfigDict(extra="forbid", validate_by_name=True)

    start: Annotated[Moment, Field(alias="from")]
    end: Annotated[Moment, Field(alias="to")]


class Bucket(Stretch):
    learned: int
    ended: int


class Timeline(Shape):
    buckets: list[Bucket]
    first: Moment | None
    last: Moment | None
    erased: list[Stretch]


class Operation(Shape):
    id: int
    at: Moment
    kind: str
    actor: str
    reason: str
    counts: dict[str, int]
    hash: str


class Operations(List):
    items: list[Operation]


class Me(Shape):
    name: str
    owner: str | None
    grants: list[str]
    scope: str
    as_of: Moment | None
    expires_at: Moment | None
    rate: int | None
