"""The routes that take facts away or bring them back: forget in its forms, restore, rewind and undo."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Body as BodyOf
from pydantic import Field

from brain import journal, selectors
from brain.errors import Invalid
from brain.forget import Forgotten, forget, forget_scope, restore, retain
from brain.rewind import Part, Rewound, rewind
from brain.taken import BASES
from dashboard.api.answers import Keeping, WriteAnswer, encode, fact_json, facts_json
from dashboard.api.auth import Caller
from dashboard.api.errors import Refusal
from dashboard.api.fields import Body, Id, Instant, Point, Predicate, Reason, Scope, Source, Subject, Value, Writer
from dashboard.api.gate import ApiRequest
from dashboard.api.reads import existing
from dashboard.api.routing import router
from dashboard.api.write_shapes import Done as DoneShape
from dashboard.api.write_shapes import Forgotten as ForgottenShape
from dashboard.api.write_shapes import Rewound as RewoundShape
from dashboard.api.writes import ReasonBody, done

FORMS = ("superseded_before", "selector", "recursive")
OPTIONS = {  # what each form may be asked with, beside reason and dry_run
    "superseded_before": {"basis", "scope"},
    "selector": {"purge", "block_relearning"},
    "recursive": {"scope"},
}


class SelectorBody(Body):
    ids: Annotated[list[Annotated[Id, Field(ge=1)]], Field(min_length=1, max_length=selectors.MOST_IDS)] | None = None
    subject: Subject | None = None
    predicate: Predicate | None = None
    source: Source | None = None
    written_by: Writer | None = None
    scope: Scope | None = None
    q: Value | None = None

    def refuse_empty(self) -> None:
        """Raises Invalid where the selector names nothing."""
        selectors.parse(self.model_dump(exclude_none=True))

    def selector(self, caller: Caller) -> selectors.Selector:
        """The selector. Raises Refusal when its scope is not the caller's."""
        if self.scope is not None:
            caller.within(self.scope)
        return selectors.parse(self.model_dump(exclude_none=True))


class ForgetBody(Body):
    """One form: retention (`superseded_before`), a `selector`, or a `scope` with `recursive: true`."""

    superseded_before: Instant | None = None
    basis: Literal[BASES] | None = None  # type: ignore[valid-type]
    selector: SelectorBody | None = None
    purge: bool = False
    block_relearning: bool = False
    scope: Scope | None = None
    recursive: Literal[True] | None = None
    reason: Reason
    dry_run: bool = False

    def model_post_init(self, _: object) -> None:
        given = {name for name in self.model_fields_set if getattr(self, name) is not None}
        forms = given.intersection(FORMS)
        if len(forms) != 1:
            raise Invalid.field("body", f"must hold exactly one of {', '.join(FORMS)}")
        form = forms.pop()
        strange = given - OPTIONS[form] - {form, "reason", "dry_run"}
        errors = [(name, f"does not go with {form}") for name in sorted(strange)]
        if form == "recursive" and self.scope is None:
            errors.append(("scope", "is required"))
        if self.selector is not None:
            self.selector.refuse_empty()
        if errors:
            raise Invalid("; ".join(f"{field}: {message}" for field, message in errors), errors)


@router.post("/forget", response={200: ForgottenShape, 202: ForgottenShape}, operation_id="forget")
def post_forget(request: ApiRequest, body: BodyOf[ForgetBody]) -> WriteAnswer:
    """Withholds or erases what should not exist for an agent; `dry_run` counts and samples without a trace."""
    caller = request.caller
    result = _forgotten(body, caller)
    operation_id = result.operation.pk if result.operation else None
    answer = {
        "matched": result.matched,
        "forgotten": result.forgotten,
        "purged": result.purged,
        "held": result.held,
        "receipts_affected": result.receipts_affected,
        "sample": facts_json(result.sample),
        "operation": operation_id,
        "storage": result.storage,
        "job": result.job.pk if result.job else None,
    }
    stands_in = encode(answer | {"sample": []})  # what is forgotten is not to be kept in an answer
    keeping = Keeping(operation_id, stands_in, erased=bool(result.storage), preview=body.dry_run)
    return WriteAnswer(answer, keeping, status=202 if result.job else 200)


