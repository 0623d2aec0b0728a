"""What each read takes in its query, or in its document."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from brain.keyset import ORDERS
from brain.listing import STATUSES
from dashboard.api.fields import (
    Body,
    Flag,
    Instant,
    Parameters,
    Point,
    Predicate,
    Scope,
    Source,
    Subject,
    Value,
    Writer,
    among,
)
from dashboard.api.paging import Listed, Narrowed, Paged

Status = Annotated[str, AfterValidator(among(STATUSES)), Field(json_schema_extra={"enum": list(STATUSES)})]
ORDER_NAMES = [sign + name for name in ORDERS for sign in ("", "-")]
Order = Annotated[str, AfterValidator(among(ORDER_NAMES)), Field(json_schema_extra={"enum": ORDER_NAMES})]

TEXTS = ("subject", "predicate", "value", "source", "written_by", "category", "status", "q")
NARROWING = (*TEXTS, "contested", "runs_out_within")
MOST_DAYS = 3_660


class RecallQuery(Parameters):
    subject: Subject
    predicate: Predicate | None = None
    as_of: Instant | None = None
    known_at: Point | None = None
    scope: Scope | None = None
    recursive: Flag = False


class RecallBody(Body):
    subjects: Annotated[list[Subject], Field(min_length=1, max_length=100)]
    predicate: Predicate | None = None
    as_of: Instant | None = None
    known_at: Point | None = None
    scope: Scope | None = None
    recursive: bool = False


class FactFilter(Parameters):
    subject: Subject | None = None
    predicate: Predicate | None = None
    value: Value | None = None
    source: Source | None = None
    written_by: Writer | None = None
    category: Annotated[str, Field(min_length=1, max_length=64)] | None = None
    status: Status = "current"
    q: Value | None = None
    contested: Flag = False
    runs_out_within: Annotated[int, Field(ge=1, le=MOST_DAYS)] | None = None
    order: Order = "subject"

    def narrowing(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in NARROWING}


class FactsQuery(FactFilter, Listed):
    pass


class ExportQuery(FactFilter, Narrowed):
    format: Literal["csv", "ndjson"] = "csv"


class HistoryQuery(Listed):
    subject: Subject | None = None
    predicate: Predicate | None = None


class DiffQuery(Paged):
    start: Annotated[Instant, Field(alias="from")]
    end: Annotated[Instant | None, Field(alias="to")] = None
    known_from: Point | None = None
    known_to: Point | None = None
    subject: Subject | None = None
    scope: Scope | None = None
    recursive: Flag = True

    @property
    def as_of(self) -> int | None:
        return self.end

    @property
    def known_at(self) -> int | str | None:
        return self.known_to


class TimelineQuery(Narrowed):
    start: Annotated[Instant | None, Field(alias="from")] = None
    end: Annotated[Instant | None, Field(alias="to")] = None
    buckets: Annotated[int, Field(ge=1, le=1000)] = 60


class OperationsQuery(Listed):
    kind: Annotated[str, Field(min_length=1, max_length=64)] | None = None
    actor: Writer | None = None
    start: Annotated[Instant | None, Field(alias="from")] = None
    end: Annotated[Instant | None, Field(alias="to")] = None
