"""The shapes of what writes and those who manage the brain are answered."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from dashboard.api.shapes import Fact, List, Moment, NamedError, Outcomes, Shape


class Remembered(Shape):
    outcome: Outcomes
    fact: Fact
    previous: Fact | None
    operation: int
    similar: list[str]


class Refused(Shape):
    """Why one fact of a batch was not stored."""

    code: str
    detail: str
    errors: list[NamedError] = []


class BatchOutcome(Shape):
    outcome: Outcomes | None = None
    id: int | None = None
    error: Refused | None = None


class Batch(Shape):
    operation: int | None
    outcomes: list[BatchOutcome]


class Done(Shape):
    fact: Fact
    operation: int
    outcome: str


class Forgotten(Shape):
    """`matched` includes `held`. `storage` says when erased bytes are gone from the database's files; `job` goes on
    with the erasing where there is much of it."""

    matched: int
    forgotten: int
    purged: int
    held: int
    receipts_affected: int
    sample: list[Fact]
    operation: int | None
    storage: str | None
    job: int | None


class Moved(Shape):
    """A key whose current value a rewind changes."""

    scope: str
    subject: str
    predicate: str
    before: Fact | None
    after: Fact | None


class Rewound(Shape):
    retracted: int
    restored: int
    kept_forgotten: int
    changed: Annotated[int, Field(description="keys whose current value changes; `changes` names the first thousand")]
    changes: list[Moved]
    receipts_affected: int
    operation: int | None


class Affected(Shape):
    affected: int
    operation: int


class ScopeChanged(Shape):
    scope: str
    operation: int


class Selector(Shape):
    ids: list[int] = []
    subject: str = ""
    predicate: str = ""
    source: str = ""
    written_by: str = ""
    scope: str = ""
    q: str = ""


class Placed(Shape):
    """A legal hold; `operation` is the one that placed it."""

    id: int
    selector: Selector
    scope: str
    reason: str
    placed_by: str
    operation: int


class Holds(List):
    items: list[Placed]


class Lifted(Shape):
    id: int
    operation: int


class Scope(Shape):
    scope: str
    operation: Annotated[int, Field(description="the one that made it")]
    frozen: bool
    tombstoned: bool


class Scopes(List):
    items: list[Scope]


class Token(Shape):
    name: str
    owner: str | None
    grants: list[str]
    scope: str
    as_of: Moment | None
    expires_at: Moment | None
    rate: int
    created_at: Moment
    revoked_at: Moment | None


class Tokens(List):
    items: list[Token]


class NewToken(Shape):
    token: str | None
    name: str


class Revoked(Shape):
    name: str
    revoked_at: Moment


class Job(Shape):
    id: int
    kind: str
    state: Literal["running", "done", "stopped", "failed"]
    actor: str
    scope: str
    total: int
    done: int
    result: dict[str, object]
    operation: int | None
    created_at: Moment
    updated_at: Moment


class Jobs(List):
    items: list[Job]
