"""Review: claims, deletes that agents asked for, values that run out and look-alikes, each decided in place."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from brain import approvals, journal, tokens
from brain.approvals import Asker
from brain.models import Approval, Fact
from brain.reader import Reader
from brain.recall import recall
from brain.time import DAY
from tests.operations.conftest import queries, text, write

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def held(subject: str) -> str | None:
    facts = recall(subject, reader=Reader()).facts
    return facts[0].value if facts else None


def claim(subject: str = "Seats", value: str = "$90", by: str = "brief-writer") -> int:
    write(subject, "$100")
    write(subject, value, by=by, source_kind="turn", confidence=0.6)
    return Fact.objects.get(claim=True, key__subject=subject).origin_id


def ask(subject: str = "Gamma", by: str = "brief-writer", owner: str = "") -> Approval:
    write(subject, "Call on Friday", by=by)
    fact = Fact.objects.latest("pk").origin_id
    asker = Asker(by, frozenset({"memory:write"}), owner=owner)
    found = approvals.delete(fact, asker=asker, reason="They asked us to drop it").approval
    assert found is not None
    return found


def test_nothing_waiting_is_a_good_state_and_says_so(signed_in: Callable[[str], Client]) -> None:
    page = text(signed_in("operator").get("/review"))
    assert "Nothing waits for a decision. That is how it should be." in page
    assert "Nothing is disputed" in page


def test_a_claim_stands_beside_what_holds(signed_in: Callable[[str], Client]) -> None:
    claim()
    client = signed_in("pricing")
    page = text(client.get("/review"))
    assert "1 claim waits for a decision" in page
    assert "Holds $100 pricing-team, from price list" in page
    assert "Claimed $90 brief-writer, from price list (turn, confidence 0.60)" in page
    assert "Review 1 waiting" in text(client.get("/"))


@pytest.mark.parametrize(("act", "then"), [("accept", "$90"), ("reject", "$100")])
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_claim_is_settled_in_place(
    signed_in: Callable[[str], Client], act: str, then: str, headers: dict[str, str]
) -> None:
    fact, client = claim(), signed_in("pricing")
    answer = client.post(f"/review/claims/{fact}", {"act": act, "reason": "Checked the contract"}, headers=headers)
    assert answer.status_code == (200 if headers else 302)
    assert held("Seats") == then
    assert "Nothing is disputed" in text(client.get("/review"))


@pytest.mark.parametrize("given", [{"act": "accept", "reason": " "}, {"act": "maybe", "reason": "x"}, {"reason": "x"}])
def test_a_decision_without_a_reason_or_a_verb_changes_nothing(
    signed_in: Callable[[str], Client], given: dict[str, str]
) -> None:
    fact, client = claim(), signed_in("pricing")
    answer = client.post(f"/review/claims/{fact}", given, headers=HTMX)
    assert answer["HX-Retarget"] == f"#claim-{fact}-said"
    assert "Say why" in text(answer)
    assert held("Seats") == "$100"
    assert Fact.objects.filter(claim=True, retracted_in__isnull=True).exists()


def test_nobody_settles_their_own_claim_nor_their_tokens(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("pricing")
    tokens.issue("brief-writer", grants=["memory:write"], owner=User.objects.get(username="pricing"))
    fact = claim()
    assert "You, or a token of yours, wrote this claim" in text(client.get("/review"))
    client.post(f"/review/claims/{fact}", {"act": "accept", "reason": "mine"})
    assert held("Seats") == "$100"


def test_a_claim_settled_by_somebody_else_meanwhile_is_said(signed_in: Callable[[str], Client]) -> None:
    fact, client = claim(), signed_in("pricing")
    given = {"act": "reject", "reason": "no"}
    client.post(f"/review/claims/{fact}", given)
    assert "is no open claim" in text(client.post(f"/review/claims/{fact}", given, headers=HTMX))
    assert client.post("/review/claims/99", given).status_code == 404


def test_a_delete_that_an_agent_asked_for_is_approved_or_rejected(signed_in: Callable[[str], Client]) -> None:
    asked, client = ask(), signed_in("operator")
    page = text(client.get("/review"))
    assert "1 delete that agents asked for waits for a decision" in page
    assert "brief-writer asked" in page
    assert "They asked us to drop it" in page
    client.post(f"/review/approvals/{asked.pk}", {"act": "accept", "reason": "Right"})
    asked.refresh_from_db()
    assert asked.state == Approval.EXECUTED
    assert held("Gamma") is None
    assert "Not done: operator decided already" in text(
        client.post(f"/review/approvals/{asked.pk}", {"act": "reject", "reason": "No"}, headers=HTMX)
    )


def test_a_rejected_delete_keeps_the_fact(signed_in: Callable[[str], Client]) -> None:
    asked, client = ask(), signed_in("operator")
    answer = client.post(f"/review/approvals/{asked.pk}", {"act": "reject", "reason": "Needed"}, headers=HTMX)
    assert "Rejected: the fact stays" in text(answer)
    assert held("Gamma") == "Call on Friday"


def test_a_fact_that_changed_makes_the_delete_stale(signed_in: Callable[[str], Client]) -> None:
    asked, client = ask(), signed_in("operator")
    page = client.get("/review")
    write("Gamma", "Call on Monday", by="brief-writer")
    answer = client.post(f"/review/approvals/{asked.pk}", {"act": "accept", "reason": "Right"}, headers=HTMX)
    assert page.status_code == 200
    assert held("Gamma") in (None, "Call on Monday")
    assert "Approved" in text(answer) or "Too late" in text(answer)


def test_nobody_approves_what_a_token_of_theirs_asked(signed_in: Callable[[str], Client]) -> None:
    asked, client = ask(owner="operator"), signed_in("operator")
    assert "You, or a token of yours, asked for this" in text(client.get("/review"))
    client.post(f"/review/approvals/{asked.pk}", {"act": "accept", "reason": "mine"})
    assert held("Gamma") == "Call on Friday"


def test_auditors_see_what_waits_and_decide_nothing(signed_in: Callable[[str], Client]) -> None:
    claim()
    ask()
    page = signed_in("auditor").get("/review")
    assert "1 delete that agents asked for and 1 claim wait for a decision" in text(page)
    assert 'name="act"' not in page.content.decode()


def test_values_that_run_out_this_week_say_what_holds_then(signed_in: Callable[[str], Client]) -> None:
    now = journal.now()
    write("Seats", "$100", learned_at=now - 9 * DAY)
    write("Seats", "$80", learned_at=now - DAY, expires_at=now + 3 * DAY, temporary=True)
    write("Promo", "2 for 1", learned_at=now - DAY, expires_at=now + 2 * DAY)
    write("Later", "x", learned_at=now - DAY, expires_at=now + 20 * DAY)
    page = text(signed_in("operator").get("/review"))
    assert "→ $100 Move the end" in page
    assert "→ nothing holds Move the end" in page
    assert "Later" not in page


def test_look_alike_subjects_are_found(signed_in: Callable[[str], Client]) -> None:
    write("Tier 2 renewal", "$3,600")
    write("tier 2 Renewal", "$3,650")
    write("Seats", "$1")
    client = signed_in("operator")
    page = text(client.get("/review/alike"))
    assert "Tier 2 renewal and tier 2 Renewal" in page
    assert "Seats" not in page
    assert "<html" not in client.get("/review/alike", headers=HTMX).content.decode()


def test_ten_times_as_much_takes_no_more_queries(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("operator")
    claim("Seats")
    ask()
    few = [queries(client, path) for path in ("/review", "/review/alike")]
    for n in range(10):
        claim(f"Product {n}")
        ask(f"Customer {n}")
    assert [queries(client, path) for path in ("/review", "/review/alike")] == few
