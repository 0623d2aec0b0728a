"""The form in which a person says what each column of a sheet is."""

from __future__ import annotations

from calendar import month_name
from typing import Any

from django import forms
from django.conf import settings
from django.utils import timezone

from dashboard.columns import DAY_FIRST, IGNORED, MEANINGS, MONTH_FIRST, ONCE, OWN
from dashboard.fields import Text
from dashboard.importing import dates_of
from dashboard.sheets import DATES, Plan

THROUGH, BEFORE = "through", "before"


class MappingForm(forms.Form):
    """One choice a column, what goes for all rows, and how dates are meant where the file does not say."""

    predicate = Text("predicate", label="Predicate, for rows without one")
    source = Text("source", label="Source, for rows without one")
    scope = Text("scope", label="Scope, for rows without one")
    ends = forms.ChoiceField(
        label="A day in “held until” means",
        choices=[(THROUGH, "held through that day"), (BEFORE, "held until that day begins")],
        widget=forms.RadioSelect,
        required=False,
    )

    def __init__(self, state: dict[str, Any], data: Any = None, *, writes_as: bool) -> None:
        plan = state.get("plan") or {}
        initial = {name: plan.get(name) for name in ("predicate", "source", "scope")} | {
            "source": plan.get("source") or state["name"],
            "scope": plan.get("scope") or "/",
            "ends": _ends(state, plan),
        }
        super().__init__(data, initial=initial)
        self.state, self.dates = state, dates_of(state)
        meanings = plan.get("meanings") or state["guessed"]
        choices = [(IGNORED, "not imported"), *((n, w) for n, w in MEANINGS.items() if n != "written_by" or writes_as)]
        for n, name in enumerate(state["header"]):
            self.fields[f"column-{n}"] = forms.ChoiceField(
                label=name, choices=choices, required=False, initial=meanings.get(name, IGNORED)
            )
        self._ask_order()

    def _ask_order(self) -> None:
        asking = next((dates for dates in self.dates.values() if dates.asks), None)
        if asking is None:
            return
        day, month, year = asking.example[:10].replace("-", "/").split("/")[:3]
        choices = [
            (DAY_FIRST, f"day first: {_written(day, month, year)}"),
            (MONTH_FIRST, f"month first: {_written(month, day, year)}"),
        ]
        self.fields["order"] = forms.ChoiceField(
            label=f"{asking.example} can be read two ways. It is written",
            choices=choices,
            widget=forms.RadioSelect,
            required=False,
        )

    @property
    def columns(self) -> list[tuple[forms.BoundField, list[str]]]:
        """Each column's choice with what its first rows hold."""
        rows = self.state["sample"]
        return [
            (self[f"column-{n}"], [row[n] for row in rows if n < len(row) and row[n]][:3])
            for n in range(len(self.state["header"]))
        ]

    @property
    def constants(self) -> list[forms.BoundField]:
        return [self[name] for name in ("predicate", "source", "scope")]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        taken = self._meanings(cleaned)
        for meaning in ONCE:
            if sum(one == meaning for one in taken.values()) > 1:
                self.add_error(None, f"Two columns are taken for “{MEANINGS[meaning]}”: only one can be.")
        if "subject" not in taken.values():
            self.add_error(None, "Say which column holds the subject: what each row is about.")
        if not {"value", OWN} & set(taken.values()):
            self.add_error(None, "Say which column holds the value.")
        if "value" in taken.values() and "predicate" not in taken.values() and not cleaned.get("predicate"):
            self.add_error(
                "predicate", "No column holds the predicate, so say what the values are: list_price, perhaps."
            )
        if "" in self._orders(taken).values():
            self.add_error("order", "Say how these dates are written; we do not guess.")
        return cleaned

    def _meanings(self, cleaned: dict[str, Any]) -> dict[str, str]:
        return {name: cleaned.get(f"column-{n}") or IGNORED for n, name in enumerate(self.state["header"])}

    def _orders(self, taken: dict[str, str]) -> dict[str, str]:
        """Column of dates → the order of its 03/04/2026, proven by other dates or chosen; "" where it is not known."""
        mapped = {name: self.dates[name] for name, meaning in taken.items() if meaning in DATES and name in self.dates}
        chosen = self.cleaned_data.get("order", "")
        return {name: dates.proven or chosen for name, dates in mapped.items() if dates.proven or dates.asks}

    def plan(self) -> Plan:
        given = self.cleaned_data
        taken = self._meanings(given)
        return Plan(
            meanings={name: meaning for name, meaning in taken.items() if meaning},
            predicate=given["predicate"] or "",
            source=given["source"] or self.state["name"],
            scope=given["scope"] or "/",
            orders=self._orders(taken),
            through=given["ends"] != BEFORE,
            zone=str(timezone.get_current_timezone()),
            brain_zone=settings.BRAIN_TIME_ZONE,
        )


def _ends(state: dict[str, Any], plan: dict[str, Any]) -> str:
    """A column that bears the brain's own name holds instants, as the API and exports have them."""
    if plan:
        return THROUGH if plan["through"] else BEFORE
    return BEFORE if state["guessed"].get("expires_at") else THROUGH


def _written(day: str, month: str, year: str) -> str:
    return f"{int(day)} {month_name[int(month)]} {year[:4]}"
