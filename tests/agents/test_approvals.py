"""memory_delete's checks in their order, each hiding the ones after it; and what becomes of an approval."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from brain import approvals, holds, recall, retire, scopes
from brain.approvals import AlreadyDecided, ApprovalExpired, ApprovalRejected, Asker, Deleted, OtherUser
from brain.errors import BrainError, Conflict, Frozen, Held, NotFound, SelfApproval
from brain.forget import forget, restore
from brain.journal import now
from brain.models import Approval, Fact, Operation
from brain.reader import EVERYTHING, Reader
from brain.selectors import Selector
from brain.time import DAY
from brain.tokens import issue, revoke
from tests.agents.story import APR, JAN, TIER, say

pytestmark = pytest.mark.usefixtures("_on_both")

WRITER = frozenset({"memory:write"})
OTHERS = WRITER | {"memory:forget"}
DIRECT = WRITER | {"delete:direct"}


def asker(grants: frozenset[str] = WRITER, *, name: str = "pricing-team", scope: str = "/", owner: str = "") -> Asker:
    return Asker(name, grants, scope, owner)


def asked(fact: Fact, who: Asker | None = None, **more) -> Approval:
    answer = approvals.delete(fact.origin_id, asker=who or asker(), **more)
    assert (answer.deleted, answer.approval is None) == (False, False)
    return answer.approval


def freeze(scope: str) -> None:
    scopes.freeze(scope, actor="op", reason="audit")


def hold(fact: Fact) -> None:
    holds.place(Selector(ids=(fact.origin_id,)), actor="op", reason="case", reader=EVERYTHING)


def state(approval: Approval) -> str:
    return approvals.approval(approval.pk, EVERYTHING).state


def served(subject: str = TIER, scope: str = "/") -> list[str]:
    return [fact.value for fact in recall.recall(subject, scope=scope, reader=Reader()).facts]


# -- the order of the checks: each case breaks two, and the earlier one answers


def _nothing(fact: Fact) -> None: ...


ORDER: list[tuple[str, Callable[[Fact], None], Callable[[Fact], Deleted], type[BrainError]]] = [
    (
        "a frozen token scope hides that the fact is elsewhere",
        lambda fact: freeze("/a"),
        lambda fact: approvals.delete(fact.origin_id, asker=asker(scope="/a/b")),
        Frozen,
    ),
    (
        "a frozen token scope hides that the fact was never there",
        lambda fact: freeze("/"),
        lambda fact: approvals.delete(999, asker=asker()),
        Frozen,
    ),
    (
        "the fact's frozen scope hides that somebody else wrote it",
        lambda fact: freeze("/deals"),
        lambda fact: approvals.delete(fact.origin_id, asker=asker(name="other")),
        Frozen,
    ),
    (
        "another writer hides that the fact has moved on",
        _nothing,
        lambda fact: approvals.delete(fact.origin_id, asker=asker(name="other"), expected_operation=0),
        OtherUser,
    ),
    (
        "having moved on hides the hold",
        hold,
        lambda fact: approvals.delete(fact.origin_id, asker=asker(), expected_operation=0),
        Conflict,
    ),
    ("a hold comes before anybody is asked", hold, lambda fact: approvals.delete(fact.origin_id, asker=asker()), Held),
    (
        "a hold stops a direct delete too",
        hold,
        lambda fact: approvals.delete(fact.origin_id, asker=asker(DIRECT)),
        Held,
    ),
]


@pytest.mark.parametrize(("rule", "break_more", "call", "refusal"), ORDER, ids=[case[0] for case in ORDER])
def test_the_earlier_check_answers_and_nobody_is_asked(
    rule: str, break_more: Callable[[Fact], None], call: Callable[[Fact], Deleted], refusal: type[BrainError]
) -> None:
    fact = say("$4,200", scope="/deals")
    break_more(fact)
    with pytest.raises(refusal):
        call(fact)
    assert not Approval.objects.exists()
    assert served(scope="/deals") == ["$4,200"]


def test_unknown_elsewhere_and_already_deleted_are_one_answer() -> None:
    fact, gone, retracted = say("$4,200", scope="/apac"), say("1", subject="gone"), say("2", subject="retracted")
    forget(Selector(ids=(gone.pk,)), actor="op", reason="x", reader=EVERYTHING)
    retire.retract(retracted.pk, actor="op", reason="x")
    answers = [
        approvals.delete(number, asker=asker(grants, scope=scope))
        for grants in (WRITER, DIRECT | OTHERS)
        for number, scope in [
            (fact.pk, "/emea"),
            (999, "/"),
            (0, "/"),
            (2**63, "/"),
            (gone.pk, "/"),
            (retracted.pk, "/"),
        ]
    ]
    assert set(answers) == {Deleted(False)}


def test_a_purged_fact_is_already_deleted() -> None:
    fact = say("$4,200")
    forget(Selector(ids=(fact.pk,)), actor="op", reason="x", reader=EVERYTHING, purge=True)
    assert approvals.delete(fact.pk, asker=asker()) == Deleted(False)


@pytest.mark.parametrize(
    ("who", "deleted"),
    [
        (asker(DIRECT), True),
        (asker(DIRECT | OTHERS, name="other"), True),
        (asker(OTHERS, name="other"), False),
        (asker(WRITER), False),
    ],
)
def test_delete_direct_skips_the_approval_and_nothing_else(who: Asker, deleted: bool) -> None:
    fact = say("$4,200")
    answer = approvals.delete(fact.pk, asker=who, reason="outdated")
    assert (answer.deleted, answer.approval is None) == (deleted, deleted)
    assert served() == ([] if deleted else ["$4,200"])


def test_a_direct_delete_is_a_soft_forget_in_the_journal() -> None:
    fact = say("$4,200")
    answer = approvals.delete(fact.pk, asker=asker(DIRECT), reason="Information is outdated.")
    done = Operation.objects.get(pk=answer.operation_id)
    assert (done.kind, done.actor, done.reason) == ("forget", "pricing-team", "Information is outdated.")
    restore(fact.pk, actor="op", reason="needed", reader=EVERYTHING)
    assert served() == ["$4,200"]


def test_the_operation_that_was_seen_is_accepted_and_one_before_it_is_not() -> None:
    fact = say("$4,200")
    first = fact.recorded_in_id
    retire.end(fact.pk, at=APR, actor="op", reason="ends")
    with pytest.raises(Conflict):
        approvals.delete(fact.origin_id, asker=asker(DIRECT), expected_operation=first)
    assert approvals.delete(fact.origin_id, asker=asker(DIRECT), expected_operation=first + 1).deleted


def test_a_superseded_fact_and_a_claim_can_be_deleted() -> None:
    old = say("$4,200")
    say("$3,600", APR)
    claim = say("$1", None, source_kind="turn")
    assert claim.claim
    for fact in (old, claim):
        assert approvals.delete(fact.origin_id, asker=asker(DIRECT)).deleted


# -- what waits


def test_the_same_call_while_one_is_pending_gives_the_same_approval() -> None:
    fact = say("$4,200")
    first = asked(fact, reason="outdated")
    assert asked(fact, reason="other words").pk == first.pk
    assert approvals.approval(first.pk, EVERYTHING).reason == "outdated"


def test_another_agent_asks_for_itself() -> None:
    fact = say("$4,200")
    assert asked(fact).pk != asked(fact, asker(OTHERS, name="other")).pk


def test_approving_withholds_the_fact_and_says_who_asked_and_who_decided() -> None:
    fact = say("$4,200")
    done = approvals.approve(asked(fact, reason="outdated").pk, by="ann", reason="checked", reader=EVERYTHING)
    assert (done.state, done.decided_by, done.decision_reason) == ("executed", "ann", "checked")
    assert served() == []
    operation = Operation.objects.get(pk=done.operation_id)
    assert (operation.actor, operation.reason) == ("ann", "outdated (asked for by pricing-team; checked)")


def test_rejecting_keeps_the_fact_and_the_same_call_is_refused_until_it_changes() -> None:
    fact = say("$4,200")
    assert approvals.reject(asked(fact).pk, by="ann", reason="still right", reader=EVERYTHING).state == "rejected"
    assert served() == ["$4,200"]
    with pytest.raises(ApprovalRejected):
        approvals.delete(fact.pk, asker=asker())
    retire.end(fact.pk, at=now() + DAY, actor="op", reason="ends")
    assert asked(fact).state == "pending"


def test_a_rejection_says_nothing_to_another_agent_and_does_not_stop_a_direct_delete() -> None:
    fact = say("$4,200")
    approvals.reject(asked(fact).pk, by="ann", reason="no", reader=EVERYTHING)
    assert asked(fact, asker(OTHERS, name="other")).state == "pending"
    assert approvals.delete(fact.pk, asker=asker(DIRECT)).deleted


@pytest.mark.parametrize("decide", [approvals.approve, approvals.reject])
@pytest.mark.parametrize("first", [approvals.approve, approvals.reject])
def test_an_approval_is_decided_once(first, decide) -> None:
    pending = asked(say("$4,200"))
    first(pending.pk, by="ann", reason="x", reader=EVERYTHING)
    with pytest.raises(AlreadyDecided):
        decide(pending.pk, by="bob", reason="x", reader=EVERYTHING)


@pytest.mark.parametrize("decide", [approvals.approve, approvals.reject])
@pytest.mark.parametrize("by", ["pricing-team", "ann"])
def test_nobody_decides_what_they_or_a_token_of_theirs_asked(by: str, decide) -> None:
    pending = asked(say("$4,200"), asker(owner="ann"))
    with pytest.raises(SelfApproval):
        decide(pending.pk, by=by, reason="x", reader=EVERYTHING)
    assert state(pending) == "pending"


@pytest.mark.parametrize("decide", [approvals.approve, approvals.reject])
def test_undecided_for_seven_days_is_expired_and_may_be_asked_again(decide) -> None:
    fact = say("$4,200")
    pending = asked(fact)
    assert pending.expires_at - pending.asked_at == 7 * DAY
    Approval.objects.update(expires_at=now())
    with pytest.raises(ApprovalExpired):
        decide(pending.pk, by="ann", reason="x", reader=EVERYTHING)
    assert state(pending) == "expired"
    assert asked(fact).pk != pending.pk


def test_how_long_an_approval_waits_is_the_callers_setting() -> None:
    pending = asked(say("$4,200"), days=1)
    assert pending.expires_at - pending.asked_at == DAY


CHANGES: dict[str, Callable[[Fact], object]] = {
    "ended": lambda fact: retire.end(fact.pk, at=now() + DAY, actor="op", reason="x"),
    "retracted": lambda fact: retire.retract(fact.pk, actor="op", reason="x"),
    "forgotten": lambda fact: forget(Selector(ids=(fact.pk,)), actor="op", reason="x", reader=EVERYTHING),
    "purged": lambda fact: forget(Selector(ids=(fact.pk,)), actor="op", reason="x", reader=EVERYTHING, purge=True),
}


@pytest.mark.parametrize("decide", [approvals.approve, approvals.reject])
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_fact_that_changed_makes_it_stale_and_nothing_is_done(change: Callable[[Fact], object], decide) -> None:
    fact = say("$4,200")
    pending = asked(fact)
    change(fact)
    before = Operation.objects.count()
    assert decide(pending.pk, by="ann", reason="x", reader=EVERYTHING).state == "stale"
    assert (state(pending), Operation.objects.count()) == ("stale", before)


def test_a_stale_approval_is_seen_as_stale_and_the_call_asks_anew() -> None:
    fact = say("$4,200")
    pending = asked(fact)
    retire.end(fact.pk, at=now() + DAY, actor="op", reason="x")
    assert state(pending) == "stale"
    assert asked(fact).pk != pending.pk


def test_a_successor_does_not_touch_the_fact() -> None:
    fact = say("$4,200")
    pending = asked(fact)
    say("$3,600", APR)
    assert approvals.approve(pending.pk, by="ann", reason="x", reader=EVERYTHING).state == "executed"


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda fact: hold(fact), "held"),
        (lambda fact: freeze("/"), "frozen"),
        (lambda fact: freeze("/deals"), "frozen"),
        (lambda fact: revoke("agent", reader=EVERYTHING), "forbidden"),
    ],
    ids=["held", "frozen above", "frozen", "token revoked"],
)
def test_what_is_refused_at_the_approval_makes_it_failed(spoil: Callable[[Fact], object], code: str) -> None:
    issue("agent", grants=["memory:write"])
    fact = say("$4,200", scope="/deals", written_by="agent")
    pending = asked(fact, asker(name="agent"))
    spoil(fact)
    done = approvals.approve(pending.pk, by="ann", reason="x", reader=EVERYTHING)
    assert (done.state, done.detail.split(":")[0], state(pending)) == ("failed", code, "failed")
    assert served(scope="/deals") == ["$4,200"]
    with pytest.raises(AlreadyDecided):
        approvals.approve(pending.pk, by="bob", reason="x", reader=EVERYTHING)


def test_approvals_of_another_scope_read_like_those_that_never_were() -> None:
    pending = asked(say("$4,200", scope="/apac"))
    emea = Reader("/emea", audit=True)
    assert not approvals.listing(emea).exists()
    for number in (pending.pk, 999, 2**63):
        for call in (approvals.approve, approvals.reject):
            with pytest.raises(NotFound, match="there is no such approval"):
                call(number, by="ann", reason="x", reader=emea)
        with pytest.raises(NotFound, match="there is no such approval"):
            approvals.approval(number, emea)


def test_without_audit_one_sees_what_one_asked_for() -> None:
    mine, theirs = asked(say("$4,200")), asked(say("1", subject="other"), asker(OTHERS, name="them"))
    assert list(approvals.listing(Reader(), own="pricing-team")) == [mine]
    assert list(approvals.listing(Reader(audit=True))) == [theirs, mine]
    with pytest.raises(NotFound):
        approvals.approval(theirs.pk, Reader(), own="pricing-team")


def test_a_reviewer_is_shown_the_fact_and_what_goes_with_it() -> None:
    fact = say("$4,200", JAN)
    evidence = approvals.consequences(asked(fact))
    assert (evidence.forgotten, evidence.sample[0].value, evidence.receipts_affected) == (1, "$4,200", 0)
