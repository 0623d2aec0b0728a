"""An agent's delete is checked whole before anybody is asked; a person's yes holds for the state they saw, once.

An approval is bound to the last operation that touched the fact when it was asked for. Whatever touches the fact
afterwards makes it stale.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from django.db.models import Max, QuerySet

from brain import guard, holds, saying
from brain.errors import BrainError, Busy, Conflict, Forbidden, Frozen, Held, NotFound, SelfApproval
from brain.forget import Forgotten, forget
from brain.journal import clock, now
from brain.models import AgentToken, Approval, Fact
from brain.querysets import under
from brain.reader import EVERYTHING, Reader
from brain.retire import last_touch
from brain.selectors import Selector
from brain.time import DAY
from brain.tokens import DELETE, FORGET, WRITE
from brain.turns import turn

DAYS = 7  # until an undecided approval expires
LARGEST_ID = 2**63 - 1
DIRECTLY = "deleted with memory_delete"


class OtherUser(BrainError):
    """The fact was written by somebody else, and the asker may delete its own only."""

    code = "other_user"


class ApprovalRejected(BrainError):
    """A person said no, and the fact has not changed since."""

    code = "approval_rejected"


class ApprovalExpired(BrainError):
    code = "approval_expired"


class AlreadyDecided(BrainError):
    code = "already_decided"


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks for a delete. `name` is the token's or the person's, `owner` the person whose token it is."""

    name: str
    grants: frozenset[str]
    scope: str = "/"
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Deleted:
    """What a delete came to: done (with its operation), nothing to delete, or `approval`, which waits."""

    deleted: bool
    approval: Approval | None = None
    operation_id: int | None = None


# -- asking


def delete(
    fact_id: int, *, asker: Asker, reason: str = "", expected_operation: int | None = None, days: int = DAYS
) -> Deleted:
    """memory_delete, its checks in the order of the contract; what would be refused is refused before anybody is
    asked, and nobody is asked about a no-op."""
    with turn():
        guard.refuse_frozen([asker.scope])
        row = _live(fact_id, asker.scope)
        if row is None:
            return Deleted(False)
        _refuse(row, asker, expected_operation)
        if DELETE not in asker.grants:
            return Deleted(False, _ask(row, asker, reason, days))
        done = _forget(row, actor=asker.name, reason=reason or DIRECTLY)
    return Deleted(True, operation_id=done)


def _live(fact_id: int, scope: str) -> Fact | None:
    """The saying that stands of a fact in this subtree: not retracted, withheld or erased."""
    if not 0 <= fact_id <= LARGEST_ID:
        return None
    standing = Fact.objects.existing(audit=False).filter(under(scope), origin=fact_id, retracted_in__isnull=True)
    found: Fact | None = standing.select_related("key").first()
    return found


def _refuse(row: Fact, asker: Asker, expected_operation: int | None) -> None:
    guard.refuse_frozen([row.key.scope])
    if FORGET not in asker.grants and row.written_by != asker.name:
        raise OtherUser("the fact was written by somebody else")
    if expected_operation is not None and last_touch(row) != expected_operation:
        raise Conflict(f"operation {last_touch(row)} has touched the fact since")
    if holds.is_held(row.origin_id):
        raise Held("the fact is on legal hold")


def _ask(row: Fact, asker: Asker, reason: str, days: int) -> Approval:
    settle()
    asked = Approval.objects.filter(fact=row.origin_id, agent=asker.name)
    if (pending := asked.filter(state=Approval.PENDING).first()) is not None:
        return pending
    if asked.filter(state=Approval.REJECTED, fact_operation=last_touch(row)).exists():
        raise ApprovalRejected("a person rejected this, and the fact has not changed since")
    instant = now()
    return Approval.objects.create(
        fact=row.origin_id,
        fact_operation=last_touch(row),
        scope=row.key.scope,
        agent=asker.name,
        owner=asker.owner,
        reason=reason,
        asked_at=instant,
        expires_at=instant + days * DAY,
    )


def _forget(row: Fact, *, actor: str, reason: str) -> int:
    done = forget(Selector(ids=(row.origin_id,)), actor=actor, reason=reason, reader=Reader(row.key.scope))
    assert done.operation is not None
    return done.operation.pk


# -- what time and other operations do to what waits


def settle() -> None:
    """Marks what nobody decided in time as expired and what is about a changed fact as stale; mostly, does nothing."""
    waiting = list(Approval.objects.filter(state=Approval.PENDING))
    touched, instant = _touched({approval.fact for approval in waiting}), now()
    expired = [approval.pk for approval in waiting if approval.expires_at <= instant]
    stale = [approval.pk for approval in waiting if touched.get(approval.fact) != approval.fact_operation]
    if expired or stale:
        with turn():
            open_ones = Approval.objects.filter(state=Approval.PENDING)
            open_ones.filter(pk__in=stale).update(state=Approval.STALE, decided_at=instant)
            open_ones.filter(pk__in=expired).update(state=Approval.EXPIRED, decided_at=instant)


