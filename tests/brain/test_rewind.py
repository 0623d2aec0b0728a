"""§4, rewind: what was said at an operation holds again, as an operation on top; what was forgotten stays forgotten."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from brain import journal, scopes, verify
from brain.errors import Conflict, Frozen, Invalid
from brain.forget import forget, restore, retain
from brain.models import Operation
from brain.reader import EVERYTHING, Reader
from brain.retire import end, retract
from brain.rewind import Part, Rewound, rewind
from brain.selectors import Selector
from tests.brain.asking import (
    APR,
    FAR,
    FEB,
    JAN,
    MAR,
    MAY,
    PRICE,
    TIER,
    asked,
    held,
    last,
    look,
    promise,
    said,
    say,
    told,
)

OP = {"actor": "op", "reason": "bad afternoon", "reader": EVERYTHING}


def back(to: int | None, **part: object) -> Rewound:
    return rewind(to, part=Part(**part), **OP)


def withhold(*ids: int, purge: bool = False) -> None:
    forget(Selector(ids=ids), purge=purge, **OP)


def test_what_was_said_since_is_unsaid_and_the_record_stays() -> None:
    say("1", JAN)
    say("2", MAR)
    done = back(1)
    assert (done.retracted, done.restored, held()) == (1, 0, "1")
    assert (held(known_at="op:2"), told()) == ("2", ["1", "2"])


def test_what_was_unsaid_since_is_said_again_under_its_id() -> None:
    fact = said("1", JAN)
    retract(fact, actor="ann", reason="mistake")
    done = back(1)
    assert (done.retracted, done.restored, held()) == (0, 1, "1")
    assert (look(fact).status, held(known_at="op:2")) == ("current", None)


def test_an_end_is_undone() -> None:
    fact = said("1", JAN)
    end(fact, at=FEB, actor="ann", reason="over")
    back(1)
    assert (held(), look(fact).expires_at) == ("1", None)


def test_a_rewind_to_the_empty_brain_unsays_everything() -> None:
    say("1", JAN)
    say("2", MAR)
    assert (back(0).retracted, held()) == (2, None)


def test_a_rewind_can_be_rewound_and_that_again() -> None:
    say("1", JAN)
    say("2", MAR)
    before = journal.last_id()
    back(1)
    back(before)
    assert (held(), held(FEB)) == ("2", "1")
    back(before + 1)
    assert held() == "1"


def test_a_rewind_keeps_both_tracks_in_order() -> None:
    say("1", JAN)
    promise("2", FEB, MAY)
    say("3", APR)
    then = journal.last_id()
    promise("4", MAR, FAR)
    say("0", JAN - 1)
    back(then)
    assert [held(JAN - 1), held(JAN), held(MAR), held(APR), held(MAY)] == [None, "1", "2", "2", "3"]


def test_forgetting_is_not_undone() -> None:
    first, second = said("1", JAN), said("2", MAR)
    then = journal.last_id()
    withhold(second)
    withhold(first, purge=True)
    back(then)
    assert (held(), held(JAN), told()) == (None, None, ["2"])


def test_a_restore_is_not_undone() -> None:
    fact = said("1")
    withhold(fact)
    then = journal.last_id()
    restore(fact, **OP)
    back(then)
    assert held() == "1"


def test_marks_and_holes_move_with_their_rows() -> None:
    kept, gone = said("1", JAN, subject="a"), said("2", JAN, subject="b")
    say("0", FAR, subject="b")
    then = journal.last_id()
    for fact in (kept, gone):
        retract(fact, actor="ann", reason="mistake")
    withhold(kept)
    withhold(gone, purge=True)
    done = back(then)
    assert (done.restored, done.kept_forgotten) == (2, 2)
    assert (held(subject="a"), held(subject="b"), look(kept).status) == (None, None, "forgotten")


def test_a_hole_of_retention_still_says_that_history_is_incomplete() -> None:
    say("1", JAN)
    say("2", MAR)
    retain(APR, **OP)
    say("3", APR)
    back(2)
    assert (held(), asked(FEB).history_complete) == ("2", False)


@pytest.mark.parametrize(
    ("part", "left"),
    [
        ({"subject": "a"}, ["b", "c"]),
        ({"scope": "/emea"}, ["a", "b"]),
        ({"written_by": "bob"}, ["a", "c"]),
        ({"source": "mail"}, ["b", "c"]),
        ({"actor": "bob"}, ["a", "c"]),
        ({"subject": "a", "source": "sheet"}, ["a", "b", "c"]),
        ({}, []),
    ],
)
def test_a_rewind_can_be_narrowed(part: dict[str, object], left: list[str]) -> None:
    say("a", subject="a", source="mail")
    say("b", subject="b", written_by="bob")
    say("c", subject="c", scope="/emea/pricing")
    back(0, **part)
    answers = [asked(subject=subject, recursive=True).facts for subject in "abc"]
    assert [fact.value for facts in answers for fact in facts] == left


def test_a_rewind_of_ids_takes_those_alone() -> None:
    first, second = said("1", subject="a"), said("2", subject="b")
    assert back(0, ids=(first,)).retracted == 1
    assert (look(first).status, look(second).status) == ("retracted", "current")


def test_narrowed_to_an_actor_it_undoes_what_that_one_unsaid_too() -> None:
    fact = said("1", JAN)
    then = journal.last_id()
    retract(fact, actor="rogue", reason="mischief")
    say("9", MAR, written_by="rogue")
    say("2", APR, predicate="discount")
    done = back(then, actor="rogue")
    assert (done.retracted, done.restored, held()) == (1, 1, "1")
    assert len(asked().facts) == 2


def test_an_actors_end_that_another_moved_since_stays_moved() -> None:
    fact = said("1", JAN)
    end(fact, at=MAR, actor="rogue", reason="mischief")
    end(fact, at=FAR, actor="ann", reason="repaired")
    back(1, actor="rogue")
    assert look(fact).expires_at == FAR


# -- undo


def test_undo_takes_back_named_operations_only() -> None:
    say("1", JAN)
    say("2", MAR)
    say("x", MAR, predicate="discount")
    done = back(None, operations=(2,))
    assert (done.retracted, held(), len(asked().facts)) == (1, "1", 2)


def test_undo_brings_back_what_an_operation_unsaid() -> None:
    fact = said("1", JAN)
    retract(fact, actor="ann", reason="mistake")
    assert (back(None, operations=(2,)).restored, held()) == (1, "1")


def test_undo_refuses_when_a_later_operation_touched_one_of_the_facts() -> None:
    fact = said("1", JAN)
    end(fact, at=FAR, actor="ann", reason="planned")
    before = last()
    with pytest.raises(Conflict, match=str(fact)):
        back(None, operations=(1,))
    assert last() == before
    assert back(None, operations=(1, 2)).retracted == 1


def test_a_forgetting_since_is_a_touch_and_an_affirmation_is_not() -> None:
    fact = said("1", JAN)
    say("1", JAN)
    assert back(None, operations=(1,)).retracted == 1
    back(2)
    withhold(fact)
    with pytest.raises(Conflict):
        back(None, operations=(4,))


def test_a_new_neighbour_is_no_touch() -> None:
    say("1", JAN)
    say("2", MAR)
    assert (back(None, operations=(1,)).retracted, held(), held(FEB)) == (1, "2", None)


def test_forgets_among_the_operations_are_skipped() -> None:
    fact = said("1", JAN)
    withhold(fact)
    done = back(None, operations=(1, 2))
    assert (done.retracted, look(fact).status) == (1, "retracted")
    back(2)
    assert (held(), look(fact).status) == (None, "forgotten")


def test_one_bad_batch_among_good_writes_is_undone() -> None:
    good = said("1", JAN)
    say("9", MAR)
    say("x", APR, subject="another")
    back(None, operations=(2,))
    assert look(good).status == "current"
    assert asked(subject="another").facts != []


# -- refused, tried


@pytest.mark.parametrize(("to", "part"), [(None, {}), (1, {"operations": (1,)}), (None, {"operations": (7,)})])
def test_a_rewind_names_a_point_or_operations_that_there_are(to: int | None, part: dict[str, object]) -> None:
    say("1")
    with pytest.raises(Invalid):
        back(to, **part)


def test_a_rewind_needs_a_reason() -> None:
    with pytest.raises(Invalid) as refused:
        rewind(0, **(OP | {"reason": ""}))
    assert [field for field, _ in refused.value.errors] == ["reason"]


def test_a_rewind_that_meets_a_frozen_scope_is_refused_whole() -> None:
    say("1", scope="/emea")
    say("2", scope="/apac")
    scopes.freeze("/emea", actor="op", reason="audit")
    with pytest.raises(Frozen):
        back(0)
    assert held(scope="/apac") == "2"
    assert back(0, scope="/apac").retracted == 1


def test_an_operator_rewinds_its_subtree_only() -> None:
    say("1", scope="/emea")
    say("2", scope="/apac")
    done = rewind(0, **(OP | {"reader": Reader(scope="/emea")}))
    assert (done.retracted, held(scope="/apac")) == (1, "2")


def test_a_try_names_the_answers_that_would_change_and_leaves_no_trace() -> None:
    say("1", JAN)
    say("2", MAR)
    say("x", MAR, predicate="discount")
    before = last()
    preview = rewind(1, dry_run=True, **OP)
    assert (preview.retracted, preview.operation, last(), held()) == (2, None, before, "2")
    assert _changes(preview) == [("discount", "x", None), (PRICE, "2", "1")] == _changes(back(1))


def _changes(done: Rewound) -> list[tuple[str, str | None, str | None]]:
    return [(one.predicate, one.before and one.before.value, one.after and one.after.value) for one in done.changes]


def test_what_was_backfilled_changes_no_current_answer() -> None:
    say("2", MAR)
    say("1", JAN)
    assert (rewind(1, **OP).changes, held(FEB), held()) == ([], None, "2")


def test_a_rewind_is_one_operation_that_touches_what_it_moves() -> None:
    fact = said("1", JAN)
    say("2", MAR)
    done = back(0, subject=TIER)
    row = Operation.objects.get(pk=done.operation.pk)
    assert (row.kind, row.counts["retracted"], row.counts["restored"]) == ("rewind", 2, 0)
    assert look(fact).operation == row.pk


def test_ten_times_the_rows_take_no_more_statements() -> None:
    def statements(to: int) -> int:
        with CaptureQueriesContext(connection) as captured:
            back(to)
        return len(captured)

    counts = []
    for rows in (3, 30):
        start = journal.last_id()
        for number in range(rows):
            say(f"{number}", JAN + number, predicate=f"p{start}.{number % 5}")
        end = journal.last_id()
        counts.append((statements(start), statements(end)))
    assert counts[0] == counts[1]


def test_what_is_said_again_is_signed_anew() -> None:
    said("1", JAN)
    promise("2", FEB, MAY)
    withhold(said("3", MAR))
    then = journal.last_id()
    back(0)
    back(then)
    assert verify.check() == []
