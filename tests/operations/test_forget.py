"""Forget: previewed, confirmed by its count, receipted; what is on hold stays, and bad input changes nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from brain import forget as forgetting
from brain import holds, jobs, journal, receipts
from brain.forget import forget
from brain.models import Fact, Job, Operation
from brain.reader import EVERYTHING, Reader
from brain.recall import recall
from brain.scopes import freeze
from brain.selectors import Selector
from tests.operations.conftest import confirm, on, say, text, write

pytestmark = pytest.mark.django_db


def values(subject: str) -> list[str]:
    return [fact.value for fact in recall(subject, reader=Reader(), scope="/", recursive=True).facts]


def test_the_four_ways_say_what_each_leaves_behind(signed_in: Callable[[str], Client]) -> None:
    page = text(signed_in("operator").get("/forget"))
    for words in ("Withhold facts…", "Erase facts…", "Erase old history…", "Erase a scope…", "can be given back"):
        assert words in page
    assert "Written by mistake the value before it" in page


def test_withheld_facts_are_gone_for_agents_and_can_be_given_back(signed_in: Callable[[str], Client]) -> None:
    say("Acme", "contact", "Jane", "2026-01-01")
    fact = say("Acme", "contact", "Joan", "2026-02-01").fact.origin_id
    client = signed_in("operator")
    page = text(client.get(f"/forget/withhold?ids={fact}"))
    assert "1 fact withheld" in page
    assert "1 current value goes" in page
    assert "Acme contact Joan → no record" in page
    done = confirm(client, f"/forget/withhold?ids={fact}")
    assert values("Acme") == []
    assert "no agent reads it, at any instant" in text(client.get(done["Location"]))
    assert "Acme contact Joan" in text(client.get("/forget/withheld"))
    back = client.post(f"/facts/{fact}/restore", {"reason": "asked for"})
    assert back.status_code == 302
    assert values("Acme") == ["Joan"]


def test_erasing_tells_the_truth_about_the_bytes(signed_in: Callable[[str], Client]) -> None:
    say("Acme", "contact", "ZQX-PURGE-7731")
    client = signed_in("operator")
    page = text(client.get("/forget/erase?subject=Acme"))
    assert "1 fact erased, with all its versions. This cannot be taken back." in page
    done = confirm(client, "/forget/erase?subject=Acme")
    receipt = text(client.get(done["Location"]))
    assert "The bytes go when the surrounding work commits" in receipt  # a test is one transaction
    assert "a receipt without content stays" in receipt
    assert not Fact.objects.filter(value__contains="ZQX").exists()
    assert "ZQX" not in receipt


def test_retention_takes_old_rows_and_leaves_what_holds(signed_in: Callable[[str], Client]) -> None:
    for day, price in (("2025-11-14", "$3,900"), ("2026-01-12", "$4,200"), ("2026-03-03", "$3,600")):
        say("Tier 2", "list_price", price, day)
    client = signed_in("operator")
    page = text(client.get("/forget/age?before=1+Jan+2026", follow=True))
    assert "Rows that another has replaced and that were learned before Thu 1 Jan 2026" in page
    assert "1 row erased" in page
    assert "0 current values go: what agents read now stays as it is" in page
    assert confirm(client, "/forget/age?before=1+Jan+2026").status_code == 302
    assert values("Tier 2") == ["$3,600"]
    assert Operation.objects.latest("pk").counts["purged"] == 1


def test_the_basis_of_retention_is_chosen(signed_in: Callable[[str], Client]) -> None:
    say("Promo", "price", "$1", "2025-01-01", expires_at=on("2025-02-01"))
    client = signed_in("operator")
    assert "Nothing to forget" in text(client.get("/forget/age?before=1+Jan+2026", follow=True))
    assert "1 row erased" in text(client.get("/forget/age?before=1+Jan+2026&basis=ended_at", follow=True))


def test_a_scope_is_erased_with_everything_under_it(signed_in: Callable[[str], Client]) -> None:
    write("Seats", "$1", scope="/emea/pricing")
    write("Seats", "$2")
    client = signed_in("operator")
    assert "Everything in the scope /emea and below" in text(client.get("/forget/scope?scope=/emea"))
    assert confirm(client, "/forget/scope?scope=/emea").status_code == 302
    assert values("Seats") == ["$2"]


def test_what_is_on_hold_is_counted_named_and_kept(signed_in: Callable[[str], Client]) -> None:
    write("Acme", "Jane", predicate="contact")
    write("Acme", "Tom", predicate="manager")
    holds.place(Selector(predicate="contact"), actor="olga", reason="dispute", reader=EVERYTHING)
    client = signed_in("operator")
    page = text(client.get("/forget/erase?subject=Acme"))
    assert "1 fact erased" in page
    assert "1 kept, because it is on legal hold. 2 matched in all." in page
    assert "On hold, kept" in page
    assert confirm(client, "/forget/erase?subject=Acme").status_code == 302
    assert values("Acme") == ["Jane"]


def test_a_hold_refuses_a_scope_whole(signed_in: Callable[[str], Client]) -> None:
    write("Acme", "Jane", scope="/emea")
    holds.place(Selector(subject="Acme"), actor="olga", reason="dispute", reader=EVERYTHING)
    answer = signed_in("operator").get("/forget/scope?scope=/emea")
    assert answer.status_code == 409
    assert "on legal hold; nothing was forgotten" in text(answer)


def test_a_frozen_scope_is_refused_in_words(signed_in: Callable[[str], Client]) -> None:
    write("Acme", "Jane", scope="/emea")
    freeze("/emea", actor="olga", reason="audit")
    answer = signed_in("operator").get("/forget/withhold?subject=Acme")
    assert answer.status_code == 409
    assert "the scope /emea is frozen" in text(answer)


def test_past_answers_that_lose_their_explanation_are_named(signed_in: Callable[[str], Client]) -> None:
    write("Acme", "Jane")
    at = journal.resolve()
    facts = [fact.id for fact in recall("Acme", at=at, reader=Reader()).facts]
    receipts.leave(agent="bot", scope="/", query={"kind": "recall", "subject": "Acme"}, at=at, fact_ids=facts)
    page = text(signed_in("operator").get("/forget/erase?subject=Acme"))
    assert "1 past answer relied on what goes. Its question and text are blanked" in page
    assert "1 answer relied on it" in page


@pytest.mark.parametrize("wrong", [{"count": "2"}, {"count": "1x"}, {"reason": ""}, {"seen": "0" * 16}])
def test_nothing_is_forgotten_on_bad_input(signed_in: Callable[[str], Client], wrong: dict[str, str]) -> None:
    write("Acme", "Jane")
    assert confirm(signed_in("operator"), "/forget/erase?subject=Acme", **wrong).status_code in (409, 422)
    assert values("Acme") == ["Jane"]


def test_a_forget_that_would_take_more_than_was_seen_is_not_done(signed_in: Callable[[str], Client]) -> None:
    write("Acme", "Jane", predicate="contact")
    client, path = signed_in("operator"), "/forget/erase?subject=Acme"
    seen = client.get(path).context["form"].initial
    write("Acme", "Tom", predicate="manager")
    answer = client.post(path, seen | {"reason": "request", "count": "1"})
    assert answer.status_code == 409
    assert "2 facts erased" in text(answer)
    assert sorted(values("Acme")) == ["Jane", "Tom"]


@pytest.mark.parametrize("query", ["ids=x", "scope=EMEA", "subject=%00", "ids=1-99999999"])
def test_what_is_not_understood_is_said(signed_in: Callable[[str], Client], query: str) -> None:
    answer = signed_in("operator").get(f"/forget/withhold?{query}")
    assert answer.status_code == 422
    assert 'class="problem"' in answer.content.decode()


def test_an_empty_selector_only_shows_the_form(signed_in: Callable[[str], Client]) -> None:
    write("Acme", "Jane")
    page = signed_in("operator").get("/forget/erase?subject=&q=+")
    assert page.status_code == 200
    assert 'id="confirm"' not in page.content.decode()


def test_relearning_is_blocked_when_asked_for(signed_in: Callable[[str], Client]) -> None:
    write("Acme", "Jane")
    assert confirm(signed_in("operator"), "/forget/erase?subject=Acme&block=on").status_code == 302
    with pytest.raises(Exception, match="may not be taught again"):
        write("Acme", "jane")


def test_many_rows_become_a_job_that_can_be_found_again(
    signed_in: Callable[[str], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(5):
        write(f"Product {n}", "$1", by="crm-sync")
    monkeypatch.setattr(forgetting, "AT_ONCE", 3)
    client = signed_in("operator")
    done = confirm(client, "/forget/erase?written_by=crm-sync")
    job = Job.objects.get()
    assert done["Location"] == f"/jobs/{job.pk}"
    assert "0 of 5 rows" in text(client.get(f"/jobs/{job.pk}"))
    assert 'hx-trigger="every 1s"' in client.get(f"/jobs/{job.pk}").content.decode()
    assert values("Product 1") == []
    jobs.run_waiting()
    assert "5 of 5 rows" in text(client.get(f"/jobs/{job.pk}"))
    assert "every 1s" not in client.get(f"/jobs/{job.pk}").content.decode()
    assert "finished, 5 rows" in text(client.get("/jobs"))
    assert "The erasing is finished" in text(client.get(f"/journal/{job.operation_id}/receipt"))


def test_a_receipt_is_of_a_rewind_or_a_forget_only(signed_in: Callable[[str], Client]) -> None:
    number = write("Acme", "Jane")
    assert signed_in("operator").get(f"/journal/{number}/receipt").status_code == 404


def test_empty_pages_teach(signed_in: Callable[[str], Client]) -> None:
    client = signed_in("operator")
    assert "Nothing is withheld" in text(client.get("/forget/withheld"))
    assert "No long work yet" in text(client.get("/jobs"))
    assert "Nothing is on hold" in text(client.get("/holds"))
    assert "No scope yet" in text(client.get("/scopes"))


def test_a_withheld_fact_asks_for_a_reason_to_be_given_back(signed_in: Callable[[str], Client]) -> None:
    write("Acme", "Jane")
    fact = Fact.objects.get().origin_id
    forget(Selector(ids=(fact,)), actor="olga", reason="a name", reader=EVERYTHING)
    answer = signed_in("operator").post(f"/facts/{fact}/restore", {"reason": ""})
    assert answer.status_code == 422
    assert values("Acme") == []
