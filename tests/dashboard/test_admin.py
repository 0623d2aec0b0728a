"""The admin: for administrators, and read-only where the brain is concerned."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib import admin
from django.test import Client

from brain.models import Fact, Operation
from brain.tokens import authenticate, issue
from tests.dashboard.conftest import say

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("role", ["reader", "pricing", "auditor", "operator"])
def test_only_administrators_come_in(signed_in: Callable[[str], Client], role: str) -> None:
    assert signed_in(role).get("/admin/", follow=True).status_code == 403


def test_administrators_manage_people_and_see_every_list(signed_in: Callable[[str], Client]) -> None:
    say("Seat", "list_price", "$36")
    issue("scribe", grants=["memory:read"], owner=None)
    client = signed_in("administrator")
    assert client.get("/admin/auth/user/add/").status_code == 200
    for model in admin.site._registry:
        assert client.get(f"/admin/{model._meta.app_label}/{model._meta.model_name}/").status_code == 200, model


def test_what_the_brain_stores_cannot_be_changed_here(signed_in: Callable[[str], Client]) -> None:
    fact = say("Seat", "list_price", "$36").fact
    client = signed_in("administrator")
    assert client.get(f"/admin/brain/fact/{fact.pk}/change/").status_code == 200
    for path in (f"fact/{fact.pk}/change/", f"fact/{fact.pk}/delete/", "fact/add/", "operation/1/delete/"):
        assert client.post(f"/admin/brain/{path}", {"value": "$0"}).status_code == 403
    assert (Fact.objects.get().value, Operation.objects.count()) == ("$36", 1)


def test_a_token_is_revoked_from_its_list(signed_in: Callable[[str], Client]) -> None:
    token, plain = issue("scribe", grants=["memory:read"], owner=None)
    client = signed_in("administrator")
    client.post("/admin/brain/agenttoken/", {"action": "revoke", "_selected_action": [token.pk]})
    assert authenticate(plain) is None
