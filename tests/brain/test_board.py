"""Many sayings stored together end as the same sayings stored one by one."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from django.db import IntegrityError, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from brain import verify
from brain.errors import BrainError
from brain.inserting import MANY, insert_all
from brain.models import Fact
from brain.remember import FEW, Outcome, remember, remember_many
from brain.saying import UNSET, Saying

INSTANTS = [1_704_067_200_000 + month * 2_600_000_000 for month in range(6)] + [3_800_000_000_000]
scopes = count()

sayings = st.builds(
    Saying,
    subject=st.sampled_from(["tier 1", "tier 2"]),
    predicate=st.just("price"),
    value=st.sampled_from(["1", "2", "3"]),
    source=st.just("sheet"),
    written_by=st.just("ann"),
    learned_at=st.sampled_from(INSTANTS),
    expires_at=st.none() | st.sampled_from([instant + 1 for instant in INSTANTS]),
    temporary=st.booleans(),
    source_kind=st.sampled_from(["upsert", "document", "turn"]),
    confidence=st.sampled_from([0.5, 0.8, 1.0]),
    expected_current=st.sampled_from([UNSET, UNSET, UNSET, None]),
)


def _one_by_one(sayings: list[Saying]) -> list[str]:
    outcomes = []
    for said in sayings:
        try:
            outcomes.append(remember(said, actor="ann").outcome)
        except BrainError as refusal:
            outcomes.append(refusal.code)
    return outcomes


def _chain(scope: str) -> list[tuple[object, ...]]:
    rows = list(Fact.objects.filter(key__scope=scope).select_related("key").order_by("pk"))
    number = {row.pk: n for n, row in enumerate(rows)}
    return [
        (row.key.subject, row.value, row.learned_at, row.claim, number.get(row.superseded_by_id), row.superseded_at)
        for row in rows
    ]


@pytest.mark.django_db
@settings(max_examples=25)
@given(st.lists(sayings, min_size=FEW + 20, max_size=FEW + 40))
def test_a_batch_ends_as_its_sayings_one_by_one(database: str, sayings: list[Saying]) -> None:
    together, apart = f"/board/{next(scopes)}", f"/board/{next(scopes)}"
    batch = remember_many([replace(said, scope=together) for said in sayings], actor="ann", atomic=False)
    outcomes = [item.outcome if isinstance(item, Outcome) else item.code for item in batch.outcomes]
    assert outcomes == _one_by_one([replace(said, scope=apart) for said in sayings])
    assert _chain(together) == _chain(apart)


ODD = ["a\tb", "a\nb", "\\N", "\\", "\\.", "a\\tb", '"', "'", "é", "𝄞", "%s", "{}", "NULL", "a,b"]


def test_many_rows_at_once_keep_their_texts_and_marks() -> None:
    """As many as go by COPY on PostgreSQL, whose marks of tabs, lines and nulls are no text of ours."""
    texts = [f"{n} {ODD[n % len(ODD)]}" for n in range(MANY)]
    batch = [
        Saying(f"s{n}", "price", text, "sheet", "ann", INSTANTS[0], INSTANTS[1] if n % 2 else None, n % 4 == 1)
        for n, text in enumerate(texts)
    ]
    remember_many(batch, actor="ann")
    assert [row.value for row in Fact.objects.order_by("pk")] == texts
    assert [row.temporary for row in Fact.objects.order_by("pk")] == [n % 4 == 1 for n in range(MANY)]
    assert verify.check() == []


def test_a_row_that_breaks_a_constraint_among_many_is_named_by_it() -> None:
    remember(Saying("s", "price", "1", "sheet", "ann", INSTANTS[0]), actor="ann")
    row = Fact.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_all([row] * MANY)
