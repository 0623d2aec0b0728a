"""Fading: importance is start × the factors of the passes since the fact was first said; a pass edits no row."""

from __future__ import annotations

import pytest

from brain import journal, lifecycle
from brain.describe import describe
from brain.forget import forget_scope
from brain.history import history
from brain.models import Fact
from brain.reader import EVERYTHING
from brain.recall import recall
from brain.remember import remember
from brain.retire import end
from brain.saying import Saying
from brain.time import DAY

JAN = 1_767_225_600_000  # 2026-01-01


def _say(category: str, **more: object) -> Fact:
    said = Saying(category, "p", "v", "s", "w", learned_at=JAN, category=category, **more)
    return remember(said, actor="w").fact


def _importance(subject: str, **at: object) -> float:
    clocks = journal.resolve(**at)
    rows = history(EVERYTHING, clocks, subject=subject).order_by("-id")[:1]
    return describe(rows, clocks, EVERYTHING)[0].importance


def test_the_figures_after_7_30_and_60_daily_passes() -> None:
    for category in ("context", "knowledge", "identity"):
        _say(category)
    figures = {}
    for day in range(1, 61):
        lifecycle.decay(actor="scheduler")
        figures[day] = {name: round(_importance(name), 2) for name in ("context", "knowledge", "identity")}
    assert [figures[day]["context"] for day in (7, 30, 60)] == [0.35, 0.11, 0.02]
    assert figures[60] == {"context": 0.02, "knowledge": 0.59, "identity": 1.0}


def test_passes_before_a_fact_was_first_said_do_not_count_and_saying_again_keeps_its_age() -> None:
    lifecycle.decay(actor="scheduler")
    fact = _say("knowledge")
    assert _importance("knowledge") == 0.8
    lifecycle.decay(actor="scheduler")
    end(fact.pk, at=JAN + 4000 * DAY, actor="w", reason="later")
    assert _importance("knowledge") == pytest.approx(0.8 * 0.995)


def test_importance_is_as_at_both_clocks() -> None:
    _say("knowledge")
    before = journal.last_id()
    lifecycle.decay(actor="scheduler")
    assert _importance("knowledge", known_at=f"op:{before}") == 0.8
    assert _importance("knowledge", as_of=JAN) == 0.8
    assert _importance("knowledge") == pytest.approx(0.796)


def test_facts_taught_after_the_whole_brain_was_forgotten_have_not_faded() -> None:
    _say("knowledge")
    lifecycle.decay(actor="scheduler")
    forget_scope("/", actor="op", reason="a fresh start", reader=EVERYTHING)
    _say("knowledge")
    assert recall("knowledge").facts[0].importance == _importance("knowledge") == 0.8
    lifecycle.decay(actor="scheduler")
    assert recall("knowledge").facts[0].importance == _importance("knowledge") == 0.8 * 0.995


def test_a_pass_is_one_operation_and_edits_no_row() -> None:
    for n in range(5):
        remember(Saying(f"s{n}", "p", "v", "s", "w"), actor="w")
    rows = list(Fact.objects.order_by("pk").values())
    before = journal.last_id()
    assert lifecycle.decay(actor="scheduler").counts["affected"] >= 5
    assert journal.last_id() == before + 1
    assert list(Fact.objects.order_by("pk").values()) == rows


def test_an_expiry_pass_counts_what_ran_out_since_the_last_one() -> None:
    lifecycle.expire(actor="scheduler")
    _say("context")
    assert lifecycle.expire(actor="scheduler").counts["affected"] == 0  # it ran out before the last pass
    remember(Saying("soon", "p", "v", "s", "w", expires_at=journal.now() + 500), actor="w")
    while journal.now() <= Fact.objects.get(key__subject="soon").expires_at:
        pass
    assert lifecycle.expire(actor="scheduler").counts["affected"] == 1
    assert lifecycle.expire(actor="scheduler").counts["affected"] == 0
