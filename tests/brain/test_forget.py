"""§4, forget: what is withheld or erased, what is left of it, and what is not touched."""

from __future__ import annotations

import pytest

from brain import compare, guard, holds, journal, scopes
from brain.errors import BlockedByForget, Frozen, Held, Invalid, NotFound
from brain.forget import Forgotten, forget, forget_scope, restore, retain
from brain.models import Fact, Key, Operation, Receipt
from brain.reader import EVERYTHING, Reader
from brain.remember import remember_many
from brain.retire import end, retract
from brain.rewind import rewind
from brain.saying import Saying
from brain.selectors import Selector, parse
from tests.brain.asking import (
    AGENT,
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

OP = {"actor": "op", "reason": "as asked", "reader": EVERYTHING}


def withhold(*ids: int, **words: object) -> Forgotten:
    return forget(Selector(ids=ids), **(OP | words))


def purge(*ids: int, **words: object) -> Forgotten:
    return forget(Selector(ids=ids), purge=True, **(OP | words))


# -- soft


def test_what_is_forgotten_is_withheld_and_the_value_before_does_not_come_back() -> None:
    say("1", JAN)
    fact = said("2", MAR)
    assert (withhold(fact).matched, held(), held(APR), held(FEB)) == (1, None, None, "1")


def test_it_is_withheld_at_every_operation() -> None:
    fact, before = said("1"), last()
    withhold(fact)
    assert held(known_at=before) is None
    assert held(known_at=before, reader=EVERYTHING) == "1"


def test_auditors_see_it_marked_and_agents_not_at_all() -> None:
    fact = said("1")
    withhold(fact)
    assert (told(), told(AGENT)) == (["1"], [])
    assert look(fact).status == "forgotten"
    assert held(reader=EVERYTHING) is None


def test_a_fact_goes_with_all_its_versions() -> None:
    fact = said("1")
    end(fact, at=FAR, actor="ann", reason="planned")
    retract(fact, actor="ann", reason="mistake")
    counts = withhold(fact)
    assert (counts.matched, counts.forgotten, told(AGENT)) == (1, 1, [])


def test_what_is_forgotten_already_is_not_matched() -> None:
    fact = said("1")
    withhold(fact)
    assert withhold(fact).matched == 0


def test_restore_gives_the_same_fact_back_except_for_the_time_between() -> None:
    fact, before = said("1"), last()
    withhold(fact)
    assert restore(fact, **OP).outcome == "restored"
    assert [held(known_at=at) for at in (before, "op:2", "op:3")] == ["1", None, "1"]
    assert restore(fact, **OP).outcome == "unchanged"


def test_two_forgettings_are_two_stretches() -> None:
    fact = said("1")
    for _ in range(2):
        withhold(fact)
        restore(fact, **OP)
    assert [held(known_at=f"op:{number}") for number in range(1, 6)] == ["1", None, "1", None, "1"]


def test_what_was_forgotten_can_be_taught_again() -> None:
    withhold(said("1"))
    assert (say("1").outcome, held()) == ("superseded", "1")


def test_what_is_said_again_stays_forgotten() -> None:
    fact = said("1")
    withhold(fact)
    end(fact, at=FAR, actor="ann", reason="planned")
    assert (held(), told(AGENT)) == (None, [])


# -- selectors


@pytest.mark.parametrize("selector", [{}, {"subject": None}])
def test_an_empty_selector_is_refused(selector: dict[str, object]) -> None:
    with pytest.raises(Invalid) as refused:
        parse(selector)
    assert [field for field, _ in refused.value.errors] == ["selector"]


@pytest.mark.parametrize("bad", [{"colour": "red"}, {"ids": []}, {"ids": ["1"]}, {"subject": " "}, {"scope": "/A"}])
def test_a_bad_selector_is_refused_by_field(bad: dict[str, object]) -> None:
    with pytest.raises(Invalid) as refused:
        parse(bad)
    assert [field for field, _ in refused.value.errors] == [f"selector.{next(iter(bad))}"]


@pytest.mark.parametrize(
    ("selector", "taken"),
    [
        (Selector(subject="a"), ["a1", "a2"]),
        (Selector(subject="a", predicate="p2"), ["a2"]),
        (Selector(source="mail"), ["b1"]),
        (Selector(written_by="bob"), ["a2"]),
        (Selector(scope="/emea"), ["ab1", "c1"]),
        (Selector(q="B1"), ["ab1", "b1"]),
        (Selector(subject="A"), []),
        (Selector(source="Mail"), []),
    ],
)
def test_a_forget_takes_exactly_what_it_names(selector: Selector, taken: list[str]) -> None:
    say("a1", subject="a", predicate="p1")
    say("a2", subject="a", predicate="p2", written_by="bob")
    say("b1", subject="b", predicate="p1", source="mail")
    say("ab1", subject="ab", predicate="p1", scope="/emea")
    say("c1", subject="c", predicate="p1", scope="/emea/pricing")
    say("d1", subject="d", predicate="p1", scope="/emea-2")
    before = set(told())
    assert forget(selector, **OP).matched == len(taken)
    assert sorted(before - set(told(AGENT))) == taken


def test_an_operator_forgets_in_its_subtree_only() -> None:
    inside, outside = said("1", scope="/emea"), said("1", scope="/apac")
    there = OP | {"reader": Reader(scope="/emea")}
    assert forget(Selector(subject=TIER), **there).matched == 1
    assert forget(Selector(ids=(outside,)), **there).matched == 0
    assert (look(inside).status, look(outside).status) == ("forgotten", "current")


def test_a_try_leaves_no_trace_and_counts_the_same() -> None:
    first, second = said("1", JAN), said("2", MAR)
    before = last()
    preview = purge(first, second, dry_run=True)
    assert (preview.matched, preview.purged, preview.held, preview.operation) == (2, 2, 0, None)
    assert {fact.id for fact in preview.sample} == {first, second}
    assert (last(), told()) == (before, ["1", "2"])


def test_a_forget_needs_a_reason() -> None:
    with pytest.raises(Invalid) as refused:
        withhold(said("1"), reason=" ")
    assert [field for field, _ in refused.value.errors] == ["reason"]


# -- purge


def test_a_purge_leaves_a_hole_and_the_neighbours_where_they_were() -> None:
    facts = [said(value, at) for value, at in (("1", JAN), ("2", FEB), ("3", MAR))]
    counts = purge(facts[1])
    assert (counts.matched, counts.purged, told()) == (1, 1, ["1", "3"])
    assert [held(JAN), held(FEB), held(MAR), held()] == ["1", None, "3", "3"]
    assert (look(facts[0]).superseded_by, look(facts[0]).superseded_at) == (None, FEB)


def test_a_purge_says_nothing_of_what_it_took() -> None:
    say("1", JAN)
    purge(said("2", MAR))
    answer = asked()
    assert (answer.facts, answer.history_complete, answer.forgotten_before) == ([], True, None)


def test_a_purged_fact_is_gone_for_auditors_and_at_every_operation() -> None:
    say("0", JAN)
    fact = said("s3cret", FEB)
    then = last()
    purge(fact)
    assert held(known_at=then, reader=EVERYTHING) is None
    with pytest.raises(NotFound):
        look(fact)
    with pytest.raises(NotFound):
        restore(fact, **OP)
    assert not Fact.objects.filter(value="s3cret").exists()
    assert not Fact.objects.filter(folded__contains="s3cret").exists()


def test_a_key_whose_last_content_was_purged_is_gone_and_a_later_write_is_created() -> None:
    first, second = said("1", JAN), said("2", MAR)
    purge(first)
    assert Key.objects.exists()
    purge(second)
    assert not Key.objects.exists()
    assert not Fact.objects.exists()
    assert say("3", APR).outcome == "created"


def test_a_write_after_a_hole_supersedes_it() -> None:
    say("1", JAN)
    purge(said("2", MAR))
    done = say("3", APR)
    assert (done.outcome, held(MAR), held()) == ("superseded", None, "3")


def test_a_purge_takes_soft_forgotten_facts_too() -> None:
    fact = said("1")
    withhold(fact)
    assert (purge(fact).purged, told()) == (1, [])


def test_reasons_and_details_that_contain_the_value_are_blanked_and_the_chain_still_verifies() -> None:
    from brain.verify import check

    fact = said("swordfish", JAN)
    retract(said("x", FEB, subject="other"), actor="ann", reason="not the SWORDFISH one")
    retract(said("y", FEB, subject="another"), actor="ann", reason="plain typing error")
    purge(fact)
    reasons = set(Operation.objects.values_list("reason", flat=True))
    assert "plain typing error" in reasons
    assert not any("swordfish" in reason.casefold() for reason in reasons)
    assert check() == []


def test_a_purge_does_not_blank_what_contains_a_short_value() -> None:
    fact = said("1", JAN)
    retract(said("x", FEB, subject="other"), actor="ann", reason="version 1 of it")
    purge(fact)
    assert "version 1 of it" in set(Operation.objects.values_list("reason", flat=True))


# -- retention


def test_retention_takes_what_another_superseded_and_says_until_when() -> None:
    say("1", JAN)
    say("2", MAR)
    counts = retain(APR, **OP)
    assert (counts.matched, counts.purged, told(), held()) == (1, 1, ["2"], "2")
    answer = asked(FEB)
    assert (answer.facts, answer.history_complete, answer.forgotten_before) == ([], False, MAR)
    assert asked().history_complete
    assert asked(JAN - 1).history_complete


def test_retention_keeps_todays_value_when_another_is_scheduled() -> None:
    say("1", JAN)
    say("2", FAR)
    assert (retain(APR, **OP).matched, held()) == (0, "1")


@pytest.mark.parametrize("before", [JAN, JAN + 1])
def test_retention_takes_what_was_learned_before_its_instant(before: int) -> None:
    say("1", JAN)
    say("2", MAR)
    assert retain(before, **OP).matched == (before > JAN)


def test_a_value_that_ran_out_before_is_no_loss() -> None:
    say("1", JAN, expires_at=FEB)
    say("2", APR)
    retain(MAY, **OP)
    assert asked(FEB).history_complete
    assert (asked(JAN).history_complete, asked(JAN).forgotten_before) == (False, FEB)


def test_retention_takes_retracted_versions_uncounted() -> None:
    fact = said("1", JAN)
    end(fact, at=FAR, actor="ann", reason="planned")
    say("2", MAR)
    assert (retain(APR, **OP).purged, told()) == (1, ["2"])


def test_retention_takes_the_claim_that_an_accepted_fact_was() -> None:
    from brain.dispute import accept

    say("1", JAN)
    fact = said("2", FEB, source_kind="turn")
    accept(fact, actor="op", reason="checked")
    say("3", MAR)
    assert (retain(APR, **OP).purged, told()) == (2, ["3"])


def test_retention_by_the_end_of_the_period_keeps_what_was_replaced_later() -> None:
    say("1", JAN)
    say("2", APR)
    assert retain(MAR, basis="ended_at", **OP).matched == 0
    assert retain(MAY, basis="ended_at", **OP).matched == 1


def test_retention_by_the_end_of_the_period_takes_what_ran_out_and_keeps_the_key() -> None:
    say("1", JAN, expires_at=FEB)
    say("x", JAN, predicate="other")
    assert retain(MAR, **OP).matched == 0
    assert retain(MAR, basis="ended_at", **OP).matched == 1
    assert not asked(JAN).history_complete
    assert say("2", MAR).outcome == "superseded"


def test_retention_by_the_end_of_the_period_leaves_what_was_retracted_since() -> None:
    retract(said("1", JAN), actor="ann", reason="mistake")
    assert retain(APR, basis="ended_at", **OP).matched == 0


def test_an_unknown_basis_is_refused() -> None:
    with pytest.raises(Invalid) as refused:
        retain(APR, basis="mood", **OP)
    assert [field for field, _ in refused.value.errors] == ["basis"]


def test_holes_at_the_start_of_a_track_fold_into_one() -> None:
    for n in range(20):
        say(str(n), JAN + n)
    retain(JAN + 19, **OP)
    assert Fact.objects.count() == 2
    assert [asked(JAN + n).forgotten_before for n in (0, 7, 18)] == [JAN + 19] * 3
    assert (asked(JAN - 1).history_complete, held(JAN + 19)) == (True, "19")


def test_what_is_left_of_retention_after_retention_is_bounded_by_what_is_kept() -> None:
    for n in range(10):
        say(str(n), JAN + n)
        retain(APR, **OP)
    assert Fact.objects.count() == 2


def test_only_the_keys_that_lost_something_are_incomplete() -> None:
    say("1", JAN)
    say("2", MAR)
    say("x", JAN, subject="other")
    retain(APR, **OP)
    assert not asked(FEB).history_complete
    assert asked(FEB, subject="other").history_complete
    assert asked(FEB, subject="never known").history_complete


def test_of_several_holes_the_latest_end_is_named() -> None:
    for predicate, until in (("a", MAR), ("b", APR), ("c", FEB)):
        say("1", JAN, predicate=predicate)
        say("2", until, predicate=predicate)
    retain(MAY, **OP)
    assert asked(JAN).forgotten_before == APR


def test_a_hole_under_a_temporary_value_is_not_asked_for() -> None:
    say("1", JAN)
    over = promise("2", FEB, APR)
    say("3", MAY)
    retain(JAN + 1, **OP)
    assert [fact.id for fact in asked(MAR).facts] == [over]
    assert asked(MAR).history_complete


# -- scopes


def test_forgetting_a_scope_takes_everything_under_it_and_its_name() -> None:
    for scope in ("/emea", "/emea/pricing", "/emea-2", "/"):
        say("1", scope=scope)
    counts = forget_scope("/emea", **OP)
    assert (counts.matched, counts.purged) == (2, 2)
    assert {key.scope for key in Key.objects.all()} == {"/emea-2", "/"}
    assert {scope.name for scope in scopes.scopes(EVERYTHING)} == {"/emea-2", "/"}
    assert say("2", scope="/emea").outcome == "created"


def test_forgetting_a_scope_takes_its_receipts() -> None:
    for number, scope in enumerate(("/emea", "/apac")):
        Receipt.objects.create(id=str(number), at=1, agent="a", scope=scope, as_of=1, known_at=1)
    say("1", scope="/emea")
    forget_scope("/emea", **OP)
    assert list(Receipt.objects.values_list("scope", flat=True)) == ["/apac"]


# -- holds


def test_what_is_on_hold_is_skipped_and_counted() -> None:
    kept, gone = said("1", subject="a"), said("2", subject="b")
    holds.place(Selector(subject="a"), **OP)
    for take in (withhold, purge):
        counts = take(kept, gone)
        assert (counts.matched - counts.held, counts.held) == (1, 1)
    assert (told(), told(AGENT)) == (["1"], ["1"])


def test_retention_leaves_what_is_on_hold() -> None:
    first = said("1", JAN)
    say("2", MAR)
    holds.place(Selector(ids=(first,)), **OP)
    counts = retain(APR, **OP)
    assert (counts.matched, counts.held, counts.purged, held(FEB)) == (1, 1, 0, "1")


def test_a_scope_that_holds_something_on_hold_is_refused_whole() -> None:
    say("1", scope="/emea")
    say("1", scope="/emea/pricing")
    holds.place(Selector(scope="/emea/pricing"), **OP)
    for try_only in (True, False):
        with pytest.raises(Held):
            forget_scope("/emea", dry_run=try_only, **OP)
    assert len(told()) == 2


def test_a_hold_covers_what_is_said_later_and_ends_when_it_is_lifted() -> None:
    hold, _ = holds.place(Selector(subject=TIER), **OP)
    fact = said("1")
    assert withhold(fact).held == 1
    holds.lift(hold.pk, **OP)
    assert withhold(fact).forgotten == 1


def test_a_hold_on_one_version_holds_the_fact() -> None:
    fact = said("1", JAN)
    end(fact, at=FAR, actor="ann", reason="planned")
    holds.place(Selector(ids=(fact,)), **OP)
    assert purge(fact).held == 1


# -- frozen, blocked


def test_a_forget_that_meets_a_frozen_scope_is_refused_whole() -> None:
    frozen, free = said("1", scope="/emea"), said("1", scope="/apac")
    scopes.freeze("/emea", actor="op", reason="audit")
    for refused in (lambda: withhold(frozen, free), lambda: purge(free, frozen), lambda: forget_scope("/", **OP)):
        with pytest.raises(Frozen):
            refused()
    assert len(told(AGENT)) == 2


@pytest.mark.parametrize("erase", [False, True])
def test_what_is_blocked_cannot_be_taught_again_in_any_case(erase: bool) -> None:
    fact = said("Ann lives here", JAN)
    forget(Selector(ids=(fact,)), purge=erase, block_relearning=True, **OP)
    for value in ("Ann lives here", "ANN LIVES HERE"):
        with pytest.raises(BlockedByForget):
            say(value, MAR)
    assert say("Ann lives there", MAR).outcome in {"created", "superseded"}
    assert say("Ann lives here", MAR, predicate="other").outcome == "created"


def test_what_is_blocked_is_refused_in_a_batch_too() -> None:
    withhold(said("1"), block_relearning=True)
    sayings = [Saying(TIER, PRICE, value, "sheet", "ann", learned_at=FEB) for value in ("1", "2")]
    done = remember_many(sayings, actor="ann", atomic=False)
    assert isinstance(done.outcomes[0], BlockedByForget)
    assert held() == "2"


def test_a_block_keeps_no_text() -> None:
    from brain.models import BlockedValue

    purge(said("Ann lives here"), block_relearning=True)
    assert guard.any_blocks()
    assert "Ann" not in str(list(BlockedValue.objects.values()))


def test_a_rewind_does_not_say_again_what_is_blocked() -> None:
    fact = said("1")
    retract(fact, actor="ann", reason="mistake")
    withhold(fact, block_relearning=True)
    done = rewind(1, **OP)
    assert (done.restored, done.kept_forgotten, held()) == (0, 1, None)


def test_a_forget_is_one_operation_with_its_counts() -> None:
    fact = said("1")
    withhold(fact)
    done = Operation.objects.get(pk=journal.last_id())
    assert (done.kind, done.counts["matched"], done.counts["forgotten"], done.counts["held"]) == ("forget", 1, 1, 0)
    assert look(fact).operation == done.pk


def test_a_comparison_across_a_forgetting_that_is_over_names_the_key() -> None:
    fact = said("1")
    for _ in range(2):
        withhold(fact)
        restore(fact, **OP)
    known, withheld, restored = (journal.resolve(known_at=f"op:{number}") for number in (1, 2, 3))
    for before, after, change in ((known, withheld, "removed"), (withheld, restored, "added")):
        assert [one.change for one in compare.diff(AGENT, before, after)] == [change]
