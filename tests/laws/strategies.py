"""What is tried: few keys, few values and few instants, so that examples meet each other; all drawn, nothing fixed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from hypothesis import settings
from hypothesis import strategies as st

from brain import journal, time
from tests.laws import steps
from tests.laws.model import Brain, Selector
from tests.laws.retiring import Part
from tests.laws.steps import NOTHING, RIGHT, WRONG, Step
from tests.laws.writing import UNSET, Write


def _month(year: int, month: int) -> int:
    return time.from_datetime(datetime(year, month, 1, tzinfo=UTC))


PAST = [_month(2024, month) for month in range(1, 6)]
FUTURE = [_month(2091, 1), _month(2092, 1)]
INSTANTS = PAST + FUTURE
EDGES = sorted({edge for instant in INSTANTS for edge in (instant - 1, instant)})

KEYS = [("/a", "tier 2", "price"), ("/a", "tier 2", "discount"), ("/a/b", "tier 2", "price"), ("/c", "tier 1", "price")]
SCOPES = ["/a", "/a/b", "/c", "/"]
SUBJECTS = sorted({subject for _, subject, _ in KEYS})
SUBJECT, PLACES = "tier 2", ["/a", "/a/b"]  # of the keys of plain writes, which are all but the last
WRITERS, SOURCES = ["ann", "bob"], ["sheet", "mail"]
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
        written_by=draw(st.sampled_from(WRITERS)),
        source=draw(st.sampled_from(SOURCES)),
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


retractions = st.builds(steps.Retract, which)
ends = st.builds(steps.End, which, st.none() | instants)
batches = st.builds(steps.Batch, st.lists(writes(), min_size=1, max_size=4).map(tuple))
writing: st.SearchStrategy[Step] = st.one_of(writes(), writes(), writes(), retractions, ends, batches)
histories = st.lists(writing, min_size=2, max_size=9)

numbers = st.lists(which, min_size=1, max_size=3).map(tuple)
selectors = st.one_of(
    st.builds(Selector, ids=numbers),
    st.builds(Selector, ids=numbers),
    st.builds(
        Selector,
        subject=st.none() | st.sampled_from(SUBJECTS),
        predicate=st.none() | st.just("price"),
        source=st.none() | st.none() | st.sampled_from(SOURCES),
        written_by=st.none() | st.none() | st.sampled_from(WRITERS),
        scope=st.none() | st.sampled_from(SCOPES),
        q=st.none() | st.none() | st.sampled_from(["1", "PRICE", "m"]),
    ).filter(lambda selector: any(value is not None for value in vars(selector).values())),
)
parts = st.one_of(
    st.builds(Part),
    st.builds(Part, scope=st.sampled_from(SCOPES)),
    st.builds(Part, subject=st.sampled_from(SUBJECTS)),
    st.builds(Part, written_by=st.sampled_from(WRITERS)),
    st.builds(Part, source=st.sampled_from(SOURCES), scope=st.none() | st.sampled_from(SCOPES)),
    st.builds(Part, actor=st.sampled_from([*WRITERS, "batch", "op"])),
    st.builds(Part, ids=numbers),
)
settlements = st.builds(steps.Settle, which, st.booleans())
disputed_histories = st.lists(
    st.one_of(writes(pillars=True), writes(pillars=True), retractions, ends, settlements), min_size=3, max_size=9
)


@st.composite
def plain_writes(draw: st.DrawFn) -> Write:
    """A remember that is in order, of a few keys that share their subject, from a day that the writer names."""
    learned_at, temporary = draw(st.sampled_from(PAST + INSTANTS)), draw(st.booleans())
    later = st.sampled_from([instant for instant in [*INSTANTS, _month(2093, 1)] if instant > learned_at])
    return Write(
        key=draw(st.sampled_from(KEYS[:1] * 2 + KEYS[:3])),
        value=draw(values),
        learned_at=learned_at,
        expires_at=draw(later if temporary else st.none() | later),
        temporary=temporary,
        source_kind=draw(st.sampled_from(["upsert", "upsert", "turn"])),
        written_by=draw(st.sampled_from(WRITERS)),
        source=draw(st.sampled_from(SOURCES)),
    )


forgets = st.builds(steps.Forget, selectors, st.booleans(), st.sampled_from([False, False, False, True]))
retentions = st.builds(steps.Retain, st.sampled_from(PAST[2:]), st.sampled_from(["learned_at", "ended_at"]))
scope_forgets = st.builds(steps.ForgetScope, st.sampled_from(SCOPES[:3]))
rewinds = st.builds(steps.Rewind, st.integers(0, 6), parts)
undoings = st.builds(steps.Undo, st.lists(st.integers(0, 5), min_size=1, max_size=2, unique=True).map(tuple))
holdings = st.one_of(st.builds(steps.Hold, selectors), st.builds(steps.Lift, which))
restorations = st.builds(steps.Restore, which)
takings = st.one_of(forgets, forgets, retentions, scope_forgets)
retiring: list[st.SearchStrategy[Step]] = [forgets, forgets, retentions, retentions, rewinds, rewinds, undoings]
retiring += [restorations, retractions, ends, settlements, plain_writes()]
beginnings = st.tuples(
    plain_writes(),  # so that there is something to take away
    st.lists(st.one_of(plain_writes(), plain_writes(), plain_writes(), retractions, ends), min_size=3, max_size=6),
).map(lambda parts: [parts[0], *parts[1]])
whole_histories = st.tuples(
    beginnings, st.lists(st.one_of(*retiring, holdings, scope_forgets), min_size=2, max_size=5)
).map(lambda halves: [*halves[0], *halves[1]])

moments = st.lists(st.sampled_from(EDGES), min_size=1, max_size=2, unique=True)
Questions = list[tuple[int, int]]
questions = st.lists(st.tuples(st.sampled_from([0, *EDGES]), st.integers(0, 12)), min_size=1, max_size=5, unique=True)
few_questions = st.lists(st.tuples(st.sampled_from(EDGES), st.integers(0, 9)), min_size=1, max_size=2, unique=True)

# what follows from the laws is tried less often than they are
consequence = settings(max_examples=settings.default.max_examples // 5)
dear = settings(max_examples=settings.default.max_examples * 2 // 5)  # of long histories


def asked_of(brain: Brain, asked: Questions) -> Iterator[tuple[int, int]]:
    """The instants T (0 stands for now) and operations K, counted back from the last, that are asked about."""
    for instant, back in asked:
        yield instant or journal.now(), max(0, brain.last() - back)
