"""How categories fade can be set once, at the start; bad figures are refused by name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from brain.policy import FADING, default_expiry, set_fading
from brain.remember import remember
from brain.saying import Saying
from brain.time import DAY

JAN = 1_767_225_600_000


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = dict(FADING)
    yield
    FADING.update(before)


def test_the_days_of_context_are_a_setting_that_writes_follow() -> None:
    set_fading({"context": {"days": 5}})
    said = Saying("s", "p", "v", "s", "w", learned_at=JAN, category="context")
    assert remember(said, actor="w").fact.expires_at == default_expiry(FADING, "context", JAN) == JAN + 5 * DAY


BAD = [
    {"contxt": {"days": 5}},
    {"context": {"day": 5}},
    {"context": {"days": 0}},
    {"knowledge": {"factor": 1.5}},
    {"knowledge": {"start": "high"}},
    {"context": 5},
]


@pytest.mark.parametrize("changes", BAD)
def test_bad_figures_are_refused_by_name(changes: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(changes))):
        set_fading(changes)
