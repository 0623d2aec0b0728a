"""The laws hold on both databases."""

from collections.abc import Iterator

import pytest

from tests.laws.plays import Play, afterwards_undone
from tests.laws.strategies import KEYS, PAST
from tests.laws.writing import Write


@pytest.fixture(autouse=True)
def _on_both(database: str, db: None) -> None:
    """Every test of this folder runs on SQLite and on PostgreSQL, in a transaction that is undone."""


@pytest.fixture
def a_price(_on_both: None) -> Iterator[None]:
    """Two operations: a price, and the one that followed it."""
    with afterwards_undone():
        Play().act([Write(KEYS[0], "1", PAST[0]), Write(KEYS[0], "2", PAST[1])])
        yield
