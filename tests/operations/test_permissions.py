"""Every page refuses on the server whoever may not use it, and says so."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from brain.models import Operation
from tests.operations.conftest import say

pytestmark = pytest.mark.django_db

ROLES = {"reader", "pricing", "auditor", "operator", "administrator"}
OPERATORS = {"operator", "administrator"}
READABLE = {
    "/journal": OPERATORS | {"auditor"},
    "/journal/1": OPERATORS | {"auditor"},
    "/rewind": OPERATORS,
    "/rewind?to=op:0": OPERATORS,
    "/forget": OPERATORS,
    "/forget/withhold": OPERATORS,
    "/forget/withhold?subject=Seat": OPERATORS,
    "/forget/erase?subject=Seat": OPERATORS,
    "/forget/erase/rows?subject=Seat": OPERATORS,
    "/forget/withheld": OPERATORS | {"auditor"},
    "/facts/1/end": OPERATORS,
    "/facts/1/retract": OPERATORS,
    "/facts/1/restore": OPERATORS,
    "/jobs": OPERATORS,
    "/scopes": OPERATORS,
    "/holds": OPERATORS,
    "/review": OPERATORS | {"pricing", "auditor"},
    "/review/alike": OPERATORS | {"pricing", "auditor"},
    "/answers": OPERATORS | {"auditor"},
    "/agents": OPERATORS,
    "/agents/new": OPERATORS,
}
WRITING = {
    "/journal/verify": OPERATORS | {"auditor"},
    "/rewind?to=op:0": OPERATORS,
    "/forget/withhold?subject=Seat": OPERATORS,
    "/facts/1/retract": OPERATORS,
    "/facts/1/end": OPERATORS,
    "/scopes": OPERATORS,
    "/holds?subject=Seat": OPERATORS,
    "/holds/1/lift": OPERATORS,
    "/review/claims/1": OPERATORS | {"pricing"},
    "/review/approvals/1": OPERATORS,
    "/agents/new": OPERATORS,
    "/agents/named/x/revoke": OPERATORS,
    "/agents/named/x/rotate": OPERATORS,
}


@pytest.mark.parametrize("path", READABLE)
def test_pages_open_for_their_roles_only(signed_in: Callable[[str], Client], path: str) -> None:
    say("Seat", "list_price", "$36")
    opened = {role for role in ROLES if signed_in(role).get(path).status_code == 200}
    assert opened == READABLE[path]


@pytest.mark.parametrize("path", WRITING)
def test_what_changes_the_brain_is_refused_to_other_roles(signed_in: Callable[[str], Client], path: str) -> None:
    say("Seat", "list_price", "$36")
    refused = {role for role in ROLES if signed_in(role).post(path, {}).status_code == 403}
    assert refused == ROLES - WRITING[path]
    assert Operation.objects.count() == 1


def test_nobody_without_a_session_sees_anything() -> None:
    for path in (*READABLE, *WRITING):
        answer = Client().get(path)
        assert answer.status_code == 302, path
        assert answer["Location"].startswith("/sign-in")


def test_the_masthead_lists_what_a_role_may_use(signed_in: Callable[[str], Client]) -> None:
    shown = {role: signed_in(role).get("/").content.decode() for role in ROLES}
    listed = {role: {page for page in ("journal", "review", "answers", "agents") if f'href="/{page}"' in body}
              for role, body in shown.items()}  # fmt: skip
    assert listed == {
        "reader": set(),
        "pricing": {"review"},
        "auditor": {"journal", "review", "answers"},
        "operator": {"journal", "review", "answers", "agents"},
        "administrator": {"journal", "review", "answers", "agents"},
    }


def test_people_who_keep_prices_take_back_what_they_wrote_themselves(signed_in: Callable[[str], Client]) -> None:
    own = say("Seat", "list_price", "$36", written_by="pricing").fact
    other = say("Plan", "list_price", "$36", written_by="somebody").fact
    client = signed_in("pricing")
    assert client.get(f"/facts/{own.origin_id}/retract").status_code == 200
    assert client.get(f"/facts/{own.origin_id}/end").status_code == 200
    assert client.get(f"/facts/{other.origin_id}/retract").status_code == 403
    assert client.get(f"/facts/{other.origin_id}/end").status_code == 403
    assert client.get(f"/facts/{own.origin_id}/withhold").status_code == 403
