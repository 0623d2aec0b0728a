"""Rewind: what the preview says is what happens; nothing happens on bad input or when the brain has moved on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from brain import jobs, journal, receipts, rewind_later
from brain.models import Fact, Job, Operation
from brain.reader import Reader
from brain.recall import recall
from brain.retire import end
from brain.rewind import Part, rewind
from brain.scopes import freeze
from brain.time import LATEST
from tests.operations.conftest import PRICES, bad_afternoon, confirm, right_prices, text, write

pytestmark = pytest.mark.django_db


def value(subject: str) -> str | None:
    facts = recall(subject, reader=Reader()).facts
    return facts[0].value if facts else None


def test_one_agents_bad_afternoon_is_undone_and_nothing_else(signed_in: Callable[[str], Client]) -> None:
    right_prices()
    before = bad_afternoon()
    client, path = signed_in("operator"), f"/rewind?actor=crm-sync&to=op:{before}"
    page = text(client.get(path))
    assert "Everything crm-sync did after operation 4" in page
    assert "4 rows retracted" in page
    assert "4 current values change" in page
    for subject in PRICES:
        assert f"{subject} list_price $1 → $100" in page
    assert [value(subject) for subject in PRICES] == ["$1"] * 4
    done = confirm(client, path)
    assert done.status_code == 302
    assert [value(subject) for subject in PRICES] == ["$100"] * 4
    assert value("Product 0") == "$0"
    receipt = text(client.get(done["Location"]))
    assert "4 rows retracted" in receipt
    assert "Backup list_price $1 → $100" in receipt
    assert "Wrong column mapped" in receipt


def test_a_preview_leaves_no_trace(signed_in: Callable[[str], Client]) -> None:
    right_prices()
    bad_afternoon()
    facts = list(Fact.objects.order_by("pk").values())
    signed_in("operator").get("/rewind?to=op:0")
    assert list(Fact.objects.order_by("pk").values()) == facts
    assert Operation.objects.count() == 38


def test_selected_operations_are_undone_together(signed_in: Callable[[str], Client]) -> None:
    right_prices()
    first, second = write("Seats", "$1"), write("Backup", "$1")
    client = signed_in("operator")
    page = client.get(f"/rewind?operations={first}&operations={second}", follow=True)
    assert page.redirect_chain == [(f"/rewind?operations={first}-{second}", 302)]
    assert confirm(client, f"/rewind?operations={first}-{second}").status_code == 302
    assert (value("Seats"), value("Backup")) == ("$100", "$100")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [({"count": "5"}, "type 4, the count shown above"), ({"count": ""}, "required"), ({"reason": "  "}, "must not be")],
)
def test_nothing_changes_on_a_wrong_count_or_without_a_reason(
    signed_in: Callable[[str], Client], wrong: dict[str, str], says: str
) -> None:
    right_prices()
    before = bad_afternoon()
    answer = confirm(signed_in("operator"), f"/rewind?actor=crm-sync&to=op:{before}", **wrong)
    assert answer.status_code == 422
    assert says in text(answer)
    assert value("Seats") == "$1"


def test_a_count_may_be_typed_as_it_is_shown(signed_in: Callable[[str], Client]) -> None:
    right_prices()
    before = bad_afternoon()
    assert confirm(signed_in("operator"), f"/rewind?actor=crm-sync&to=op:{before}", count=" 4 ").status_code == 302


def test_a_preview_that_is_no_longer_true_is_noticed(signed_in: Callable[[str], Client]) -> None:
    right_prices()
    before = bad_afternoon()
    client, path = signed_in("operator"), f"/rewind?actor=crm-sync&to=op:{before}"
    seen = client.get(path).context["form"].initial
    write("Webhooks", "$1", by="crm-sync")
    answer = client.post(path, seen | {"reason": "Wrong column", "count": "4"})
    assert answer.status_code == 409
    assert "The brain has changed since you looked" in text(answer)
    assert "5 rows retracted" in text(answer)
    assert value("Seats") == "$1"
    assert Operation.objects.latest("pk").kind == "remember"


def test_what_others_write_meanwhile_does_not_stand_in_the_way(signed_in: Callable[[str], Client]) -> None:
    right_prices()
    before = bad_afternoon()
    client, path = signed_in("operator"), f"/rewind?actor=crm-sync&to=op:{before}"
    seen = client.get(path).context["form"].initial
    write("Webhooks", "$9", by="pricing-team")
    assert client.post(path, seen | {"reason": "Wrong column", "count": "4"}).status_code == 302
    assert (value("Seats"), value("Webhooks")) == ("$100", "$9")


def test_pressing_the_button_twice_rewinds_once(signed_in: Callable[[str], Client]) -> None:
    right_prices()
    before = bad_afternoon()
    client, path = signed_in("operator"), f"/rewind?actor=crm-sync&to=op:{before}"
    given = client.get(path).context["form"].initial | {"reason": "Wrong column", "count": "4"}
    assert [client.post(path, given).status_code for _ in range(2)] == [302, 409]
    assert Operation.objects.filter(kind="rewind").count() == 1


def test_an_operation_that_was_built_upon_names_what_stands_in_the_way(signed_in: Callable[[str], Client]) -> None:
    first = write("Seats", "$100")
    fact = Fact.objects.get().origin_id
    end(fact, at=LATEST, actor="olga", reason="for good")
    answer = signed_in("operator").get(f"/rewind?operations={first}")
    assert answer.status_code == 409
    page = text(answer)
    assert "Seats, list_price was touched again by operation 2 (olga" in page
    assert "Undo operation 2 as well…" in page
    assert f"/rewind?to=op:0&amp;ids={fact}" in answer.content.decode()


def test_an_operation_that_was_undone_already_says_so(signed_in: Callable[[str], Client]) -> None:
    write("Seats", "$100")
    rewind(0, actor="olga", reason="back", reader=Reader(audit=True))
    page = text(signed_in("operator").get("/rewind?operations=1"))
    assert "Seats, list_price is not what it said any more: that was taken back already by operation 2" in page
    assert "There is nothing left to undo" in page


def test_a_rewind_is_taken_back_from_its_receipt(signed_in: Callable[[str], Client]) -> None:
    right_prices()
    before = bad_afternoon()
    client = signed_in("operator")
    done = confirm(client, f"/rewind?actor=crm-sync&to=op:{before}")
    assert "Take this rewind back…" in text(client.get(done["Location"]))
    assert confirm(client, f"/rewind?operations={Operation.objects.latest('pk').pk}").status_code == 302
    assert value("Seats") == "$1"


def test_answers_that_relied_on_what_goes_are_named(signed_in: Callable[[str], Client]) -> None:
    right_prices()
    before = bad_afternoon()
    at = journal.resolve()
    facts = [fact.id for fact in recall("Seats", at=at, reader=Reader()).facts]
    query = {"kind": "recall", "subject": "Seats"}
    receipts.leave(agent="brief-writer", scope="/", query=query, at=at, fact_ids=facts)
    page = text(signed_in("operator").get(f"/rewind?actor=crm-sync&to=op:{before}"))
    assert "1 past answer relied on what goes away" in page
    assert "Seats brief-writer" in page


def test_an_instant_is_put_into_the_address_in_utc(signed_in: Callable[[str], Client]) -> None:
    write("Seats", "$100")
    answer = signed_in("operator").get("/rewind?to=9+Feb+2026&subject=&scope=")
    assert answer["Location"] == "/rewind?to=2026-02-09T00:00:00.000Z"


@pytest.mark.parametrize(
    "query",
    ["to=op:99", "to=yesterdayish", "to=3/4/2026", "operations=x", "to=op:1&operations=1", "to=op:0&scope=EMEA"],
)
def test_what_is_not_understood_is_said_and_changes_nothing(signed_in: Callable[[str], Client], query: str) -> None:
    write("Seats", "$100")
    answer = signed_in("operator").get(f"/rewind?{query}")
    assert answer.status_code == 422
    assert 'class="problem"' in answer.content.decode()


def test_a_frozen_scope_refuses_the_rewind_whole(signed_in: Callable[[str], Client]) -> None:
    write("Seats", "$100", scope="/emea")
    freeze("/emea", actor="olga", reason="audit")
    answer = signed_in("operator").get("/rewind?to=op:0")
    assert answer.status_code == 409
    assert "the scope /emea is frozen" in text(answer)


def test_nothing_to_undo_is_said_and_cannot_be_confirmed(signed_in: Callable[[str], Client]) -> None:
    write("Seats", "$100")
    page = signed_in("operator").get("/rewind?to=op:0&actor=nobody")
    assert "Nothing to undo" in text(page)
    assert 'id="confirm"' not in page.content.decode()


def test_the_preview_counts_what_the_verb_counts(signed_in: Callable[[str], Client]) -> None:
    right_prices()
    bad_afternoon()
    client = signed_in("operator")
    parts = {
        "source=price+list": Part(source="price list"),
        "written_by=crm-sync": Part(written_by="crm-sync"),
        "subject=Seats": Part(subject="Seats"),
        "scope=/": Part(scope="/"),
        "": Part(),
    }
    for query, part in parts.items():
        found = rewind(4, actor="x", reason="x", reader=Reader(audit=True), part=part, dry_run=True)
        shown = client.get(f"/rewind?to=op:4&{query}", follow=True).context["found"]
        assert (shown.retracted, shown.restored, shown.changed) == (found.retracted, found.restored, found.changed)


@pytest.fixture
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rewind_later, "AT_ONCE", 3)


@pytest.mark.usefixtures("few_at_once")
def test_many_rows_become_a_job_that_leads_to_its_receipt(signed_in: Callable[[str], Client]) -> None:
    right_prices()
    before = bad_afternoon()
    client, path = signed_in("operator"), f"/rewind?actor=crm-sync&to=op:{before}"
    assert "you can close the page, and find it under long work" in text(client.get(path))
    done = confirm(client, path)
    job = Job.objects.get()
    assert (done["Location"], value("Seats")) == (f"/jobs/{job.pk}", "$1")
    page = client.get(done["Location"])
    assert "4 rows, about 1.0 seconds" in text(page)
    for refreshing in ('hx-trigger="every 1s"', 'http-equiv="refresh"', '<progress id="progress" max="1.0"'):
        assert refreshing in page.content.decode()
    assert "under way, 4 rows" in text(client.get("/jobs"))
    jobs.run_waiting()
    assert value("Seats") == "$100"
    page = client.get(done["Location"])
    assert "4 rows retracted, as you saw it" in text(page)
    assert "every 1s" not in page.content.decode()
    receipt = f"/journal/{Operation.objects.latest('pk').pk}/receipt"
    assert receipt in page.content.decode()
    assert "Backup list_price $1 → $100" in text(client.get(receipt))
    assert "finished, 4 rows" in text(client.get("/jobs"))


@pytest.mark.usefixtures("few_at_once")
def test_a_job_that_would_do_something_else_by_now_says_that_nothing_changed(
    signed_in: Callable[[str], Client],
) -> None:
    right_prices()
    before = bad_afternoon()
    client = signed_in("operator")
    done = confirm(client, f"/rewind?actor=crm-sync&to=op:{before}")
    write("Webhooks", "$1", by="crm-sync")
    jobs.run_waiting()
    page = text(client.get(done["Location"]))
    assert "Stopped" in page
    assert "Nothing was changed. The brain has changed since you looked" in page
    assert "stopped, nothing was changed" in text(client.get("/jobs"))
    assert value("Seats") == "$1"


@pytest.mark.usefixtures("few_at_once")
def test_a_wrong_count_starts_no_job(signed_in: Callable[[str], Client]) -> None:
    right_prices()
    before = bad_afternoon()
    answer = confirm(signed_in("operator"), f"/rewind?actor=crm-sync&to=op:{before}", count="5")
    assert (answer.status_code, Job.objects.count()) == (422, 0)
