"""The map of the two clocks says at every point what a read there says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain import clocks, forget, journal, rewind, selectors, time
from brain.errors import BrainError
from brain.models import Fact, Key, Operation
from brain.reader import EVERYTHING
from brain.remember import remember
from brain.retire import end, retract
from brain.saying import Saying
from brain.time import AsOf
from tests.laws.plays import afterwards_undone

JAN, FEB, MAR, APR, MAY = (time.parse(f"2026-0{month}-01") for month in range(1, 6))
MONTHS = [JAN, FEB, MAR, APR, MAY]
WHY = {"actor": "ann", "reason": "test"}

steps = st.lists(
    st.one_of(
        st.tuples(
            st.just("say"),
            st.sampled_from("abc"),
            st.sampled_from(MONTHS),
            st.sampled_from([None, MAR, MAY]),
            st.booleans(),
        ),
        st.tuples(st.just("retract"), st.integers(0, 9)),
        st.tuples(st.just("end"), st.integers(0, 9), st.sampled_from([None, *MONTHS])),
        st.tuples(st.just("forget"), st.integers(0, 9), st.booleans()),
        st.tuples(st.just("restore"), st.integers(0, 9)),
        st.tuples(st.just("retain"), st.sampled_from(MONTHS)),
        st.tuples(st.just("rewind"), st.integers(0, 9)),
    ),
    min_size=1,
    max_size=8,
)


@pytest.fixture(autouse=True)
def _on_both(database: str, db: None) -> None:
    """Every test here runs on SQLite and on PostgreSQL, in a transaction that is undone."""


def say(value: str, learned_at: int, expires_at: int | None = None, *, temporary: bool = False) -> int:
    words = Saying("Tier 2", "price", value, "sheet", "ann", learned_at, expires_at, temporary=temporary)
    return remember(words, actor="ann").fact.origin_id


def play(step, said: list[int]) -> None:
    verb, *rest = step
    if verb == "say":
        value, learned_at, expires_at, temporary = rest
        said.append(say(value, learned_at, expires_at, temporary=temporary))
    elif verb == "retain":
        forget.retain(rest[0], reader=EVERYTHING, **WHY)
    elif verb == "rewind":
        rewind.rewind(min(rest[0], journal.last_id()), reader=EVERYTHING, **WHY)
    elif said:
        _retire(verb, said[rest[0] % len(said)], rest[1:])


def _retire(verb: str, fact: int, rest) -> None:
    if verb == "retract":
        retract(fact, **WHY)
    elif verb == "end":
        end(fact, at=rest[0], **WHY)
    elif verb == "restore":
        forget.restore(fact, reader=EVERYTHING, **WHY)
    else:
        forget.forget(selectors.parse({"ids": [fact]}), reader=EVERYTHING, purge=rest[0], **WHY)


def drawn(found: list[clocks.Band], instant: int, known_at: int) -> tuple[int, str] | None:
    for band in found:
        if band.known <= known_at and (band.until is None or known_at < band.until):
            for segment in band.segments:
                if segment.start <= instant < segment.end:
                    return segment.row, segment.state
    return None


@pytest.mark.django_db
@settings(max_examples=60)  # each asks at hundreds of points
@given(steps)
def test_every_point_of_the_map_is_what_a_read_there_returns(steps) -> None:
    with afterwards_undone():
        said: list[int] = []
        for step in steps:
            try:
                play(step, said)
            except BrainError:
                continue
        for key in Key.objects.all():
            _agrees(key)


def _agrees(key: Key) -> None:
    found = clocks.two_clocks(key, EVERYTHING).bands
    for known_at in range(journal.last_id() + 1):
        for instant in [JAN - 1, *MONTHS, FEB + 1, MAY - 1, MAY + 1]:
            at = AsOf(instant, known_at, latest=False)
            read = Fact.objects.as_of(at, audit=True).filter(key=key).values_list("pk", flat=True).first()
            point = drawn(found, instant, known_at)
            assert read == (point[0] if point and point[1] == clocks.VALUE else None), (instant, known_at, point)
            erased = Fact.objects.erased_answers(at).filter(key=key).exists()
            assert erased == (point is not None and point[1] == clocks.ERASED)


def test_a_price_told_late_is_a_region_that_begins_before_it_was_told(db) -> None:
    say("$3,900", JAN)
    say("$3,600", MAR)
    say("$4,200", FEB)
    found = clocks.two_clocks(Key.objects.get(), EVERYTHING)
    late = next(region for region in clocks.regions(found.bands) if found.rows[region.segment.row].value == "$4,200")
    assert (late.segment.start, late.segment.end, late.until) == (FEB, MAR, None)
    assert [found.rows[segment.row].value for segment in found.bands[-1].segments] == ["$3,900", "$4,200", "$3,600"]
    assert found.bands[0].segments == (
        clocks.Segment(JAN, clocks.FOREVER, found.bands[0].segments[0].row, clocks.VALUE),
    )


def test_the_diagonal_says_what_was_said_on_the_day() -> None:
    """$3,900 from January, told in January; $4,200 from February, told in March."""
    told = [
        clocks.Told(1, 1, JAN, None, temporary=False, recorded=1),
        clocks.Told(2, 2, FEB, None, temporary=False, recorded=2),
    ]
    said = clocks.diagonal(clocks.bands(told), {1: JAN, 2: MAR}, now=APR)
    assert [(piece.start, piece.end, piece.row) for piece in said] == [(JAN, MAR, 1), (MAR, APR, 2)]


def test_a_region_lasts_for_as_long_as_it_was_told_without_a_change(db) -> None:
    first = say("$3,900", JAN)
    say("$4,200", MAR)
    retract(first, **WHY)
    found = clocks.two_clocks(Key.objects.get(), EVERYTHING)
    spans = [
        (region.segment.start, region.segment.end, region.known, region.until) for region in clocks.regions(found.bands)
    ]
    assert spans == [(JAN, clocks.FOREVER, 1, 2), (JAN, MAR, 2, 3), (MAR, clocks.FOREVER, 2, None)]
    assert Operation.objects.count() == 3
