"""What follows from the rules for comparisons, pinned readers, and histories that move to another brain."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from brain import compare, history, journal, listing
from brain.describe import FactAt, describe
from brain.reader import Reader
from brain.recall import recall
from brain.time import AsOf
from tests.commands.running import run
from tests.laws.model import Brain, Key, Row
from tests.laws.plays import Play, afterwards_undone
from tests.laws.steps import Step
from tests.laws.strategies import EDGES, PAST, SUBJECT, consequence, whole_histories
from tests.laws.test_reading_laws import read

points = st.tuples(st.sampled_from(EDGES), st.integers(0, 9))
Difference = dict[Key, tuple[str | None, str | None]]


@consequence
@given(whole_histories, points, points)
def test_a_comparison_names_the_keys_that_read_differently(
    history: list[Step], start: tuple[int, int], end: tuple[int, int]
) -> None:
    with afterwards_undone():
        brain = Play().act(history)
        (start_at, start_known), (end_at, end_known) = ((at, max(0, brain.last() - back)) for at, back in (start, end))
        told = compare.diff(Reader(), _at(start_at, start_known), _at(end_at, end_known))
        seen = {
            (one.scope, one.subject, one.predicate): (one.before and one.before.value, one.after and one.after.value)
            for one in told
        }
        assert seen == _differences(brain, (start_at, start_known), (end_at, end_known))


def _at(instant: int, known_at: int) -> AsOf:
    return AsOf(instant, known_at, latest=known_at == journal.last_id())


def _differences(brain: Brain, start: tuple[int, int], end: tuple[int, int]) -> Difference:
    before, after = brain.everything(*start), brain.everything(*end)
    pairs = {key: (before.get(key), after.get(key)) for key in before.keys() | after.keys()}
    moved = {key: pair for key, pair in pairs.items() if _says(pair[0]) != _says(pair[1])}
    return {key: (old and old.value, new and new.value) for key, (old, new) in moved.items()}


def _says(row: Row | None) -> object:
    return row and (row.value, row.expires_at)


# -- pins


@consequence
@given(whole_histories, st.sampled_from(PAST), st.sampled_from(listing.STATUSES))
def test_nothing_after_its_pin_exists_for_a_reader(told: list[Step], pin: int, status: str) -> None:
    reader = Reader(pin=pin)
    with afterwards_undone():
        brain = Play().act(told)
        at = journal.resolve(reader=reader)
        assert at.as_of == pin
        rows = [*listing.facts(reader, at, scope="/", status=status), *history.history(reader, at)]
        for fact in [*describe(rows, at, reader), *_recalled(reader, at)]:
            assert fact.learned_at <= pin
            assert all(instant is None or instant <= pin for instant in _instants(fact)), fact
        expected = brain.everything(pin, brain.last())
        assert sorted(fact.id for fact in _recalled(reader, at)) == sorted(row.origin for row in expected.values())


def _recalled(reader: Reader, at: AsOf) -> list[FactAt]:
    return recall(SUBJECT, at=at, reader=reader, recursive=True).facts


def _instants(fact: FactAt) -> list[int | None]:
    return [fact.expires_at, fact.superseded_at, fact.recorded_at, fact.retracted_at]


# -- histories that move


@consequence
@given(whole_histories, st.lists(points, min_size=1, max_size=4))
def test_a_history_that_moves_reads_the_same_at_every_recorded_instant(
    told: list[Step], asked: list[tuple[int, int]]
) -> None:
    """Except between a forgetting and its restoring, which no file tells of."""
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "history.ndjson"
        with afterwards_undone():
            brain = Play().act(told)
            recorded = [operation.at for operation in brain.operations]
            asked = [(instant, recorded[max(0, len(recorded) - 1 - back)]) for instant, back in asked if recorded]
            restored = {row.key for row in brain.rows if any(end is not None for _, end in row.stretches)}
            before = [_values(*when, restored) for when in asked]
            run("export_facts", file, "--history")
        with afterwards_undone():
            if file.stat().st_size:
                run("import_facts", file, "--keep-recorded")
            assert [_values(*when, restored) for when in asked] == before


def _values(instant: int, recorded: int, apart_from: set[Key]) -> dict[Key, tuple[str, int | None]]:
    known_at = journal.resolve(known_at=recorded).known_at
    answers = {key: (value, expires_at) for key, (_, value, expires_at) in read(instant, known_at)}
    return {key: answer for key, answer in answers.items() if key not in apart_from}
