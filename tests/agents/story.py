"""The Tier 2 story in the words of the tests: facts said, questions asked by an agent, receipts left."""

from __future__ import annotations

from brain import journal, receipts, time
from brain.models import Fact, Receipt
from brain.reader import EVERYTHING, Reader
from brain.recall import recall
from brain.remember import Outcome, remember
from brain.saying import Saying

JAN, FEB, MAR, APR = (time.parse(day) for day in ("2026-01-12", "2026-02-09", "2026-03-03", "2026-04-01"))
TIER = "Tier 2 renewal"


def say(
    value: str, learned_at: int | None = JAN, *, subject: str = TIER, predicate: str = "list_price", **more
) -> Fact:
    return said(value, learned_at, subject=subject, predicate=predicate, **more).fact


def said(
    value: str, learned_at: int | None = JAN, *, subject: str = TIER, predicate: str = "list_price", **more
) -> Outcome:
    words = {"source": "pricing-sheet", "written_by": "pricing-team"} | more
    saying = Saying(subject=subject, predicate=predicate, value=value, learned_at=learned_at, **words)
    return remember(saying, actor=words["written_by"])


def ask(
    subject: str = TIER,
    *,
    agent: str = "brief-writer",
    as_of: int | None = None,
    predicate: str | None = None,
    scope: str = "/",
    recursive: bool = False,
) -> str:
    """A recall by an agent, as every door does it; the id of its receipt."""
    reader = Reader(scope)
    at = journal.resolve(as_of, reader=reader)
    answer = recall(subject, at=at, reader=reader, scope=scope, recursive=recursive, predicate=predicate)
    named = {"as_of": as_of, "predicate": predicate, "recursive": recursive or None}
    query = {"kind": "recall", "subject": subject} | {name: value for name, value in named.items() if value is not None}
    ids = [fact.id for fact in answer.facts]
    receipt = receipts.leave(agent=agent, scope=scope, query=query, at=at, fact_ids=ids)
    assert receipt is not None
    while as_of is None and journal.clock() <= at.as_of:
        pass  # what is said next is said later
    return receipt


def seen(receipt: str, reader: Reader = EVERYTHING) -> Receipt:
    return receipts.receipt(receipt, reader)
