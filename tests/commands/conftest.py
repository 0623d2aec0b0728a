"""A command does the same on both databases; here it runs in this process, in a transaction that is undone."""

from __future__ import annotations

import pytest


@pytest.fixture
def brain(database: str, db: None) -> None:
    """An empty brain, on SQLite and on PostgreSQL."""