def _touched(facts: set[int]) -> dict[int, int]:
    """Fact → the last operation that touched it, of those whose content is still there."""
    marks = [Max(mark) for mark in ("recorded_in", "retracted_in", "forgotten_in", "restored_in")]
    rows = Fact.objects.content().filter(origin__in=facts).order_by().values("origin_id")
    return {fact: max(mark or 0 for mark in last) for fact, *last in rows.annotate().values_list("origin_id", *marks)}


# -- reading


def listing(reader: Reader, *, own: str | None = None, state: str | None = None) -> QuerySet[Approval]:
    """What this reader may see, newest first: what `own` asked for alone without audit:read."""
    with suppress(Busy):  # what is expired or stale is refused when it comes to be decided
        settle()
    found = Approval.objects.filter(under(reader.scope, "scope")).order_by("-pk")
    if not reader.audit:
        found = found.filter(agent=own or "")
    if reader.pin is not None:
        found = found.filter(asked_at__lte=reader.pin)
    return found if state is None else found.filter(state=state)


def approval(approval_id: int, reader: Reader, *, own: str | None = None) -> Approval:
    """Raises NotFound, the same for elsewhere, another's and never."""
    found = listing(reader, own=own).filter(pk=min(approval_id, LARGEST_ID)).first()
    if found is None:
        raise NotFound("there is no such approval")
    return found


def consequences(asked: Approval) -> Forgotten:
    """What would go with the fact: counts, receipts that relied on it, and the fact itself as `sample`."""
    return forget(Selector(ids=(asked.fact,)), actor="", reason="-", reader=EVERYTHING, dry_run=True)


# -- deciding


@dataclass(frozen=True, slots=True)
class Decision:
    by: str
    reason: str

    def names(self, state: str, **more: object) -> dict[str, object]:
        return {
            "state": state,
            "decided_at": clock(),
            "decided_by": self.by,
            "decision_reason": self.reason,
            **more,
        }


def reject(approval_id: int, *, by: str, reason: str, reader: Reader) -> Approval:
    """A person says no. Raises NotFound, SelfApproval, AlreadyDecided, ApprovalExpired; stale: returned so."""
    decision = Decision(by, saying.reason(reason, required=True))
    settle()
    with turn():
        asked = _open(approval_id, by, reader)
        return asked if asked.state == Approval.STALE else _decided(asked, decision.names(Approval.REJECTED))


def approve(approval_id: int, *, by: str, reason: str, reader: Reader) -> Approval:
    """A person says yes. Everything is checked once more: a fact that changed makes it stale, and what is refused now
    makes it failed, with the refusal as its detail. Raises as `reject` does."""
    decision = Decision(by, saying.reason(reason, required=True))
    settle()
    with turn():
        asked = _open(approval_id, by, reader)
        row = _live(asked.fact, asked.scope)
        if asked.state == Approval.STALE or row is None or last_touch(row) != asked.fact_operation:
            return _decided(asked, {"state": Approval.STALE}) if asked.state == Approval.PENDING else asked
        try:
            _recheck(asked, row)
        except (Frozen, Held, OtherUser, Forbidden) as refusal:
            return _decided(asked, decision.names(Approval.FAILED, detail=f"{refusal.code}: {refusal.detail}"))
        reason = f"{asked.reason or DIRECTLY} (asked for by {asked.agent}; {decision.reason})"
        done = _forget(row, actor=by, reason=_fitting(reason))
        return _decided(asked, decision.names(Approval.EXECUTED, operation_id=done))


def _fitting(reason: str) -> str:
    return reason.encode()[: saying.LIMITS["reason"]].decode(errors="ignore").strip()


def _open(approval_id: int, by: str, reader: Reader) -> Approval:
    found = Approval.objects.filter(under(reader.scope, "scope"), pk=min(approval_id, LARGEST_ID))
    asked: Approval | None = found.first()
    if asked is None:
        raise NotFound("there is no such approval")
    if by in (asked.agent, asked.owner):
        raise SelfApproval("nobody decides on what they, or a token of theirs, asked for")
    if asked.state == Approval.EXPIRED:
        raise ApprovalExpired("nobody decided in time; it has to be asked for again")
    if asked.state not in (Approval.PENDING, Approval.STALE):
        raise AlreadyDecided(f"{asked.decided_by} decided already: {asked.state}")
    return asked


def _recheck(asked: Approval, row: Fact) -> None:
    token = AgentToken.objects.filter(name=asked.agent).first()
    if token is None:
        _refuse(row, Asker(asked.agent, frozenset({FORGET})), asked.fact_operation)
        return
    ended = token.expires_at is not None and token.expires_at <= clock()
    if token.revoked_at is not None or ended or not {WRITE, FORGET} & set(token.grants):
        raise Forbidden("the token that asked opens nothing any more")
    guard.refuse_frozen([token.scope])
    _refuse(row, Asker(token.name, frozenset(token.grants), token.scope), asked.fact_operation)


def _decided(asked: Approval, changes: dict[str, object]) -> Approval:
    for name, value in changes.items():
        setattr(asked, name, value)
    asked.save(update_fields=list(changes))
    return asked
