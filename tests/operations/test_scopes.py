"""Scopes and holds: placed, lifted, frozen and thawed with a reason; none of it touches a fact."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from brain.errors import Frozen
from brain.models import Fact, LegalHold, Operation, Scope
from tests.operations.conftest import text, write

pytestmark = pytest.mark.django_db


def test_a_scope_is_frozen_and_thawed_with_a_reason(signed_in: Callable[[str], Client]) -> None:
    write("Seats", "$1", scope="/emea")
    client = signed_in("operator")
    page = text(client.post("/scopes", {"scope": "/emea", "act": "freeze", "reason": "audit"}, follow=True))
    assert "/emea is frozen" in page
    assert "by operator: “audit”" in page
    with pytest.raises(Frozen):
        write("Seats", "$2", scope="/emea/pricing")
    client.post("/scopes", {"scope": "/emea", "act": "unfreeze", "reason": "done"})
    write("Seats", "$2", scope="/emea/pricing")


def test_a_scope_is_made_closed_and_opened_again(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("operator")
    for act, closed in (("register", False), ("tombstone", True), ("register", False)):
        assert client.post("/scopes", {"scope": "/apac", "act": act, "reason": "new region"}).status_code == 302
        assert (Scope.objects.get(name="/apac").tombstoned_in is not None) == closed


@pytest.mark.parametrize(
    "given",
    [
        {"scope": "/emea", "act": "freeze", "reason": " "},
        {"scope": "EMEA", "act": "freeze", "reason": "audit"},
        {"scope": "/emea", "act": "melt", "reason": "audit"},
        {"scope": "/nowhere", "act": "tombstone", "reason": "audit"},
    ],
)
def test_bad_input_changes_no_scope(signed_in: Callable[[str], Client], given: dict[str, str]) -> None:
    answer = signed_in("operator").post("/scopes", given)
    assert answer.status_code == 409
    assert "Nothing was changed" in text(answer)
    assert Operation.objects.count() == 0


def test_a_hold_is_seen_before_it_is_placed_and_lifted_with_a_reason(signed_in: Callable[[str], Client]) -> None:
    write("Acme", "Jane", predicate="contact")
    write("Acme", "Tom", predicate="manager")
    client = signed_in("operator")
    assert "Hold 2 facts" in text(client.get("/holds?subject=Acme"))
    assert LegalHold.objects.count() == 0
    page = text(client.post("/holds?subject=Acme", {"reason": "Dispute with Acme"}, follow=True))
    assert "hold 1 about Acme Dispute with Acme" in page
    client.post("/holds/1/lift", {"reason": ""})
    assert LegalHold.objects.get().lifted_in is None
    client.post("/holds/1/lift", {"reason": "settled"})
    assert LegalHold.objects.get().lifted_in is not None
    assert "settled" in Operation.objects.latest("pk").reason


def test_a_hold_needs_a_selector_and_a_reason(signed_in: Callable[[str], Client]) -> None:
    write("Acme", "Jane")
    client = signed_in("operator")
    assert client.post("/holds", {"reason": "everything"}).status_code == 200
    assert client.post("/holds?subject=Acme", {"reason": ""}).status_code == 422
    assert client.get("/holds?scope=EMEA").status_code == 422
    assert LegalHold.objects.count() == 0


def test_no_fact_is_touched(signed_in: Callable[[str], Client]) -> None:
    write("Acme", "Jane")
    facts = list(Fact.objects.values())
    client = signed_in("operator")
    client.post("/scopes", {"scope": "/", "act": "freeze", "reason": "audit"})
    client.post("/holds?subject=Acme", {"reason": "dispute"})
    assert list(Fact.objects.values()) == facts
