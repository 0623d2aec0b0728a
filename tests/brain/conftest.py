"""The rules hold on both databases."""

import pytest


@pytest.fixture(autouse=True)
def _on_both(database: str, db: None) -> None:
    """Every test of this folder runs on SQLite and on PostgreSQL, in a transaction that is undone."""
