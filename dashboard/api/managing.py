"""The routes of those who run the brain: claims, fading, freezes, holds and scopes."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from ninja import Body as BodyOf
from ninja import Query

from brain import dispute, holds, keyset, lifecycle, scopes
from brain.history import ORDER as CLAIM_ORDER
from brain.models import LegalHold, Operation, Scope
from brain.querysets import FactQuerySet
from brain.time import AsOf
from dashboard.api import fields, shapes, write_shapes
from dashboard.api.answers import WriteAnswer, described, write_answer
from dashboard.api.auth import Caller
from dashboard.api.errors import Refusal
from dashboard.api.fields import Body, Parameters
from dashboard.api.forgetting import SelectorBody
from dashboard.api.gate import ApiRequest
from dashboard.api.paging import Listed, PagedAndTimed, Position, keyed, listed, page_of
from dashboard.api.reads import existing
from dashboard.api.routing import router
from dashboard.api.writes import ReasonBody, done

# -- claims


@router.get("/claims", response=shapes.Facts, operation_id="list_claims")
def list_claims(request: ApiRequest, given: Query[Listed]) -> HttpResponse:
    """The claims that were open at K and learned by T, oldest first."""
    caller, scope = request.caller, request.caller.within(given.scope)
    page = page_of(request, given)

    def rows(at: AsOf) -> FactQuerySet:
        return dispute.open_claims(caller.reader, at, scope=scope, recursive=given.recursive)

    def fetch(at: AsOf, after: Position | None, limit: int) -> tuple[list[dict[str, Any]], Position | None]:
        found = rows(at) if after is None else rows(at).filter(keyset.beyond(CLAIM_ORDER, after, reverse=False))
        items = list(found[: limit + 1])
        following = keyset.position(items[limit - 1], CLAIM_ORDER) if len(items) > limit else None
        return described(items[:limit], at, caller.reader), following

    return listed(request, given, page, fetch, lambda at: {"total": rows(at).count()})


@router.post("/claims/{int:fact_id}/accept", response=write_shapes.Done, operation_id="accept_claim")
def post_accept(request: ApiRequest, fact_id: int, body: BodyOf[ReasonBody]) -> WriteAnswer:
    """The claim holds from its own instant on, or from now where something follows it. Never by its writer."""
    caller = request.caller
    return done(dispute.accept(existing(fact_id), actor=caller.name, reason=body.reason, reader=caller.reader), caller)


@router.post("/claims/{int:fact_id}/reject", response=write_shapes.Done, operation_id="reject_claim")
def post_reject(request: ApiRequest, fact_id: int, body: BodyOf[ReasonBody]) -> WriteAnswer:
    """The claim is unsaid; what holds goes on holding. Never by its writer."""
    caller = request.caller
    return done(dispute.reject(existing(fact_id), actor=caller.name, reason=body.reason, reader=caller.reader), caller)


# -- fading


@router.post("/lifecycle/expire", response=write_shapes.Affected, operation_id="expire")
def post_expire(request: ApiRequest) -> WriteAnswer:
    """Journals how many facts ran out since the last pass; reads need no pass."""
    _refuse_part(request.caller)
    return _affected(lifecycle.expire(actor=request.caller.name))


@router.post("/lifecycle/decay", response=write_shapes.Affected, operation_id="decay")
def post_decay(request: ApiRequest) -> WriteAnswer:
    """One more step of fading: importance falls by each category's factor."""
    _refuse_part(request.caller)
    return _affected(lifecycle.decay(actor=request.caller.name))


def _refuse_part(caller: Caller) -> None:
    if caller.scope != "/":
        raise Refusal("forbidden", "a pass concerns the whole brain and takes the scope /")


def _affected(operation: Operation) -> WriteAnswer:
    return write_answer(
        {"affected": operation.counts["affected"], "operation": operation.pk}, operation_id=operation.pk
    )


# -- freezes


class FreezeBody(Body):
    scope: fields.Scope | None = None
    reason: fields.Reason


@router.post("/freeze", response=write_shapes.ScopeChanged, operation_id="freeze")
def post_freeze(request: ApiRequest, body: BodyOf[FreezeBody]) -> WriteAnswer:
    """From now on every operation on facts in the scope, or below it, is refused; reads go on."""
    scope = request.caller.within(body.scope)
    return _scope_changed(scope, scopes.freeze(scope, actor=request.caller.name, reason=body.reason))


