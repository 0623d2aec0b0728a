"""What agents leave behind holds on both databases; every test has a spool of its own."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_spool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAIN_SPOOL_DIR", str(tmp_path / "spool"))


@pytest.fixture
def _on_both(database: str, db: None) -> None:
    """Runs the test on SQLite and on PostgreSQL, in a transaction that is undone."""
