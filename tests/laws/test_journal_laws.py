"""Law 8 of the rules: what was acknowledged is in the journal, and what was done to the journal is found."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from hypothesis import assume, given
from hypothesis import strategies as st

from brain import verify
from brain.models import Fact, Operation
from tests.laws.plays import Play, afterwards_undone
from tests.laws.steps import Step
from tests.laws.strategies import whole_histories


@given(whole_histories)
def test_whatever_is_done_is_journaled_and_verifies(history: list[Step]) -> None:
    with afterwards_undone():
        brain = Play().act(history)
        done = Operation.objects.order_by("id").values_list("id", "kind", "actor")
        assert list(done) == [(one.id, one.kind, one.actor) for one in brain.operations]
        assert verify.check() == []


CHANGES: dict[str, str] = {
    "actor": "actor = actor || 'x'",
    "kind": "kind = kind || 'x'",
    "at": "at = at + 1",
    "reason": "reason = reason || 'x'",
    "counts": """counts = '{"created": 7}'""",
    "details": """details = '{"x": 7}'""",
    "contents": "contents_digest = previous_hash",
    "hash": "hash = hash || '0'",
    "the hash before": "previous_hash = previous_hash || '0'",
    "the last fact": "last_fact = last_fact + 1",
}


tampering = st.sampled_from(["dropped", "swapped", *sorted(CHANGES)])


@given(whole_histories, tampering, st.integers(0, 9), st.integers(1, 9))
def test_a_changed_dropped_or_swapped_row_of_the_journal_is_found_and_named(
    history: list[Step], what: str, first: int, further: int
) -> None:
    with afterwards_undone():
        last = Play().act(history).last()
        number = 1 + first % (last - 1 if what in {"dropped", "swapped"} and last > 1 else last)
        if what in CHANGES:
            _change(f"UPDATE operation SET {CHANGES[what]} WHERE id = {number}")
        elif what == "dropped":
            assume(number < last)
            _change(f"DELETE FROM operation WHERE id = {number}")
        else:
            assume(number < last)
            _swap(number, number + 1 + further % (last - number))
        assert any(f"operation {number}:" in problem for problem in verify.check()), what


def _swap(first: int, second: int) -> None:
    for old, new in ((first, 999_999), (second, first), (999_999, second)):
        _change(f"UPDATE operation SET id = {new} WHERE id = {old}")


def test_a_journal_cut_at_its_end_shows_beside_a_head_kept_elsewhere(a_price: None) -> None:
    kept = verify.head()
    Operation.objects.filter(pk=2)._raw_delete(Operation.objects.db)
    assert verify.head() != kept


FORGERIES: dict[str, Callable[[], object]] = {
    "a value": lambda: Fact.objects.filter(pk=1).update(value="9"),
    "a source": lambda: Fact.objects.filter(pk=1).update(source="x"),
    "a writer": lambda: Fact.objects.filter(pk=1).update(written_by="x"),
    "an instant": lambda: Fact.objects.filter(pk=1).update(learned_at=_instant() - 1),
    "an expiry": lambda: Fact.objects.filter(pk=1).update(expires_at=_instant() + 1),
    "a category": lambda: Fact.objects.filter(pk=1).update(category="identity"),
    "a confidence": lambda: Fact.objects.filter(pk=1).update(confidence=0.5),
    "an operation": lambda: Fact.objects.filter(pk=1).update(recorded_in=2),
    "a retraction": lambda: Fact.objects.filter(pk=2).update(retracted_in=2),
    "a forgetting": lambda: Fact.objects.filter(pk=1).update(forgotten_in=2),
    "a link": lambda: Fact.objects.filter(pk=1).update(superseded_at=_instant() + 1),
    "the row itself": lambda: Fact.objects.filter(pk=2)._raw_delete(Fact.objects.db),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_a_fact_that_was_tampered_with_is_found(a_price: None, what: str) -> None:
    FORGERIES[what]()
    assert verify.check() != []


def _instant() -> int:
    return Fact.objects.values_list("learned_at", flat=True).get(pk=1)


def _change(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
