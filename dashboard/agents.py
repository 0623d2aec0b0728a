"""Agents as a list shows them: their tokens, when each read and wrote last, and how much it reads by the day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, F, Max
from django.utils import timezone

from brain import journal
from brain import time as instants
from brain.models import AgentToken, Operation, Receipt
from brain.querysets import big
from brain.time import DAY
from dashboard import when

DAYS, TALL = 30, 28


@dataclass(slots=True)
class Agent:
    """`reads`: receipts of each of the last DAYS days, oldest first; the last one is today."""

    token: AgentToken
    state: str
    last_read: int | None = None
    last_write: int | None = None
    reads: list[int] = field(default_factory=lambda: [0] * DAYS)

    @property
    def today(self) -> int:
        return self.reads[-1]

    @property
    def most(self) -> int:
        return max(self.reads)

    @property
    def bars(self) -> list[tuple[str, str, int, int]]:
        """x, width, y and height of a bar a day; days without reads draw nothing."""
        most, width = max(self.most, 1), 100 / DAYS
        heights = [max(2, round(TALL * count / most)) if count else 0 for count in self.reads]
        drawn = [(n, height) for n, height in enumerate(heights) if height]
        return [(f"{n * width:.2f}%", f"{width * 0.7:.2f}%", TALL - height, height) for n, height in drawn]


def agents(tokens: Sequence[AgentToken]) -> list[Agent]:
    now, midnight = journal.now(), _midnight()
    found = {token.name: Agent(token, _state(token, now)) for token in tokens}
    for name, last in _by_agent(Receipt, "agent", found):
        found[name].last_read = last
    for name, last in _by_agent(Operation, "actor", found):
        found[name].last_write = last
    start = midnight - (DAYS - 1) * DAY
    day = (F("at") - big(start)) / big(DAY)
    recent = Receipt.objects.filter(agent__in=found, at__gte=start).order_by()
    for name, number, count in recent.values("agent").annotate(_n=day, c=Count("pk")).values_list("agent", "_n", "c"):
        found[name].reads[min(number, DAYS - 1)] += count
    return list(found.values())


def _by_agent(model: type[Receipt] | type[Operation], column: str, names: dict[str, Agent]) -> list[tuple[str, int]]:
    rows = model.objects.filter(**{f"{column}__in": names}).order_by()
    return list(rows.values(column).annotate(last=Max("at")).values_list(column, "last"))


def _midnight() -> int:
    """The start of today, where the reader is."""
    today: datetime = when.local(journal.now(), timezone.get_current_timezone())
    return instants.from_datetime(today.replace(hour=0, minute=0, second=0, microsecond=0))


def _state(token: AgentToken, now: int) -> str:
    if token.revoked_at is not None:
        return "revoked"
    return "expired" if token.expires_at is not None and token.expires_at <= now else "active"
