"""forget, rewind, expire, decay and scrub show first what they would do, and do it when that is agreed to."""

from __future__ import annotations

import pytest

from brain.models import Operation
from brain.remember import remember
from brain.retire import retract
from brain.saying import Saying
from brain.time import parse
from tests.commands.running import FEB, JAN, MAR, refused, run, values

pytestmark = pytest.mark.usefixtures("brain")

WHY = ("--reason", "tidying")


def say(subject: str, value: str, day: str, **words: object) -> int:
    said = Saying(subject, "p", value, "sheet", str(words.pop("writer", "ann")), learned_at=parse(day), **words)
    return remember(said, actor=said.written_by).fact.origin_id


def test_forgetting_shows_and_counts_before_it_withholds() -> None:
    say("A", "1", JAN)
    say("B", "2", JAN)
    assert "/  A  p  1\nMatched 1" in run("forget", "--subject", "A", *WHY, "--dry-run")
    assert set(values()) == {("A", "p"), ("B", "p")}
    assert "forgotten 1" in run("forget", "--subject", "A", *WHY, "--yes")
    assert set(values()) == {("B", "p")}


def test_without_consent_nothing_is_forgotten() -> None:
    say("A", "1", JAN)
    assert "Nothing was changed: add --yes" in refused("forget", "--subject", "A", *WHY)[1]
    assert values() == {("A", "p"): "1"}


def test_retention_takes_what_was_superseded() -> None:
    for value, day in (("1", JAN), ("2", MAR)):
        say("A", value, day)
    assert "purged 1" in run("forget", "--superseded-before", FEB, *WHY, "--yes")
    assert [values(day) for day in (FEB, MAR)] == [{}, {("A", "p"): "2"}]


def test_a_scope_goes_with_all_that_is_under_it() -> None:
    say("A", "1", JAN, scope="/emea/pricing")
    say("B", "2", JAN)
    run("forget", "--scope", "/emea", "--recursive", *WHY, "--yes")
    assert set(values()) == {("B", "p")}


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        ((), "must name something"),
        (("--recursive",), "--recursive needs --scope"),
        (("--superseded-before", FEB, "--subject", "A"), "goes with --scope only"),
        (("--scope", "emea"), "selector.scope"),
    ],
)
def test_a_forget_that_names_nothing_or_too_much_is_refused(arguments: tuple[str, ...], rule: str) -> None:
    assert rule in refused("forget", *arguments, *WHY, "--dry-run")[1]


def test_rewinding_shows_which_values_change() -> None:
    say("A", "1", JAN)
    say("A", "2", FEB)
    assert "A  p  2 → 1" in run("rewind", "--to", "op:1", *WHY, "--dry-run")
    run("rewind", "--to", "op:1", *WHY, "--yes")
    assert values() == {("A", "p"): "1"}


def test_named_operations_are_undone() -> None:
    say("A", "1", JAN)
    say("B", "1", JAN, writer="bot")
    retract(1, actor="bot", reason="x")
    assert "said again 1" in run("rewind", "--operations", "3", *WHY, "--yes")
    assert set(values()) == {("A", "p"), ("B", "p")}


@pytest.mark.parametrize("command", ["expire", "decay"])
def test_a_pass_is_one_row_of_the_journal(command: str) -> None:
    say("A", "1", JAN, expires_at=parse(FEB))
    assert "1 facts" in run(command, "--dry-run")
    assert Operation.objects.count() == 1
    run(command, "--yes")
    assert Operation.objects.order_by("-id")[0].kind == command


def test_scrubbing_can_be_tried() -> None:
    assert "would be rewritten: " in run("scrub", "--dry-run")
