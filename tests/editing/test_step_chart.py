"""Amounts of one currency as steps: higher is more, what holds is marked, and values are written as they are."""

from __future__ import annotations

from dashboard.step_chart import Stretch, steps
from tests.dashboard.conftest import say
from tests.editing.test_change import words


def chart(*values: str):
    share = 100 / len(values)
    return steps(Stretch(n * share, (n + 1) * share, value) for n, value in enumerate(values))


def test_higher_amounts_lie_higher() -> None:
    drawn = chart("$3,600", "$4,200", "$2,900")
    assert drawn is not None
    first, second, third = (float(line.y1) for line in drawn.lines if line.x1 != line.x2)
    assert second < first < third
    assert (drawn.lowest, drawn.highest) == ("$2,900", "$4,200")


def test_values_are_written_as_they_are() -> None:
    drawn = chart("3.600,00 €", "3.750 €")
    assert drawn is not None
    assert [label.text for label in drawn.labels] == ["3.600,00 €", "3.750 €"]


def test_what_is_no_money_of_one_currency_is_not_drawn() -> None:
    assert chart("$3,600", "3.600 €") is None
    assert chart("$3,600", "on request") is None
    assert chart("$3,600", "$3,600") is None
    assert chart("12%", "15%") is None
    assert steps([]) is None


def test_labels_stay_apart() -> None:
    drawn = chart(*(f"${n},000" for n in range(1, 200)))
    assert drawn is not None
    assert len(drawn.labels) < 199


def test_gaps_are_not_bridged() -> None:
    drawn = steps([Stretch(0, 20, "$1"), Stretch(40, 60, "$2")])
    assert drawn is not None
    assert not [line for line in drawn.lines if line.x1 == line.x2]


def test_the_subject_page_offers_the_chart_for_money_only(auditor) -> None:
    say("Tier 2 renewal", "list_price", "$3,900", "2025-11-14")
    say("Tier 2 renewal", "list_price", "$4,200", "2026-01-12")
    say("Tier 2 renewal", "refund", "14 days", "2026-01-12")
    say("Tier 2 renewal", "refund", "30 days", "2026-02-12")
    told = words(auditor.get("/subjects/Tier 2 renewal"))
    assert "list_price as steps" in told
    assert "refund as steps" not in told
