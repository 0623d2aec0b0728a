"""The writes of facts: each is parsed, checked against the caller's grants, and asked of the brain."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Body as BodyOf
from ninja.schema import NinjaGenerateJsonSchema
from pydantic import Field, ValidationError, WithJsonSchema

from brain import journal, listing, saying
from brain.errors import BrainError, Invalid, NotFound
from brain.models import Fact
from brain.remember import Batch, Outcome, remember, remember_many
from brain.retire import Done, end, refuse_instant, retract, standing
from brain.saying import CATEGORIES, CURATED, EXPERIENTIAL, UNSET, Saying
from brain.time import AsOf
from brain.tokens import CURATED as WRITE_CURATED
from brain.tokens import FORGET, WRITE, WRITE_AS
from dashboard.api.answers import WriteAnswer, described, write_answer
from dashboard.api.auth import Caller
from dashboard.api.errors import Refusal, rule, shown_code
from dashboard.api.fields import Body, Id, Instant, Predicate, Reason, Remark, Scope, Source, Subject, Value, Writer
from dashboard.api.gate import ApiRequest
from dashboard.api.reads import existing
from dashboard.api.routing import router
from dashboard.api.write_shapes import Batch as BatchShape
from dashboard.api.write_shapes import Done as DoneShape
from dashboard.api.write_shapes import Remembered


class FactBody(Body):
    """One saying. `expected_current` is the id that must hold at `learned_at`, or null for none."""

    subject: Subject
    predicate: Predicate
    value: Value
    source: Source
    written_by: Writer | None = None
    learned_at: Instant | None = None
    expires_at: Instant | None = None
    temporary: bool = False
    category: Literal[CATEGORIES] = "knowledge"  # type: ignore[valid-type]
    source_kind: Literal[CURATED + EXPERIENTIAL] | None = None  # type: ignore[valid-type]
    confidence: Annotated[float, Field(ge=0, le=1)] = 1.0
    scope: Scope | None = None
    expected_current: Id | None = None
    reason: Remark = ""

    def model_post_init(self, _: object) -> None:
        saying.check(self.saying("anybody", "/", "turn"))
        if self.expires_at is not None and self.learned_at is None:
            errors = saying.too_early(self.expires_at, journal.now())
            if errors:
                raise Invalid("expires_at: must lie after now, from when the value holds", errors)

    def saying(self, writer: str, scope: str, source_kind: str) -> Saying:
        """The saying, with what the caller stands in for where the body names nothing."""
        names = ("subject", "predicate", "value", "source", "learned_at", "expires_at", "temporary", "category")
        return Saying(
            **{name: getattr(self, name) for name in names},
            written_by=self.written_by or writer,
            source_kind=self.source_kind or source_kind,
            scope=self.scope or scope,
            confidence=self.confidence,
            expected_current=self.expected_current if "expected_current" in self.model_fields_set else UNSET,
        )


def said(caller: Caller, body: FactBody) -> Saying:
    """The saying as this caller may say it. Raises Refusal: another's name, a curated source, a foreign scope."""
    scope = caller.within(body.scope)
    if body.written_by is not None and body.written_by != caller.name:
        caller.require(WRITE_AS, "naming another writer")
    if body.source_kind in CURATED:
        caller.require(WRITE_CURATED, f"source_kind {body.source_kind}")
    return body.saying(caller.name, scope, "upsert" if caller.holds(WRITE_CURATED) else "turn")


@router.post("/facts", response={201: Remembered, 200: Remembered}, operation_id="remember")
def post_fact(request: ApiRequest, body: BodyOf[FactBody]) -> WriteAnswer:
    """Stores one saying; 200 where it was said already."""
    caller = request.caller
    outcome = remember(said(caller, body), actor=caller.name, reason=body.reason, reader=caller.reader)
    at = journal.resolve(reader=caller.reader)
    fact, previous = (_as_it_stands(row, at, caller) for row in (outcome.fact, outcome.previous))
    operation_id = outcome.operation.pk if outcome.operation else None
    answer = {
        "outcome": outcome.outcome,
        "fact": fact,
        "previous": previous,
        "operation": operation_id,
        "similar": outcome.similar,
    }
    return write_answer(answer, operation_id=operation_id, status=200 if outcome.outcome == "unchanged" else 201)


def _as_it_stands(row: Fact | None, at: AsOf, caller: Caller) -> dict[str, Any] | None:
    """The row with its links of now; None where it exists for this caller no more."""
    if row is None:
        return None
    try:
        row = listing.fact(row.origin_id, at, caller.reader)
    except NotFound:
        return None
    return described([row], at, caller.reader)[0]


# -- many at once


FACT = FactBody.model_json_schema(schema_generator=NinjaGenerateJsonSchema)
ANYTHING = {"type": "object", "description": "what is no such fact is refused, with atomic false by itself"}
Item = Annotated[dict[str, Any], WithJsonSchema({"anyOf": [FACT, ANYTHING]})]


