"""The sample brain of `manage.py demo`: told once, with the times at which each step was recorded; then it is a brain
like any other, and a second run leaves it as it is."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User

from brain import forget, holds, journal, receipts, retire, tokens
from brain.errors import Conflict
from brain.journal import operation, turn
from brain.models import AgentToken, Fact, Operation, Receipt
from brain.reader import EVERYTHING, Reader
from brain.recall import recall
from brain.remember import remember_many
from brain.saying import Saying
from brain.selectors import Selector
from brain.time import DAY, parse
from dashboard.sample import ASKED, STEPS
from dashboard.sample_steps import Asked, Said, Step

USER = "demo"
TOKEN = "demo-agent"
OPERATOR = "operations"
AGENT_GRANTS = (tokens.READ, tokens.WRITE)


@dataclass(frozen=True, slots=True)
class Keys:
    """What opens the sample brain; shown once."""

    password: str
    token: str


def prepare() -> Keys:
    """Loads the sample into an empty brain and makes the user and a fresh token."""
    user, _ = get_user_model().objects.get_or_create(username=USER, defaults={"is_superuser": True, "is_staff": True})
    if not Operation.objects.exists():
        load(user)
    return Keys(_password(user), _token(user))


def load(owner: User) -> None:
    """Tells an empty brain the whole story. Steps that would lie after now are left out."""
    now = journal.now()
    with turn():
        for agent in sorted({asked.agent for asked in ASKED}):
            tokens.issue(agent, grants=AGENT_GRANTS, owner=owner)
        for step in sorted(STEPS, key=lambda step: _instant(step.at, now)):
            if _instant(step.at, now) <= now:
                _take(step, now)
        for asked in ASKED:
            if parse(asked.at) <= now:
                _ask(asked)
        _withhold_and_hold()
    _erase_old_plans()


def _instant(when: str | int, now: int) -> int:
    """A text, or days from the midnight before now."""
    return parse(when) if isinstance(when, str) else now - now % DAY + when * DAY


def _take(step: Step, now: int) -> None:
    at = _instant(step.at, now)
    if step.says:
        sayings = [_saying(said, step.actor, now) for said in step.says]
        kind = "batch" if len(sayings) > 1 else "remember"
        remember_many(sayings, actor=step.actor, reason=step.reason, kind=kind, at=at)
    elif step.retracts:
        with operation("retract", actor=step.actor, reason=step.reason, at=at) as entry:
            retire.unsay(_named(step.retracts), entry)
            entry.count(retracted=1)
    elif step.ends and step.until is not None:
        with operation("end", actor=step.actor, reason=step.reason, at=at) as entry:
            retire.say_again(_named(step.ends), entry, expires_at=_instant(step.until, now))
            entry.count(ended=1)


def _saying(said: Said, actor: str, now: int) -> Saying:
    return Saying(
        said.subject,
        said.predicate,
        said.value,
        said.source,
        actor,
        learned_at=None if said.learned is None else _instant(said.learned, now),
        expires_at=None if said.until is None else _instant(said.until, now),
        **(said.more or {}),
    )


def _named(fact: tuple[str, str, str]) -> Fact:
    subject, predicate, value = fact
    rows = Fact.objects.about(subject, predicate).filter(value=value, retracted_in__isnull=True)
    return rows.select_related("key").get()


def _ask(asked: Asked) -> None:
    """Leaves the receipt that the question would have left on its day, and the agent's answer."""
    instant = parse(asked.at)
    at = journal.resolve(instant, instant)
    found = recall(asked.subject, at=at, reader=Reader())
    query = {"kind": "recall", "subject": asked.subject}
    served = [fact.id for fact in found.facts]
    receipt = receipts.leave(agent=asked.agent, scope="/", query=query, at=at, fact_ids=served)
    if receipt is not None:
        receipts.answer(receipt, asked.answer, agent=asked.agent)
        Receipt.objects.filter(pk=receipt).update(at=instant, answered_at=instant)


def _withhold_and_hold() -> None:
    forget.forget(
        Selector(subject="Northwind Ltd", predicate="decision_maker"),
        actor=OPERATOR,
        reason="Names a person who asked to be left out",
        reader=EVERYTHING,
    )
    holds.place(
        Selector(subject="Enterprise", predicate="refund_window"),
        actor=OPERATOR,
        reason="Needed in a dispute",
        reader=EVERYTHING,
    )


def _erase_old_plans() -> None:
    forget.retain(
        parse("2025-09-01"),
        actor=OPERATOR,
        reason="Prices of plans that are no longer sold are kept for a year",
        reader=EVERYTHING,
        scope="/legacy",
    )


def _password(user: User) -> str:
    password = secrets.token_urlsafe(9)
    user.set_password(password)
    user.save(update_fields=["password"])
    return password


def _token(owner: User) -> str:
    """The sample's token with a new text; one that was revoked keeps its name, so another name follows."""
    name, number = TOKEN, 1
    while AgentToken.objects.filter(name=name, revoked_at__isnull=False).exists():
        number += 1
        name = f"{TOKEN}-{number}"
    try:
        return tokens.issue(name, grants=tokens.GRANTS, owner=owner)[1]
    except Conflict:
        return tokens.rotate(name, reader=EVERYTHING)
