"""The example agent answers the Tier 2 question as of today and as of February, and an auditor sees why."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from brain import tokens
from brain.time import parse
from tests.agents.example import TOOLS, Brain, Message, ask, chat_completions
from tests.agents.story import JAN, MAR, say
from tests.api.callers import Agent

pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.django_db(transaction=True)]
QUESTION = "What do customers pay to renew the second tier?"


def mock_model(messages: list[Message], tools: list[dict[str, Any]]) -> Message:
    """Searches for the question, recalls the best match's subject, and repeats what it was told."""
    assert tools == TOOLS
    told = [json.loads(message["content"]) for message in messages if message["role"] == "tool"]
    if not told:
        return _calls("search", q=messages[1]["content"])
    if len(told) == 1 and told[0]["items"]:
        return _calls("recall", subject=told[0]["items"][0]["fact"]["subject"])
    prices = [fact for fact in told[-1].get("facts", []) if fact["predicate"] == "list_price"]
    said = (
        f"{prices[0]['subject']} is {prices[0]['value']} ({prices[0]['source']})." if prices else "There is no record."
    )
    return {"role": "assistant", "content": said}


def _calls(name: str, **arguments: str) -> Message:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "type": "function", "function": function}]}


@pytest.fixture
def brain(live_server: Any) -> Any:
    say("$4,200", JAN), say("$3,600", MAR)
    say("14 days", JAN, subject="Refund", predicate="window")

    def opened(name: str, **terms: Any) -> Brain:
        return Brain(live_server.url, tokens.issue(name, grants=["memory:read"], rate=0, **terms)[1])

    return opened


def test_the_same_question_today_and_as_of_february(brain: Any) -> None:
    assert ask(QUESTION, brain("today"), mock_model) == "Tier 2 renewal is $3,600 (pricing-sheet)."
    february = brain("february", as_of=parse("2026-02-09"))
    assert ask(QUESTION, february, mock_model) == "Tier 2 renewal is $4,200 (pricing-sheet)."


def test_without_a_record_it_says_so(brain: Any) -> None:
    early = brain("early", as_of=JAN - 1)
    assert ask(QUESTION, early, mock_model) == "There is no record."


def test_an_auditor_finds_the_answer_with_what_it_relied_on(brain: Any) -> None:
    ask(QUESTION, brain("today"), mock_model)
    auditor = Agent(tokens.issue("auditor", grants=["audit:read"], rate=0)[1])
    [found] = auditor.get("/receipts", q="is $3,600")["items"]
    explained = auditor.get(f"/receipts/{found['id']}")
    assert (explained["verdict"], explained["supported"]) == ("holds", True)
    assert explained["answer"] == "Tier 2 renewal is $3,600 (pricing-sheet)."


@pytest.mark.skipif("MODEL_URL" not in os.environ, reason="MODEL_URL, MODEL and MODEL_KEY name a model to ask")
def test_a_real_model_answers_the_same(brain: Any) -> None:
    model = chat_completions(os.environ["MODEL_URL"], os.environ["MODEL"], os.environ.get("MODEL_KEY", ""))
    assert "3,600" in ask(QUESTION, brain("today"), model)