class BatchBody(Body):
    """Facts are checked one by one, so that a bad one is named by its place."""

    facts: Annotated[list[Item], Field(min_length=1, max_length=1000)]
    atomic: bool = True
    dry_run: bool = False
    reason: Remark = ""


@router.post("/facts/batch", response=BatchShape, operation_id="remember_many")
def post_facts(request: ApiRequest, body: BodyOf[BatchBody]) -> WriteAnswer:
    """Stores up to a thousand sayings in one operation, all or, with atomic false, those that can be."""
    caller = request.caller
    parsed = [_parsed(caller, item) for item in body.facts]
    if body.atomic:
        _refuse_whole(parsed)
    sayings = [item for item in parsed if isinstance(item, Saying)]
    batch = _remembered(sayings, caller, body) if sayings else Batch(None, [])
    stored = iter(batch.outcomes)
    outcomes = [next(stored) if isinstance(item, Saying) else item for item in parsed]
    operation_id = batch.operation.pk if batch.operation else None
    answer = {"operation": operation_id, "outcomes": [_outcome(item, request) for item in outcomes]}
    return write_answer(answer, operation_id=operation_id)


def _parsed(caller: Caller, item: dict[str, Any]) -> Saying | Refusal | BrainError:
    try:
        return said(caller, FactBody.model_validate(item))
    except ValidationError as error:
        return Refusal.invalid((".".join(map(str, fault["loc"])), rule(fault)) for fault in error.errors())
    except (Refusal, BrainError) as refusal:
        return refusal


def _refuse_whole(parsed: list[Saying | Refusal | BrainError]) -> None:
    """Raises what is wrong with any of the items: bad input before what the caller may not do."""
    refusals = {n: item for n, item in enumerate(parsed) if not isinstance(item, Saying)}
    for code in ("invalid", "forbidden"):
        errors = [
            (f"facts.{n}.{field}".rstrip("."), message)
            for n, item in refusals.items()
            if item.code == code
            for field, message in item.errors or [("", item.detail)]
        ]
        if errors:
            raise Refusal(code, "nothing was stored: some of the facts are refused", errors)


def _remembered(sayings: list[Saying], caller: Caller, body: BatchBody) -> Batch:
    try:
        return remember_many(sayings, actor=caller.name, reason=body.reason, atomic=body.atomic, dry_run=body.dry_run)
    except Invalid as refusal:
        if caller.holds(FORGET):
            raise
        masked = [(field, message.replace("blocked_by_forget:", "forbidden:", 1)) for field, message in refusal.errors]
        raise Invalid(refusal.detail, masked) from None


def _outcome(item: Outcome | Refusal | BrainError, request: ApiRequest) -> dict[str, Any]:
    if isinstance(item, Outcome):
        return {"outcome": item.outcome, "id": item.fact.origin_id}
    code = shown_code(item, request) if isinstance(item, BrainError) else item.code
    errors = [{"field": field, "message": message} for field, message in item.errors]
    return {"error": {"code": code, "detail": item.detail, "errors": errors}}


# -- taking back


class ReasonBody(Body):
    reason: Reason


class EndBody(Body):
    """`at`: when it stopped being true; null lifts the end."""

    at: Instant | None
    reason: Reason


@router.post("/facts/{int:fact_id}/retract", response=DoneShape, operation_id="retract")
def post_retract(request: ApiRequest, fact_id: int, body: BodyOf[ReasonBody]) -> WriteAnswer:
    """It was written by mistake: from now on it was never said, and the value before holds again."""
    caller = request.caller
    refuse_others(caller, fact_id)
    return done(retract(fact_id, actor=caller.name, reason=body.reason, reader=caller.reader), caller)


@router.post("/facts/{int:fact_id}/end", response=DoneShape, operation_id="end")
def post_end(request: ApiRequest, fact_id: int, body: BodyOf[EndBody]) -> WriteAnswer:
    """It stopped being true at an instant, and nothing replaced it; or its end is moved or lifted."""
    caller = request.caller
    refuse_instant(standing(existing(fact_id), caller.reader), body.at)
    refuse_others(caller, fact_id)
    return done(end(fact_id, at=body.at, actor=caller.name, reason=body.reason, reader=caller.reader), caller)


def refuse_others(caller: Caller, fact_id: int) -> Fact:
    """The fact, when the caller may take it back: its own, or with memory:forget anybody's."""
    row = standing(existing(fact_id), caller.reader)
    if not caller.holds(FORGET) and not (caller.holds(WRITE) and row.written_by == caller.name):
        raise Refusal("forbidden", f"taking back what another wrote takes the grant {FORGET}")
    return row


def done(result: Done, caller: Caller) -> WriteAnswer:
    at = journal.resolve(reader=caller.reader)
    answer = {
        "fact": described([result.fact], at, caller.reader)[0],
        "operation": result.operation_id,
        "outcome": result.outcome,
    }
    return write_answer(answer, operation_id=result.operation_id)
