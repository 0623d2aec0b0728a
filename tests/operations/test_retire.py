"""Retiring single facts: each way says what would hold instead, and does that."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import Group, User
from django.template import Context, Template
from django.test import Client, RequestFactory

from brain.describe import describe
from brain.journal import resolve
from brain.models import Fact, Operation
from brain.reader import Reader
from brain.recall import recall
from brain.time import DAY
from tests.operations.conftest import confirm, on, say, text, write

pytestmark = pytest.mark.django_db


def held(subject: str) -> str | None:
    facts = recall(subject, reader=Reader()).facts
    return facts[0].value if facts else None


def test_a_mistake_shows_the_value_that_comes_back_and_brings_it_back(signed_in: Callable[[str], Client]) -> None:
    write("Seats", "$100")
    write("Seats", "$1,000")
    fact = Fact.objects.latest("pk").origin_id
    client = signed_in("operator")
    assert "Seats list_price $1,000 → $100" in text(client.get(f"/facts/{fact}/retract"))
    assert held("Seats") == "$1,000"
    assert confirm(client, f"/facts/{fact}/retract").status_code == 302
    assert held("Seats") == "$100"
    assert "taken back already" in text(client.get(f"/facts/{fact}/retract"))


def test_an_end_is_through_its_day_and_says_what_holds_then(signed_in: Callable[[str], Client]) -> None:
    fact = say("Seats", "list_price", "$100", "2026-01-01").fact.origin_id
    client = signed_in("operator")
    page = text(client.get(f"/facts/{fact}/end?at=30+Jun+2099"))
    assert "It holds until the end of 30 Jun 2099; from then on nothing holds" in page
    assert Operation.objects.count() == 1
    done = client.post(f"/facts/{fact}/end", {"at": "30 Jun 2099", "reason": "discontinued"})
    assert done.status_code == 302
    assert Fact.objects.get(retracted_in__isnull=True).expires_at == on("2099-07-01")


def test_an_end_can_be_lifted(signed_in: Callable[[str], Client]) -> None:
    fact = say("Seats", "list_price", "$100", "2026-01-01", expires_at=on("2099-01-01")).fact.origin_id
    client = signed_in("operator")
    assert "It has no end" in text(client.get(f"/facts/{fact}/end?never=on"))
    client.post(f"/facts/{fact}/end", {"never": "on", "reason": "goes on"})
    assert Fact.objects.get(retracted_in__isnull=True).expires_at is None


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"at": "", "reason": "x"}, "Name the last day"),
        ({"at": "30 Jun 2099", "never": "on", "reason": "x"}, "Name the last day"),
        ({"at": "1 Jan 2001", "reason": "x"}, "has to end after the day from which it holds"),
        ({"at": "3/4/2027", "reason": "x"}, "can be read two ways"),
        ({"at": "30 Jun 2099", "reason": ""}, "required"),
    ],
)
def test_an_end_that_makes_no_sense_changes_nothing(
    signed_in: Callable[[str], Client], given: dict[str, str], says: str
) -> None:
    fact = say("Seats", "list_price", "$100", "2026-01-01").fact.origin_id
    answer = signed_in("operator").post(f"/facts/{fact}/end", given)
    assert answer.status_code in (409, 422)
    assert says in text(answer)
    assert Operation.objects.count() == 1


def test_a_fact_that_is_not_there_is_not_found(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("operator")
    for verb in ("end", "retract", "restore"):
        assert client.get(f"/facts/99/{verb}").status_code == 404
    assert client.get("/facts/retract").status_code == 404
    assert client.get("/facts/retract?ids=x").status_code == 404


def test_withhold_and_erase_lead_to_the_previews(signed_in: Callable[[str], Client]) -> None:
    write("Seats", "$100")
    client = signed_in("operator")
    assert client.get("/facts/1/withhold")["Location"] == "/forget/withhold?ids=1"
    assert client.get("/facts/1/erase")["Location"] == "/forget/erase?ids=1"


def admin(signed_in: Callable[[str], Client]) -> Client:
    client = signed_in("administrator")
    User.objects.filter(username="administrator").update(is_staff=True)
    return client


def test_the_admins_actions_lead_to_the_same_previews(signed_in: Callable[[str], Client]) -> None:
    for price in ("$100", "$1"):
        write("Seats", price)
        write("Backup", price)
    client, rows = admin(signed_in), [str(row.pk) for row in Fact.objects.filter(value="$1")]
    wanted = {
        "forget_selected": "/forget/withhold?ids=3-4",
        "retract_selected": "/facts/retract?ids=3-4",
        "rewind_facts": "/rewind?to=op:2&ids=3-4",
    }
    for action, address in wanted.items():
        answer = client.post("/admin/brain/fact/", {"action": action, "_selected_action": rows})
        assert answer["Location"] == address
    assert Operation.objects.count() == 4


def test_facts_selected_in_the_admin_are_retracted_after_a_preview(signed_in: Callable[[str], Client]) -> None:
    for price in ("$100", "$1"):
        write("Seats", price)
        write("Backup", price)
    client = admin(signed_in)
    page = text(client.get("/facts/retract?ids=3-4"))
    assert "Backup list_price $1 → $100 Seats list_price $1 → $100" in page
    assert confirm(client, "/facts/retract?ids=3-4").status_code == 302
    assert (held("Seats"), held("Backup")) == ("$100", "$100")


def test_operations_selected_in_the_admin_are_undone_or_rewound_to_before(signed_in: Callable[[str], Client]) -> None:
    for price in ("$100", "$1", "$2"):
        write("Seats", price)
    client = admin(signed_in)
    for action, address in {
        "undo_operations": "/rewind?operations=2-3",
        "rewind_operations": "/rewind?to=op:1",
    }.items():
        answer = client.post("/admin/brain/operation/", {"action": action, "_selected_action": ["2", "3"]})
        assert answer["Location"] == address


def test_a_temporary_value_needs_an_end(signed_in: Callable[[str], Client]) -> None:
    fact = say("Seats", "list_price", "$1", "2026-01-01", expires_at=on("2099-01-01") + DAY, temporary=True).fact
    answer = signed_in("operator").post(f"/facts/{fact.origin_id}/end", {"never": "on", "reason": "x"})
    assert answer.status_code == 409
    assert "A value for a time needs an end" in text(answer)


@pytest.mark.parametrize(
    ("role", "offered"),
    [
        ("reader", []),
        ("auditor", []),
        ("pricing", ["Held until…", "Written by mistake…"]),
        ("operator", ["Held until…", "Written by mistake…", "Withhold…", "Erase…"]),
    ],
)
def test_the_ways_to_retire_a_fact_are_offered_to_those_who_may(
    rf: RequestFactory, role: str, offered: list[str]
) -> None:
    user = User.objects.create(username=role)
    user.groups.add(Group.objects.get_or_create(name=role)[0])
    row = say("Seats", "list_price", "$100", written_by="pricing").fact
    request = rf.get("/")
    request.user = user
    [fact] = describe([row], resolve(), Reader())
    shown = Template("{% load operations %}{% retire_links fact %}").render(Context({"request": request, "fact": fact}))
    assert re.findall(r"<a [^>]*>(.*?)</a>", shown) == offered
