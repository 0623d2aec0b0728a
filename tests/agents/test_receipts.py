"""Every question of an agent leaves a receipt, which neither a killed process nor a busy brain loses."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from brain import draining, receipts, retire, spool
from brain.errors import Conflict, Invalid, NotFound
from brain.forget import forget, retain
from brain.journal import now, resolve
from brain.models import Fact, Receipt, ReceiptFact
from brain.reader import EVERYTHING, Reader
from brain.selectors import Selector
from brain.turns import turn
from tests.agents.story import APR, FEB, JAN, MAR, TIER, ask, say, seen

pytestmark = pytest.mark.usefixtures("_on_both")


def test_a_recall_leaves_who_asked_what_and_which_facts_were_served() -> None:
    fact = say("$4,200")
    left = seen(ask(as_of=FEB))
    assert (left.agent, left.query["subject"], left.as_of, left.fact_ids) == (
        "brief-writer",
        TIER,
        FEB,
        [fact.origin_id],
    )


def test_a_receipt_can_be_found_by_agent_subject_fact_day_and_text() -> None:
    fact = say("$4,200")
    receipt, other = ask(), ask("unknown", agent="other")
    receipts.answer(receipt, "It costs Four Thousand.", agent="brief-writer")
    at = seen(receipt).at
    for found in (
        {"agent": "brief-writer"},
        {"subject": "tier 2 RENEWAL"},
        {"fact": fact.origin_id},
        {"q": "four thous"},
    ):
        assert [row.pk for row in receipts.listing(EVERYTHING, **found)] == [receipt]
    assert {row.pk for row in receipts.listing(EVERYTHING, start=at, end=at + 60_000)} == {receipt, other}
    assert not receipts.listing(EVERYTHING, end=at).exists()


def test_a_search_is_found_by_the_subject_of_what_it_served() -> None:
    fact = say("$4,200")
    receipt = receipts.leave(
        agent="a", scope="/", query={"kind": "search", "q": "renew"}, at=resolve(), fact_ids=[fact.origin_id]
    )
    assert [row.pk for row in receipts.listing(EVERYTHING, subject=TIER)] == [receipt]


def test_an_agent_without_audit_sees_its_own_receipts_only() -> None:
    mine, theirs = ask(agent="me"), ask(agent="them")
    assert [row.pk for row in receipts.listing(Reader(), own="me")] == [mine]
    with pytest.raises(NotFound):
        receipts.receipt(theirs, Reader(), own="me")


def test_a_receipt_of_another_scope_reads_like_one_that_never_was() -> None:
    receipt = ask(scope="/apac")
    for missing in (receipt, "0123456789abcdef", "", "%00", "x" * 5000):
        with pytest.raises(NotFound, match="there is no such receipt"):
            receipts.receipt(missing, Reader("/emea", audit=True))


def test_receipts_end_at_the_readers_pin_by_when_and_by_what_was_asked() -> None:
    later, earlier = ask(as_of=APR), ask(as_of=JAN)
    draining.drain()
    assert not receipts.listing(Reader(audit=True, pin=FEB)).exists()
    Receipt.objects.update(at=JAN)
    assert [row.pk for row in receipts.listing(Reader(audit=True, pin=FEB))] == [earlier] != [later]


def test_an_agent_answers_once_and_only_its_own_receipt() -> None:
    receipt = ask()
    with pytest.raises(NotFound):
        receipts.answer(receipt, "$1", agent="somebody else")
    assert receipts.answer(receipt, "  $4,200\n", agent="brief-writer").answer == "$4,200"
    with pytest.raises(Conflict):
        receipts.answer(receipt, "$3,600", agent="brief-writer")
    assert seen(receipt).answer == "$4,200"


@pytest.mark.parametrize("text", ["", "  ", None, 7, "nul\0", "\ud800", "x" * 65_537])
def test_an_answer_that_is_no_text_is_refused_by_its_field(text: object) -> None:
    receipt = ask()
    with pytest.raises(Invalid) as refusal:
        receipts.answer(receipt, text, agent="brief-writer")
    assert [field for field, _ in refusal.value.errors] == ["text"]


def test_a_receipt_waits_in_the_spool_and_is_drained_once() -> None:
    say("$4,200")
    receipt = ask()
    assert not Receipt.objects.exists()
    draining.drain()
    draining.drain()  # the files of a transaction that is still open are still there: a replay
    assert [row.pk for row in Receipt.objects.all()] == [receipt]
    assert ReceiptFact.objects.count() == 1


def test_a_receipt_is_left_while_a_writer_holds_the_brain() -> None:
    with turn():
        assert ask() is not None


def test_a_receipt_that_cannot_be_written_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("BRAIN_SPOOL_DIR", str(tmp_path / "file"))
    assert receipts.leave(agent="a", scope="/", query={"kind": "recall"}, at=resolve(), fact_ids=[]) is None


def test_a_torn_line_costs_no_other_receipt() -> None:
    first = ask()
    with (spool.directory() / spool.CURRENT).open("a") as file:
        file.write('\n{"id":"torn')
    second = ask()
    assert {row.pk for row in receipts.listing(EVERYTHING)} == {first, second}


def test_receipts_left_while_the_spool_is_set_aside_go_to_a_new_file() -> None:
    first = ask()
    closed = spool.set_aside()
    second = ask()
    assert [record["id"] for path in closed for record in spool.records(path)] == [first]
    assert {row.pk for row in receipts.listing(EVERYTHING)} == {first, second}


LEAVER = """
import os, sys, django
django.setup()
from brain import receipts
from brain.time import AsOf
for n in range(int(sys.argv[1])):
    print(receipts.leave(agent=f"a{os.getpid()}", scope="/", query={"kind": "recall", "subject": "s" * (n % 500)},
                         at=AsOf(1_770_000_000_000, 0, True), fact_ids=[]), flush=True)