@router.post("/unfreeze", response=write_shapes.ScopeChanged, operation_id="unfreeze")
def post_unfreeze(request: ApiRequest, body: BodyOf[FreezeBody]) -> WriteAnswer:
    scope = request.caller.within(body.scope)
    return _scope_changed(scope, scopes.unfreeze(scope, actor=request.caller.name, reason=body.reason))


def _scope_changed(scope: str, operation: Operation, *, status: int = 200) -> WriteAnswer:
    return write_answer({"scope": scope, "operation": operation.pk}, operation_id=operation.pk, status=status)


# -- holds


class HoldBody(Body):
    selector: SelectorBody
    reason: fields.Reason

    def model_post_init(self, _: object) -> None:
        self.selector.refuse_empty()


@router.get("/holds", response=write_shapes.Holds, operation_id="list_holds")
def list_holds(request: ApiRequest, given: Query[PagedAndTimed]) -> HttpResponse:
    """The legal holds in force."""
    rows = holds.holds(request.caller.reader)

    def fetch(at: AsOf, after: Position | None, limit: int) -> tuple[list[dict[str, Any]], Position | None]:
        found, following = keyed(rows.select_related("placed_in"), "id", after, limit)
        return [_hold(hold) for hold in found], following

    return listed(request, given, page_of(request, given), fetch, lambda at: {"total": rows.count()})


def _hold(hold: LegalHold) -> dict[str, Any]:
    return {
        "id": hold.pk,
        "selector": hold.selector,
        "scope": hold.scope,
        "reason": hold.reason,
        "placed_by": hold.placed_by,
        "operation": hold.placed_in_id,
    }


@router.post("/holds", response={201: write_shapes.Placed}, operation_id="place_hold")
def post_hold(request: ApiRequest, body: BodyOf[HoldBody]) -> WriteAnswer:
    """Facts that match, now or later, cannot be forgotten until the hold is lifted."""
    caller = request.caller
    selector = body.selector.selector(caller)
    hold, operation = holds.place(selector, actor=caller.name, reason=body.reason, reader=caller.reader)
    return write_answer(_hold(hold), operation_id=operation.pk, status=201)


@router.delete("/holds/{int:hold_id}", response=write_shapes.Lifted, operation_id="lift_hold")
def delete_hold(request: ApiRequest, hold_id: int) -> WriteAnswer:
    caller = request.caller
    operation = holds.lift(existing(hold_id), actor=caller.name, reader=caller.reader)
    return write_answer({"id": hold_id, "operation": operation.pk}, operation_id=operation.pk)


# -- scopes


class ScopeBody(Body):
    scope: fields.Scope
    reason: fields.Remark = ""


class ScopeQuery(Parameters):
    scope: fields.Scope


@router.get("/scopes", response=write_shapes.Scopes, operation_id="list_scopes")
def list_scopes(request: ApiRequest, given: Query[PagedAndTimed]) -> HttpResponse:
    """The scopes of the caller's subtree, by name."""
    rows = scopes.scopes(request.caller.reader)

    def fetch(at: AsOf, after: Position | None, limit: int) -> tuple[list[dict[str, Any]], Position | None]:
        found, following = keyed(rows, "name", after, limit)
        return [_scope(scope) for scope in found], following

    return listed(request, given, page_of(request, given), fetch, lambda at: {"total": rows.count()})


def _scope(scope: Scope) -> dict[str, Any]:
    return {
        "scope": scope.name,
        "operation": scope.registered_in_id,
        "frozen": scope.frozen_in_id is not None,
        "tombstoned": scope.tombstoned_in_id is not None,
    }


@router.post("/scopes", response={201: write_shapes.ScopeChanged}, operation_id="register_scope")
def post_scope(request: ApiRequest, body: BodyOf[ScopeBody]) -> WriteAnswer:
    """Makes a scope before anything is written to it, or takes its tombstone away."""
    scope = request.caller.within(body.scope)
    operation = scopes.register(scope, actor=request.caller.name, reason=body.reason)
    return _scope_changed(scope, operation, status=201)


@router.delete("/scopes", response=write_shapes.ScopeChanged, operation_id="tombstone_scope")
def delete_scope(request: ApiRequest, given: Query[ScopeQuery]) -> WriteAnswer:
    """The scope, and all below it, takes no new writes; its facts stay as they are."""
    scope = request.caller.within(given.scope)
    return _scope_changed(scope, scopes.tombstone(scope, actor=request.caller.name))
