"""Claims disagree with what holds and wait for a person, who accepts or rejects each one; never their own writer."""

from __future__ import annotations

from collections.abc import Collection

from brain import chains, guard, rows, saying
from brain.errors import Conflict, NotFound, SelfApproval
from brain.journal import Entry, operation
from brain.models import Fact
from brain.querysets import FactQuerySet, under
from brain.reader import EVERYTHING, Reader
from brain.retire import Done, unsay
from brain.time import AsOf


def open_claims(reader: Reader, at: AsOf, *, scope: str = "/", recursive: bool = True) -> FactQuerySet:
    """The claims open at (T, K) that this reader may see, oldest first."""
    found = Fact.objects.open_claims(at).visible(at, audit=reader.audit).within(scope, recursive=recursive)
    found = found.filter(under(reader.scope))
    if reader.pin is not None:
        found = found.filter(learned_at__lte=reader.pin)
    return found.select_related("key").order_by("learned_at", "origin_id", "id")


def accept(
    fact_id: int, *, actor: str, reason: str, reader: Reader = EVERYTHING, own_names: Collection[str] = ()
) -> Done:
    """The claim is said again as an ordinary row: from its own instant, or from now where a row already follows it.
    `own_names` are further names under which the actor writes."""
    reason = saying.reason(reason, required=True)
    with operation("accept", actor=actor, reason=reason) as entry:
        claim = _open_claim(fact_id, reader, entry, {actor, *own_names})
        unsay(claim, entry)
        guard.refuse_blocked(claim.key.scope, claim.key.subject, claim.key.predicate, claim.value)
        following = chains.after(claim)
        overtaken = following is not None and following.learned_at <= entry.at
        row = rows.said_again(claim, entry, claim=False, learned_at=entry.at if overtaken else claim.learned_at)
        chains.attach(row)
        entry.touch("said", row.pk, row.digest)
        entry.count(accepted=1)
    return Done(row, entry.id, "accepted")


def reject(
    fact_id: int, *, actor: str, reason: str, reader: Reader = EVERYTHING, own_names: Collection[str] = ()
) -> Done:
    """The claim is unsaid; what holds goes on holding."""
    reason = saying.reason(reason, required=True)
    with operation("reject", actor=actor, reason=reason) as entry:
        claim = _open_claim(fact_id, reader, entry, {actor, *own_names})
        unsay(claim, entry)
        entry.count(rejected=1)
    return Done(claim, entry.id, "rejected")


def _open_claim(fact_id: int, reader: Reader, entry: Entry, names: Collection[str]) -> Fact:
    found = Fact.objects.existing(audit=False).filter(under(reader.scope), origin=fact_id).select_related("key")
    row: Fact | None = found.order_by("-id").first()
    if row is None:
        raise NotFound(f"there is no claim {fact_id}")
    if row.claim and row.written_by in names:
        raise SelfApproval("a claim is settled by somebody other than its writer")
    guard.refuse_frozen([row.key.scope])
    if not row.claim or row.retracted_in_id is not None:
        raise Conflict(f"fact {fact_id} is no open claim")
    if row.expires_at is not None and row.expires_at <= entry.at:
        raise Conflict(f"claim {fact_id} has run out")
    return row
