"""A real price list's history, replayed: what it said on a day, and what had been known of that day by then."""

from __future__ import annotations

import csv

import pytest

from brain.models import Key, Operation
from brain.time import parse
from brain.verify import check
from tests.commands.running import PRICES, run, values

pytestmark = pytest.mark.usefixtures("brain")

TERRA = ("openai/gpt-5.6-terra", "input_price")
DAYS = ("2025-10-11", "2025-12-01", "2026-05-20", "2026-07-01", "2026-08-05")
# read off the file by hand: what the list said of each model at the start of each of DAYS
BY_HAND = {
    ("google/gemini-2.5-flash", "input_price"): ("0.15", "0.3", "0.3", "0.3", "0.3"),
    ("google/gemini-2.5-flash", "output_price"): ("0.6", "2.5", "2.5", "2.5", "2.5"),
    ("google/gemini-2.5-flash-preview", "input_price"): ("0.15", None, None, None, None),
    ("google/gemini-3.5-flash", "output_price"): (None, None, "9", "9", "9"),
    ("openai/gpt-image-1", "input_cached_price"): ("1.25",) * 5,
    ("openai/gpt-5.6-luna", "output_price"): (None, None, None, "6.0", "1.2"),
    ("openai/gpt-5.6-luna-272k", "input_price"): (None, None, None, None, "0.4"),
    ("anthropic/claude-sonnet-4", "input_price"): (None,) * 5,
    ("anthropic/claude-4.5-opus", "input_price"): (None,) * 5,
    ("xai/grok-3-beta", "output_price"): (None,) * 5,
    ("deepseek/deepseek-chat", "input_price"): ("0.27",) * 5,
    ("amazon/amazon-nova-micro", "input_price"): ("0.035",) * 5,
}


@pytest.fixture(autouse=True)
def _price_list(brain: None) -> None:
    run("import_facts", PRICES, "--keep-recorded")


def test_every_line_is_stored_one_operation_a_recorded_time() -> None:
    rows = list(csv.DictReader(PRICES.open()))
    instants = [operation.at for operation in Operation.objects.order_by("id")]
    assert len(rows) == sum(sum(operation.counts.values()) for operation in Operation.objects.all()) == 416
    assert instants == sorted({parse(row["recorded_at"]) for row in rows})
    assert Key.objects.count() == 376
    assert check() == []


def test_a_price_cut_is_read_on_both_clocks() -> None:
    cut, corrected = parse("2026-07-30T17:34:21Z"), parse("2026-07-30T17:39:30Z")
    assert values("2026-07-01")[TERRA] == "2.5"
    assert values("2026-07-30")[TERRA] == "2"
    assert values("2026-07-30", cut)[TERRA] == "2.5"
    assert values("2026-07-30T17:34:21Z", cut)[TERRA] == "2"
    assert values("2026-07-30", corrected - 1)[TERRA] == "2.5"
    assert values("2026-07-30", corrected)[TERRA] == "2"


def test_models_agree_with_the_file_by_hand() -> None:
    for number, day in enumerate(DAYS):
        held = values(day)
        assert {key: held.get(key) for key in BY_HAND} == {key: prices[number] for key, prices in BY_HAND.items()}


def test_a_price_announced_for_september_is_scheduled() -> None:
    sonnet = ("anthropic/claude-sonnet-5", "input_price")
    announced = parse("2026-06-30T21:30:46Z")
    assert values("2026-09-01", announced)[sonnet] == "3"
    assert sonnet not in values("2026-08-31", announced)


def test_the_same_file_again_changes_nothing() -> None:
    before = Operation.objects.count()
    assert "was imported before" in run("import_facts", PRICES, "--keep-recorded")
    assert Operation.objects.count() == before
