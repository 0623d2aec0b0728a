"""Writers take turns: whatever was acknowledged is in the history, whoever wrote or erased at the same time."""

from __future__ import annotations

from collections import Counter

import pytest

from brain import journal, time
from brain.history import history
from brain.models import Fact, Operation
from brain.reader import EVERYTHING
from brain.remember import remember, remember_many
from brain.saying import Saying
from tests.commands.running import run
from tests.concurrency import crew

pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.django_db(transaction=True)]
WRITES = 2_000


def test_eight_processes_write_to_ten_shared_keys() -> None:
    writers = [crew.start("write", f"writer-{number}", WRITES // 8) for number in range(8)]
    told = [fact for writer in writers for fact in crew.acknowledged(writer)]
    assert len(told) == WRITES
    assert Counter(told) == Counter(row.origin_id for row in history(EVERYTHING, journal.resolve()))
    assert journal.last_id() == Operation.objects.count() == WRITES
    for key, temporary in Fact.objects.order_by().values_list("key", "temporary").distinct():
        open_rows = Fact.objects.filter(key=key, temporary=temporary, superseded_by=None, retracted_in=None)
        assert open_rows.count() == 1
    run("verify")


def test_two_operators_erase_while_four_write() -> None:
    kept = _old_prices()
    untouched = list(Fact.objects.filter(origin__in=kept).order_by("pk").values_list("pk", "value", "retracted_in"))
    operators = [crew.start("retain", 10), crew.start("purge", 10)]
    writers = [crew.start("write", f"writer-{number}", 100) for number in range(4)]
    told = [fact for writer in writers for fact in crew.acknowledged(writer)]
    for operator in operators:
        crew.acknowledged(operator)
    assert len(told) == 400
    remaining = Counter(row.origin_id for row in history(EVERYTHING, journal.resolve()))
    assert remaining == Counter([*told, *kept])
    again = Fact.objects.filter(origin__in=kept).order_by("pk").values_list("pk", "value", "retracted_in")
    assert list(again) == untouched
    run("verify")


def _old_prices() -> list[int]:
    """Twenty superseded prices and twenty leaks of each shared key, which the operators erase; the answer is what they
    leave: prices of the same age that nothing superseded."""
    old = [
        Saying(key, "price", f"{source} {n}", source, "ann", crew.BEGIN - (40 - n) * time.DAY)
        for key in crew.KEYS
        for source in ("sheet", crew.LEAK)
        for n in range(20)
    ]
    remember_many(old, actor="ann")
    alone = [Saying(f"alone {n}", "price", "1", "sheet", "ann", crew.BEGIN - 50 * time.DAY) for n in range(20)]
    last_ones = [remember(Saying(key, "price", "last", "sheet", "ann", crew.BEGIN), actor="ann") for key in crew.KEYS]
    done = remember_many(alone, actor="ann")
    return [outcome.fact.origin_id for outcome in [*last_ones, *done.outcomes]]
