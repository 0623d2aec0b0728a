"""Every test of the API has an empty brain, a spool of its own, and somebody who may do everything."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.api.callers import Agent, agent


@pytest.fixture(autouse=True)
def _own_spool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAIN_SPOOL_DIR", str(tmp_path / "spool"))


@pytest.fixture
def operator(db: None) -> Agent:
    """Holds every grant over the whole brain."""
    return agent("operator")
