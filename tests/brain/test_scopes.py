"""§1: a scope is a folder; it is made by the first write, and a read of one sees no other."""

from __future__ import annotations

import pytest

from brain import journal, listing, saying, scopes
from brain.errors import Conflict, Frozen, Invalid, NotFound
from brain.reader import EVERYTHING, Reader
from brain.retire import end, retract
from tests.brain.asking import JAN, MAR, asked, held, said, say

EIGHT = "/a/b/c/d/e/f/g/h"


@pytest.mark.parametrize("name", ["/", "/emea", "/emea/pricing", "/a.b_c-9", "/" + "x" * 64, EIGHT])
def test_a_scope_is_up_to_eight_small_names(name: str) -> None:
    assert saying.scope(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "emea",
        "/emea/",
        "//",
        "/a//b",
        "/Emea",
        "/é",
        "/a b",
        "/" + "x" * 65,
        EIGHT + "/i",
        "/a\n",
        "/a\x00",
        None,
        1,
    ],
)
def test_anything_else_is_refused(name: object) -> None:
    with pytest.raises(Invalid, match="scope"):
        saying.scope(name)


def test_a_scope_inherits_nothing() -> None:
    say("1", scope="/")
    say("2", scope="/emea")
    say("3", scope="/emea/pricing")
    assert [held(scope=scope) for scope in ("/", "/emea", "/emea/pricing", "/apac")] == ["1", "2", "3", None]


def test_under_a_scope_means_it_or_below_it() -> None:
    for scope in ("/", "/e", "/e/a", "/e-a", "/e.a", "/e0", "/ea"):
        say("1", scope=scope)
    assert [fact.scope for fact in asked(scope="/e", recursive=True).facts] == ["/e", "/e/a"]
    assert [fact.scope for fact in asked(scope="/", recursive=True).facts] == sorted(
        ["/", "/e", "/e/a", "/e-a", "/e.a", "/e0", "/ea"]
    )


def test_a_scope_is_made_by_the_first_write() -> None:
    assert not scopes.scopes(EVERYTHING).exists()
    say("1", scope="/emea")
    say("2", MAR, scope="/emea")
    assert [scope.name for scope in scopes.scopes(EVERYTHING)] == ["/emea"]


def test_what_lies_elsewhere_is_answered_like_what_never_was() -> None:
    fact = said("1", scope="/apac")
    there = Reader(scope="/emea")
    for fact_id in (fact, 999_999):
        with pytest.raises(NotFound):
            retract(fact_id, actor="ann", reason="x", reader=there)
        with pytest.raises(NotFound):
            end(fact_id, at=MAR, actor="ann", reason="x", reader=there)
        with pytest.raises(NotFound):
            listing.fact(fact_id, journal.resolve(), there)


def test_a_frozen_scope_takes_no_operation_on_facts_and_reads_go_on() -> None:
    fact, below = said("1", scope="/emea"), said("1", scope="/emea/pricing")
    outside = said("1", scope="/apac")
    scopes.freeze("/emea", actor="op", reason="audit")
    for scope in ("/emea", "/emea/pricing"):
        with pytest.raises(Frozen):
            say("2", MAR, scope=scope)
    for fact_id in (fact, below):
        with pytest.raises(Frozen):
            retract(fact_id, actor="ann", reason="x")
        with pytest.raises(Frozen):
            end(fact_id, at=MAR, actor="ann", reason="x")
    assert held(scope="/emea") == "1"
    retract(outside, actor="ann", reason="x")
    scopes.unfreeze("/emea", actor="op", reason="done")
    assert say("2", MAR, scope="/emea").outcome == "superseded"


def test_a_frozen_brain_takes_nothing() -> None:
    scopes.freeze("/", actor="op", reason="audit")
    with pytest.raises(Frozen):
        say("1", scope="/emea/pricing")


def test_a_tombstoned_scope_keeps_its_facts_and_takes_no_new_writes() -> None:
    fact = said("1", scope="/emea/pricing")
    scopes.tombstone("/emea/pricing", actor="op")
    with pytest.raises(Conflict):
        say("2", MAR, scope="/emea/pricing")
    with pytest.raises(Conflict):
        say("2", MAR, scope="/emea/pricing/below")
    assert held(scope="/emea/pricing") == "1"
    assert held(JAN, scope="/emea/pricing") == "1"
    assert end(fact, at=MAR, actor="ann", reason="over").outcome == "ended"
