"""After a purge no file of the brain holds what was purged: not searched for, answered, asked about or approved."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connections

from brain import approvals, receipts, retire, spool
from brain.approvals import Asker
from brain.embedding import WordLlama
from brain.forget import forget
from brain.reader import EVERYTHING
from brain.search import search
from brain.selectors import Selector
from brain.vectors import store_missing
from tests import databases
from tests.agents.story import ask, say

VALUE = "ZQX-PURGE-7731"
WORDS = [b"ZQX", b"zqx", VALUE.encode(), VALUE.lower().encode()]


@pytest.fixture
def brain(tmp_path: Path, django_db_blocker, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A brain in a file of its own, with its spool beside it; its folder."""
    monkeypatch.delenv("BRAIN_SPOOL_DIR")
    with databases.default_is(f"sqlite:///{tmp_path}/brain.db"), django_db_blocker.unblock():
        call_command("migrate", verbosity=0)
        yield tmp_path
        connections.close_all()


def bytes_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_a_value_that_was_searched_answered_asked_about_and_decided_leaves_no_byte(brain: Path) -> None:
    for n in range(50):
        say(f"value {n}", subject=f"Other {n}")
    fact = say(VALUE, subject="Zqx renewal", written_by="bot")
    retire.end(fact.pk, at=4_000_000_000_000, actor="op", reason=f"was {VALUE}")
    receipt = ask("Zqx renewal")
    receipts.answer(receipt, f"It is {VALUE}.", agent="brief-writer")
    hits = search(VALUE, mode="hybrid", embedding=WordLlama())
    assert hits[0].fact.value == VALUE
    store_missing(WordLlama())
    pending = approvals.delete(fact.pk, asker=Asker("bot", frozenset({"memory:write"})), reason=f"{VALUE} is old")
    approvals.reject(pending.approval.pk, by="ann", reason=f"keep {VALUE}", reader=EVERYTHING)
    left = ask("Zqx renewal")
    assert VALUE.encode() in bytes_of(brain)
    done = forget(Selector(ids=(fact.pk,)), actor="op", reason="x", reader=EVERYTHING, purge=True)
    assert done.storage == "erased"
    assert not [word for word in WORDS if word in bytes_of(brain)]
    assert receipts.receipt(left, EVERYTHING).erased
    assert not spool.waiting()
    assert search("other", at=None)
