"""What is tried: few keys, few values and few instants, so that examples meet each other; all drawn, nothing fixed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from hypothesis import strategies as st

from brain import journal, time
from tests.laws.model import Brain
from tests.laws.plays import NOTHING, RIGHT, WRONG, Batch, End, Retract, Step
from tests.laws.writing import UNSET, Write


def _month(year: int, month: int) -> int:
    return time.from_datetime(datetime(year, month, 1, tzinfo=UTC))


PAST = [_month(2024, month) for month in range(1, 6)]
FUTURE = [_month(2091, 1), _month(2092, 1)]
INSTANTS = PAST + FUTURE
EDGES = sorted({edge for instant in INSTANTS for edge in (instant - 1, instant)})

KEYS = [("/a", "tier 2", "price"), ("/a", "tier 2", "discount"), ("/a/b", "tier 2", "price"), ("/c", "tier 1", "price")]
SUBJECTS = sorted({subject for _, subject, _ in KEYS})
keys = st.sampled_from(KEYS[:1] * 3 + KEYS)
values = st.sampled_from(["1", "2", "3"])
instants = st.sampled_from(INSTANTS)
which = st.integers(0, 7)
expectations = st.sampled_from([UNSET] * 6 + [RIGHT, WRONG, NOTHING])


@st.composite
def writes(draw: st.DrawFn, *, pillars: bool = False) -> Write:
    """A remember; one in a while names an impossible end. `pillars`: sayings of unequal authority, too."""
    learned_at = draw(st.none() | instants | instants | instants)
    temporary = draw(st.sampled_from([False, False, True]))
    write = Write(
        key=draw(keys),
        value=draw(values),
        learned_at=learned_at,
        expires_at=draw(_ends(learned_at, temporary=temporary)),
        temporary=temporary,
        category=draw(st.sampled_from(["knowledge"] * 4 + ["identity", "context"])),
        expected=draw(expectations),
        written_by=draw(st.sampled_from(["ann", "bob"])),
        source=draw(st.sampled_from(["sheet", "mail"])),
    )
    if write.category == "context" and write.temporary and write.expires_at is None:
        write.category = "knowledge"
    if pillars:
        write.source_kind = draw(st.sampled_from(["upsert", "document", "turn", "turn", "reflect"]))
        write.confidence = draw(st.sampled_from([0.5, 0.7, 0.9, 1.0]))
    return write


def _ends(learned_at: int | None, *, temporary: bool) -> st.SearchStrategy[int | None]:
    begins = PAST[-1] if learned_at is None else learned_at
    later = st.sampled_from([instant for instant in [*INSTANTS, _month(2093, 1)] if instant > begins])
    return st.one_of(later, later, later, st.none() | instants) if temporary else st.one_of(st.none(), st.none(), later)


retractions = st.builds(Retract, which)
ends = st.builds(End, which, st.none() | instants)
batches = st.builds(Batch, st.lists(writes(), min_size=1, max_size=4))
steps: st.SearchStrategy[Step] = st.one_of(writes(), writes(), writes(), retractions, ends, batches)
histories = st.lists(steps, min_size=1, max_size=9)
disputed_histories = st.lists(st.one_of(writes(pillars=True), writes(pillars=True), retractions, ends), max_size=9)
moments = st.lists(st.sampled_from(EDGES), min_size=1, max_size=2, unique=True)

Questions = list[tuple[int, int]]
questions = st.lists(st.tuples(st.sampled_from([0, *EDGES]), st.integers(0, 12)), min_size=1, max_size=8, unique=True)


def asked_of(brain: Brain, asked: Questions) -> Iterator[tuple[int, int]]:
    """The instants T (0 stands for now) and operations K, counted back from the last, that are asked about."""
    for instant, back in asked:
        yield instant or journal.now(), max(0, brain.last() - back)
