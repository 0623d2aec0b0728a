"""How well search answers questions that people ask: recall at five over a labelled set, by words and by both."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User

from brain import journal, vectors
from brain.embedding import WordLlama
from brain.importing import Terms, import_file
from brain.models import Fact
from brain.reader import Reader
from brain.search import search
from brain.time import parse
from dashboard import demo
from tests.agents.questions import QUESTIONS

pytestmark = pytest.mark.usefixtures("_on_both")
PRICES = Path(__file__).parent.parent / "data" / "llm_prices.csv"
THEN = parse("2026-08-10")
TOP = 5
LEAST = {"text": 0.85, "hybrid": 0.9}


@pytest.fixture
def told(_on_both: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "_indexes", {})
    demo.load(User.objects.create_user(demo.USER))
    import_file(PRICES, actor="editor", terms=Terms())


def test_recall_at_five_by_words_and_by_both(told: None, record_property) -> None:
    at, embedding, shares = journal.resolve(THEN), WordLlama(), {}
    holding = set(Fact.objects.as_of(at).values_list("origin_id", flat=True))
    for mode in ("text", "meaning", "hybrid"):
        missed = []
        for question, wanted in QUESTIONS:
            hits = search(question, at=at, reader=Reader(), mode=mode, limit=TOP, embedding=embedding)
            assert {hit.fact.id for hit in hits} <= holding
            if not {(hit.fact.subject, hit.fact.predicate) for hit in hits} & set(wanted):
                missed.append(question)
        shares[mode] = 1 - len(missed) / len(QUESTIONS)
        record_property(f"recall_at_5_{mode}", shares[mode])
        print(f"{mode}: recall@5 {shares[mode]:.3f} of {len(QUESTIONS)}; missed {missed}")
    assert shares["hybrid"] >= shares["text"]
    assert all(shares[mode] >= least for mode, least in LEAST.items())


def test_every_label_is_a_fact_that_holds(told: None) -> None:
    at = journal.resolve(THEN)
    holding = set(Fact.objects.as_of(at).values_list("key__subject", "key__predicate"))
    assert len(QUESTIONS) >= 60
    assert not {pair for _, wanted in QUESTIONS for pair in wanted} - holding