def _forgotten(body: ForgetBody, caller: Caller) -> Forgotten:
    asked: dict[str, Any] = {
        "actor": caller.name,
        "reason": body.reason,
        "reader": caller.reader,
        "dry_run": body.dry_run,
    }
    if body.selector is not None:
        selector = body.selector.selector(caller)
        return forget(selector, purge=body.purge, block_relearning=body.block_relearning, **asked)
    scope = caller.within(body.scope)
    if body.superseded_before is not None:
        return retain(body.superseded_before, basis=body.basis or "learned_at", scope=scope, **asked)
    return forget_scope(scope, **asked)


@router.post("/facts/{int:fact_id}/restore", response=DoneShape, operation_id="restore")
def post_restore(request: ApiRequest, fact_id: int, body: BodyOf[ReasonBody]) -> WriteAnswer:
    """A withheld fact is given back to agents."""
    caller = request.caller
    return done(restore(existing(fact_id), actor=caller.name, reason=body.reason, reader=caller.reader), caller)


# -- rewind


class RewindBody(Body):
    """`to`: what was said right after that point holds again; or `operations`: just those are undone."""

    to: Point | None = None
    scope: Scope | None = None
    subject: Subject | None = None
    written_by: Writer | None = None
    source: Source | None = None
    actor: Writer | None = None
    ids: Annotated[list[Id], Field(min_length=1, max_length=selectors.MOST_IDS)] | None = None
    operations: Annotated[list[Id], Field(min_length=1, max_length=10_000)] | None = None
    reason: Reason
    dry_run: bool = False

    def model_post_init(self, _: object) -> None:
        if (self.to is None) == (self.operations is None):
            raise Invalid.field("to", "name either a point to rewind to or the operations to undo")

    def part(self, caller: Caller) -> Part:
        return Part(
            scope=None if self.scope is None else caller.within(self.scope),
            subject=self.subject,
            written_by=self.written_by,
            source=self.source,
            actor=self.actor,
            ids=None if self.ids is None else tuple(self.ids),
            operations=None if self.operations is None else tuple(self.operations),
        )


@router.post("/rewind", response=RewoundShape, operation_id="rewind")
def post_rewind(request: ApiRequest, body: BodyOf[RewindBody]) -> WriteAnswer:
    """What the brain said at a point holds again, as a new operation on top; forgets stay."""
    caller = request.caller
    result = rewind(
        _point(body.to),
        actor=caller.name,
        reason=body.reason,
        reader=caller.reader,
        part=body.part(caller),
        dry_run=body.dry_run,
    )
    operation_id = result.operation.pk if result.operation else None
    return WriteAnswer(_rewound(result, operation_id), Keeping(operation_id, preview=body.dry_run))


def _point(to: int | str | None) -> int | None:
    """The operation at a point. Raises Refusal for a point that has not come."""
    if to is None:
        return None
    try:
        return journal.resolve(known_at=to).known_at
    except Invalid as refusal:
        raise Refusal.invalid([("to", refusal.errors[0][1])]) from None


def _rewound(result: Rewound, operation_id: int | None) -> dict[str, Any]:
    return {
        "retracted": result.retracted,
        "restored": result.restored,
        "kept_forgotten": result.kept_forgotten,
        "changed": result.changed,
        "changes": [
            {
                "scope": moved.scope,
                "subject": moved.subject,
                "predicate": moved.predicate,
                "before": moved.before and fact_json(moved.before),
                "after": moved.after and fact_json(moved.after),
            }
            for moved in result.changes
        ],
        "receipts_affected": result.receipts_affected,
        "operation": operation_id,
    }
