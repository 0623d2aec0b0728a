"""The kinds of field that requests are made of, each parsed to what the brain takes; a refusal says the rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from brain import saying, time
from brain.errors import Invalid

LARGEST = 2**63 - 1
INSTANT_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "string", "format": "date-time"},
        {"type": "string", "format": "date"},
        {"type": "integer", "minimum": time.EARLIEST, "maximum": time.LATEST},
    ],
    "description": "RFC 3339 with an offset, a date (its first millisecond in UTC), or epoch milliseconds",
}
POINT_SCHEMA: dict[str, Any] = {
    "anyOf": [*INSTANT_SCHEMA["anyOf"], {"type": "string", "pattern": "^op:[0-9]{1,18}$"}],
    "description": 'an instant, or an operation as "op:17": what stood right after it',
}
INSTANT_TEXT = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$", "format": "date-time"}


class Body(BaseModel):
    """A request's document: unknown fields are refused, and nothing is turned from one type into another."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Parameters(BaseModel):
    model_config = ConfigDict(extra="forbid")


def _point(raw: object) -> int | str:
    if isinstance(raw, str) and raw.startswith("op:"):
        number = raw.removeprefix("op:")
        if number.isascii() and number.isdigit() and len(number) <= 18:
            return raw
        raise ValueError('an operation is written like "op:17"')
    return time.parse(raw)


def _normalised(rule: str) -> Callable[[str], str]:
    """Text by one of the brain's rules, which says which field's."""

    def check(raw: str) -> str:
        try:
            return saying.text(rule, raw)
        except Invalid as refusal:
            raise ValueError(refusal.errors[0][1]) from None

    return check


def _scope(raw: str) -> str:
    try:
        return saying.scope(raw)
    except Invalid as refusal:
        raise ValueError(refusal.errors[0][1]) from None


def _reason(raw: str) -> str:
    clean = _normalised("reason")(raw)
    if not clean:
        raise ValueError("must not be empty")
    return clean


def _flag(raw: object) -> bool:
    if raw not in ("true", "false"):
        raise ValueError("must be true or false")
    return raw == "true"


def among(values: Sequence[str]) -> Callable[[str], str]:
    def check(raw: str) -> str:
        if raw not in values:
            raise ValueError(f"must be one of {', '.join(values)}")
        return raw

    return check


Instant = Annotated[int, BeforeValidator(time.parse), WithJsonSchema(INSTANT_SCHEMA)]
Point = Annotated[int | str, BeforeValidator(_point), WithJsonSchema(POINT_SCHEMA)]
Scope = Annotated[
    str,
    AfterValidator(_scope),
    WithJsonSchema({"type": "string", "pattern": "^/([a-z0-9._-]{1,64}(/[a-z0-9._-]{1,64}){0,7})?$"}),
]
Id = Annotated[int, Field(ge=0, le=LARGEST)]
Flag = Annotated[bool, BeforeValidator(_flag), WithJsonSchema({"type": "boolean"})]
Subject = Annotated[str, AfterValidator(_normalised("subject")), Field(min_length=1)]
Predicate = Annotated[str, AfterValidator(_normalised("predicate")), Field(min_length=1)]
Value = Annotated[str, AfterValidator(_normalised("value")), Field(min_length=1)]
Source = Annotated[str, AfterValidator(_normalised("source")), Field(min_length=1)]
Writer = Annotated[str, AfterValidator(_normalised("written_by")), Field(min_length=1)]
Reason = Annotated[str, AfterValidator(_reason), Field(min_length=1)]
Remark = Annotated[str, AfterValidator(_normalised("reason"))]
