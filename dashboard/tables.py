"""Tables of facts: which columns there are and which of them sort; rows come in the order of the brain's list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import django_tables2 as tables
from django_tables2.data import TableListData

from brain.describe import FactAt
from dashboard.chips import Chip


@dataclass(frozen=True, slots=True)
class Row:
    """A fact with what its row says beside it. `again`: the row above has the same subject."""

    fact: FactAt
    key: int
    chips: list[Chip]
    end: int | None
    again: bool
    today: str | None = None

    @property
    def same_today(self) -> bool:
        return self.today == self.fact.value


class Ordered(TableListData):  # type: ignore[misc]
    """Rows that are in order already."""

    def order_by(self, aliases: object) -> None:
        """The brain has sorted the whole list; a page of it is not sorted again."""


class FactTable(tables.Table):  # type: ignore[misc]
    """The Facts page's columns, named like the orders of the brain's list."""

    subject = tables.Column()
    predicate = tables.Column()
    value = tables.Column()
    today = tables.Column(orderable=False)
    status = tables.Column(orderable=False)
    source = tables.Column(attrs={"th": {"class": "c-source"}})
    written_by = tables.Column(verbose_name="Writer")
    learned_at = tables.Column(verbose_name="Learned", attrs={"th": {"class": "c-learned"}})
    expires_at = tables.Column(verbose_name="Held until")

    class Meta:
        template_name = "facts/table.html"
        order_by_field = "order"

    def __init__(self, rows: Sequence[Row], *, order: str, past: bool, **options: Any) -> None:
        hidden = () if past else ("today",)
        super().__init__(Ordered(list(rows)), order_by=order, exclude=hidden, **options)
        self.past = past
        if past:
            self.columns["value"].column.verbose_name = "Value then"
            self.columns["status"].column.verbose_name = "Status then"
