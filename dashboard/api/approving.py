"""memory_delete as agents call it, and the approvals that wait for a person."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpResponse
from ninja import Body as BodyOf
from ninja import Query
from pydantic import Field

from brain import approvals
from brain.approvals import Asker
from brain.models import Approval
from brain.time import AsOf
from dashboard.api import agent_shapes as shapes
from dashboard.api.answers import WriteAnswer, instant, read_json, write_answer
from dashboard.api.auth import Caller
from dashboard.api.errors import Refusal
from dashboard.api.fields import Body, Id, Parameters, Reason
from dashboard.api.gate import ApiRequest
from dashboard.api.paging import Paged, Position, listed, page_of
from dashboard.api.reads import existing
from dashboard.api.routing import router
from dashboard.api.waiting import LONGEST, place, until
from dashboard.api.writes import ReasonBody

TRACE = "mt_"


class DeleteBody(Body):
    """`traceId` is mt_<fact id>; `expected_operation` the fact's last operation as the agent saw it."""

    traceId: Annotated[str, Field(pattern=r"^mt_[0-9]+$", max_length=64)]
    reason: Reason | None = None
    expected_operation: Id | None = None


@router.post("/tools/memory_delete", response={200: shapes.Deleted, 202: shapes.Pending}, operation_id="memory_delete")
def post_memory_delete(request: ApiRequest, body: BodyOf[DeleteBody]) -> WriteAnswer:
    """Withholds a fact, at once or when a person has said yes; what is not there to be deleted is no error."""
    done = approvals.delete(
        int(body.traceId.removeprefix(TRACE)),
        asker=_asker(request.caller),
        reason=body.reason or "",
        expected_operation=body.expected_operation,
        days=settings.BRAIN_APPROVAL_DAYS,
    )
    if done.approval is not None:
        pending = {"status": "pending_approval", "approval_id": done.approval.pk}
        return write_answer(pending, operation_id=None, status=202)
    named = {} if done.operation_id is None else {"operation": done.operation_id}
    return write_answer({"deleted": done.deleted, **named}, operation_id=done.operation_id)


def _asker(caller: Caller) -> Asker:
    owner = caller.owner.get_username() if caller.owner else ""
    return Asker(caller.name, caller.grants, caller.scope, owner)


class ApprovalsQuery(Paged):
    state: Literal["pending", "executed", "rejected", "expired", "stale", "failed"] | None = None

    @property
    def as_of(self) -> int | None:
        return None

    @property
    def known_at(self) -> int | str | None:
        return None


class WaitQuery(Parameters):
    wait: Annotated[int, Field(ge=0, le=LONGEST, description="seconds to wait for a decision")] = 0


@router.get("/approvals", response=shapes.Approvals, operation_id="list_approvals")
def list_approvals(request: ApiRequest, given: Query[ApprovalsQuery]) -> HttpResponse:
    """What agents asked to delete, newest first; without audit:read, what the caller asked."""
    caller, page = request.caller, page_of(request, given)

    def rows(at: AsOf) -> QuerySet[Approval]:
        found = approvals.listing(caller.reader, own=caller.name, state=given.state)
        return found.filter(asked_at__lte=at.as_of)

    def fetch(at: AsOf, after: Position | None, limit: int) -> tuple[list[dict[str, Any]], Position | None]:
        found = rows(at) if after is None else rows(at).filter(pk__lt=after[0])
        items = list(found[: limit + 1])
        following = [items[limit - 1].pk] if len(items) > limit else None
        return [approval_json(item, caller) for item in items[:limit]], following

    return listed(request, given, page, fetch, lambda at: {"total": rows(at).count()})


@router.get("/approvals/{int:approval_id}", response=shapes.Approval, operation_id="get_approval")
def get_approval(request: ApiRequest, approval_id: int, given: Query[WaitQuery]) -> HttpResponse:
    """One approval; with `wait`, not before it is decided or the time is over."""
    caller = request.caller

    def look() -> Approval:
        return approvals.approval(existing(approval_id), caller.reader, own=caller.name)

    found = look()
    if given.wait and found.state == Approval.PENDING:
        with place(caller):
            found = until(look, lambda seen: seen.state != Approval.PENDING, seconds=given.wait)
    answer = approval_json(found, caller)
    return read_json(request, answer, answer)


def approval_json(asked: Approval, caller: Caller) -> dict[str, Any]:
    """The approval as this caller may see it: before the decision, where that lies after the caller's pin."""
    decided = caller.reader.cut(asked.decided_at) is not None
    return {
        "id": asked.pk,
        "state": asked.state if decided else Approval.PENDING,
        "fact_id": asked.fact,
        "traceId": f"{TRACE}{asked.fact}",
        "fact_operation": asked.fact_operation,
        "scope": asked.scope,
        "agent": asked.agent,
        "reason": asked.reason,
        "asked_at": instant(asked.asked_at),
        "expires_at": instant(asked.expires_at),
        "decided_at": instant(asked.decided_at) if decided else None,
        "decided_by": asked.decided_by or None if decided else None,
        "decision_reason": asked.decision_reason or None if decided else None,
        "detail": asked.detail or None if decided else None,
        "operation": asked.operation_id if decided else None,
    }


@router.post("/approvals/{int:approval_id}/approve", response=shapes.Approval, operation_id="approve")
def post_approve(request: ApiRequest, approval_id: int, body: BodyOf[ReasonBody]) -> WriteAnswer:
    """A person says yes: everything is checked once more, then the fact is withheld."""
    caller = _person(request)
    found = approvals.approve(existing(approval_id), by=caller.name, reason=body.reason, reader=caller.reader)
    return write_answer(approval_json(found, caller), operation_id=found.operation_id)


@router.post("/approvals/{int:approval_id}/reject", response=shapes.Approval, operation_id="reject")
def post_reject(request: ApiRequest, approval_id: int, body: BodyOf[ReasonBody]) -> WriteAnswer:
    """A person says no: the fact stays, and the same call is refused until the fact changes."""
    caller = _person(request)
    found = approvals.reject(existing(approval_id), by=caller.name, reason=body.reason, reader=caller.reader)
    return write_answer(approval_json(found, caller), operation_id=None)


def _person(request: ApiRequest) -> Caller:
    if request.caller.person is None:
        raise Refusal("forbidden", "a person decides, signed in: no token does")
    return request.caller