os.kill(os.getpid(), 9)
"""


def test_four_processes_killed_at_their_last_receipt_lose_none() -> None:
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "dashboard.settings"}
    command = [sys.executable, "-c", LEAVER, "200"]
    running = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    for _ in range(5):
        draining.drain()
    promised = {line for process in running for line in process.communicate()[0].split()}
    assert len(promised) == 800
    assert promised <= {row.pk for row in receipts.listing(EVERYTHING)}


def test_retention_of_receipts_takes_the_old_ones() -> None:
    old, new = ask(), ask()
    draining.drain()
    Receipt.objects.filter(pk=old).update(at=MAR)
    assert receipts.expire(days=30) == 1
    assert [row.pk for row in receipts.listing(EVERYTHING)] == [new]


# -- what forgetting does to receipts


def purge(fact: Fact) -> None:
    forget(Selector(ids=(fact.origin_id,)), actor="op", reason="x", reader=EVERYTHING, purge=True)


def test_erasing_an_old_saying_of_a_fact_that_goes_on_blanks_nothing() -> None:
    fact = say("$4,200")
    receipt = ask()
    retire.end(fact.pk, at=4_000_000_000_000, actor="op", reason="x")
    retain(now() + 1, basis="ended_at", actor="op", reason="x", reader=EVERYTHING)
    assert not seen(receipt).erased


def test_erasing_a_fact_blanks_the_receipts_that_named_it() -> None:
    fact = say("$4,200")
    receipt = ask()
    receipts.answer(receipt, "They pay $4,200.", agent="brief-writer")
    untouched = ask("something else")
    assert receipts.affected([fact.origin_id]) == 1
    purge(fact)
    blank = seen(receipt)
    assert (blank.erased, blank.answer, blank.words, blank.query) == (True, None, "", {"kind": "recall"})
    assert blank.fact_ids == [fact.origin_id]
    assert not seen(untouched).erased


def test_erasing_reaches_receipts_that_are_still_in_the_spool() -> None:
    fact = say("$4,200")
    receipt = ask()
    purge(fact)
    assert seen(receipt).erased


def test_an_erased_text_of_eight_characters_blanks_any_receipt_that_contains_it() -> None:
    searched = ask("ZQX-PURGE-7731")
    answered, short = ask("one"), ask("two")
    receipts.answer(answered, "It was zqx-purge-7731, they said.", agent="brief-writer")
    receipts.answer(short, "It was ZQX-77.", agent="brief-writer")
    assert receipts.erase(set(), ["ZQX-PURGE-7731", "ZQX-77"]) == 2
    assert [seen(row).erased for row in (searched, answered, short)] == [True, True, False]


def test_many_erased_texts_are_found_as_few_are() -> None:
    receipt = ask("number 00000042 of the list")
    assert receipts.erase(set(), [f"{n:08}" for n in range(1000)]) == 1
    assert seen(receipt).erased


def test_a_receipt_drained_after_its_fact_was_erased_comes_in_blank() -> None:
    query = {"kind": "recall", "subject": TIER}
    blank = seen(receipts.leave(agent="a", scope="/", query=query, at=resolve(), fact_ids=[9]) or "")
    assert (blank.erased, blank.query) == (True, {"kind": "recall"})


def test_a_blank_receipt_takes_no_answer() -> None:
    fact = say("$4,200")
    receipt = ask()
    purge(fact)
    with pytest.raises(Conflict):
        receipts.answer(receipt, "$4,200", agent="brief-writer")


def test_erasing_a_scope_takes_the_receipts_of_reads_in_it() -> None:
    gone, below, stays = ask(scope="/emea"), ask(scope="/emea/sub"), ask(scope="/emeax")
    assert receipts.erase_scope("/emea") == 2
    assert [row.pk for row in receipts.listing(EVERYTHING)] == [stays]
    assert gone != below


def test_a_preview_counts_the_receipts_of_very_many_facts() -> None:
    fact = say("$4,200")
    ask(), ask(as_of=APR)
    assert receipts.affected(range(5000)) == receipts.affected([fact.origin_id]) == 2
