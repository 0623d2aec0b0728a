"""What waits for a person: deletes that agents asked for, claims, values that run out, look-alike keys."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Count
from django.http import HttpRequest

from brain import approvals, journal, listing
from brain.describe import FactAt, describe
from brain.dispute import open_claims
from brain.models import AgentToken, Approval, Fact, ReceiptFact
from brain.reader import Reader
from brain.time import AsOf
from brain.tokens import AUDIT, FORGET
from dashboard import roles
from dashboard.allowed import CLAIMS, actor, may

SOON, MOST = 7, 50  # days, rows


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim beside what holds; `own`: the person, or a token of theirs, wrote it and cannot settle it."""

    claim: FactAt
    holds: FactAt | None
    reason: str
    own: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """A delete that an agent asked for, with the fact and how many answers relied on it."""

    approval: Approval
    fact: FactAt
    receipts: int
    own: bool


@dataclass(frozen=True, slots=True)
class Ending:
    """A value that runs out, and what would hold then in its place."""

    fact: FactAt
    follows: str | None
    may_move: bool


def waiting(request: HttpRequest) -> int:
    """How many decisions wait that this person may see."""
    reader, count = roles.reader(request), 0
    if may(request, CLAIMS) or may(request, AUDIT):
        count += open_claims(reader, journal.resolve(reader=reader)).order_by().count()
    if may(request, FORGET) or may(request, AUDIT):
        count += Approval.objects.filter(state=Approval.PENDING, expires_at__gt=journal.now()).count()
    return count


def own_names(request: HttpRequest) -> set[str]:
    """The names under which the person writes: their own and their tokens'."""
    return {actor(request), *AgentToken.objects.filter(owner=request.user.pk).values_list("name", flat=True)}


def claims(reader: Reader, at: AsOf, names: Collection[str], *, only: int | None = None) -> list[Claim]:
    found = open_claims(reader, at).select_related("recorded_in")
    rows = list((found if only is None else found.filter(origin=only))[:MOST])
    holding = _holding({row.key_id for row in rows}, at, reader)
    return [
        Claim(claim, holding.get(row.key_id), row.recorded_in.reason, row.written_by in names)
        for row, claim in zip(rows, describe(rows, at, reader), strict=True)
    ]


def _holding(keys: Collection[int], at: AsOf, reader: Reader) -> dict[int, FactAt]:
    rows = list(Fact.objects.as_of(at, audit=reader.audit).filter(key__in=keys).select_related("key").order_by("pk"))
    return dict(zip((row.key_id for row in rows), describe(rows, at, reader), strict=True))


def asked_for(reader: Reader, at: AsOf, names: Collection[str]) -> list[Asked]:
    pending = list(approvals.listing(reader, state=Approval.PENDING)[:MOST])
    ids = {approval.fact for approval in pending}
    rows = list(Fact.objects.content().filter(origin__in=ids, retracted_in__isnull=True).select_related("key"))
    facts = {fact.id: fact for fact in describe(rows, at, reader)}
    relied = ReceiptFact.objects.filter(fact__in=ids).order_by().values("fact").annotate(n=Count("pk"))
    counts, mine = dict(relied.values_list("fact", "n")), set(names)
    return [
        Asked(one, facts[one.fact], counts.get(one.fact, 0), bool({one.agent, one.owner} & mine))
        for one in pending
        if one.fact in facts
    ]


def ending(request: HttpRequest, reader: Reader, at: AsOf) -> list[Ending]:
    """Values that run out within a week, soonest first."""
    soon = listing.running_out(Fact.objects.as_of(at, audit=reader.audit), reader, at, SOON)
    rows = list(soon.select_related("key", "superseded_by").order_by("expires_at", "pk")[:MOST])
    standing = _standing([row for row in rows if row.temporary], at)
    facts, anybody, me = describe(rows, at, reader), may(request, FORGET), actor(request)
    return [
        Ending(fact, _follows(row, standing), anybody or (may(request, "memory:write") and row.written_by == me))
        for row, fact in zip(rows, facts, strict=True)
    ]


def _standing(rows: Sequence[Fact], at: AsOf) -> dict[int, str]:
    under = Fact.objects.winners(at).visible(at).filter(key__in={row.key_id for row in rows}, temporary=False)
    return dict(under.order_by().values_list("key_id", "value"))


def _follows(row: Fact, standing: dict[int, str]) -> str | None:
    if row.temporary:
        return standing.get(row.key_id)
    following = row.superseded_by
    takes_over = following is not None and row.superseded_at is not None and row.superseded_at <= (row.expires_at or 0)
    return following.value if following is not None and takes_over and not following.erasure else None
