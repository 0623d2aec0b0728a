"""The filters of a list of facts, named and meant like those of the JSON API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from django_filters import CharFilter, ChoiceFilter, FilterSet

from brain import listing, saying, scopes
from brain.errors import Invalid
from brain.models import Fact
from brain.querysets import FactQuerySet
from dashboard.reading import Reading

TEXTS = ("subject", "predicate", "value", "source", "written_by")
STATUSES = [
    ("scheduled", "scheduled"),
    ("claim", "claims"),
    ("covered", "under a temporary value"),
    ("superseded", "replaced"),
    ("expired", "ran out"),
    ("retracted", "written by mistake"),
    ("forgotten", "withheld"),
    ("all", "everything"),
]
PHRASES = {  # after "1 fact" and after "2 facts"
    "scheduled": ("is scheduled", "are scheduled"),
    "claim": ("is a claim", "are claims"),
    "covered": ("lies under a temporary value", "lie under temporary values"),
    "superseded": ("was replaced", "were replaced"),
    "expired": ("ran out", "ran out"),
    "retracted": ("was written by mistake", "were written by mistake"),
    "forgotten": ("is withheld", "are withheld"),
    "all": ("in all", "in all"),
}
HOLDING = {
    "now": ("holds now", "hold now"),
    "past": ("held then", "held then"),
    "ahead": ("will hold then", "will hold then"),
}
CONTESTED = [("true", "only contested")]
ENDING = [(days, f"within {days} days") for days in ("7", "30", "90")]
USED = {  # what a filter in use says; the others say what is what
    "q": "words have {}",
    "value": "value contains {}",
    "contested": "contested",
    "runs_out_within": "runs out within {} days",
}
CATEGORIES = [(name, name) for name in saying.CATEGORIES]
MOST_SCOPES = 200
WEEK = 7  # days


@dataclass(frozen=True, slots=True)
class Further:
    """A filter that is not in use, and in words how many facts it would leave."""

    mark: str
    text: str
    name: str
    value: str


class FactForm(forms.Form):
    """Texts in the form in which the brain stores them."""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for name in TEXTS:
            if cleaned.get(name):
                try:
                    cleaned[name] = saying.text(name, cleaned[name])
                except Invalid as refusal:
                    self.add_error(name, refusal.errors[0][1])
        return cleaned


class FactFilter(FilterSet):  # type: ignore[misc]
    """What to show of the facts at one reading; `qs` is the list that the brain gives for it."""

    q = CharFilter(label="Words")
    subject = CharFilter(label="Subject")
    predicate = CharFilter(label="Predicate")
    value = CharFilter(label="Value contains")
    status = ChoiceFilter(label="Status", choices=STATUSES, widget=forms.RadioSelect)
    contested = ChoiceFilter(label="Contested", choices=CONTESTED, empty_label="or not")
    runs_out_within = ChoiceFilter(label="Runs out", choices=ENDING, empty_label="whenever")
    category = ChoiceFilter(label="Category", choices=CATEGORIES, empty_label="any")
    source = CharFilter(label="Source")
    written_by = CharFilter(label="Writer")
    scope = ChoiceFilter(label="Scope", empty_label="/ and below")

    class Meta:
        model = Fact
        fields: list[str] = []
        form = FactForm

    def __init__(self, data: QueryDict, reading: Reading) -> None:
        data = data.copy()
        if data.get("status") == "current":
            del data["status"]  # what is shown without a choice
        super().__init__(data, queryset=Fact.objects.none())
        self.reading = reading
        names = scopes.scopes(reading.reader).exclude(name="/").values_list("name", flat=True)[:MOST_SCOPES]
        self.filters["scope"].extra["choices"] = [(name, name) for name in names]
        self.filters["status"].extra["empty_label"] = "holds now" if reading.tense == "now" else "held then"
        if not reading.reader.audit:
            self.filters["status"].extra["choices"] = [pair for pair in STATUSES if pair[0] != "forgotten"]

    def filter_queryset(self, queryset: FactQuerySet) -> FactQuerySet:
        if self.form.errors:
            return queryset
        asked = {name: text for name, text in self.form.cleaned_data.items() if text}
        for name, convert in (("contested", bool), ("runs_out_within", int)):
            if name in asked:
                asked[name] = convert(asked[name])
        scope = asked.pop("scope", "/")
        return listing.facts(self.reading.reader, self.reading.at, scope=scope, **asked)

    @property
    def chosen_status(self) -> str:
        return str(self.form.cleaned_data.get("status") or "current") if self.is_valid() else "current"

    @property
    def in_use(self) -> list[tuple[str, str, str]]:
        """Name, label and saying of each filter that narrows the list."""
        if not self.is_valid():
            return []
        labels = dict(STATUSES)
        given = {name: self.form.cleaned_data[name] for name in self.filters}
        return [
            (name, label, USED.get(name, f"{label} is {{}}").format(labels.get(text, text)))
            for name, text in given.items()
            if text and (label := str(self.filters[name].label).lower())
        ]

    def further(self, rows: FactQuerySet) -> list[Further]:
        """What the rows of the list could be narrowed to that asks for somebody's care, with how many are left."""
        at, reader = self.reading.at, self.reading.reader
        ending = listing.running_out(rows, reader, at, WEEK).count()
        contested = rows.contested(at, audit=reader.audit).count()
        verb = "ran" if self.reading.tense == "past" else "runs" if ending == 1 else "run"
        found = [
            (ending, Further("m-expires", f"{ending:,} {verb} out within 7 days", "runs_out_within", str(WEEK))),
            (contested, Further("m-contested", f"{contested:,} contested", "contested", "true")),
        ]
        return [one for count, one in found if count and one.name not in self.used]

    def sentence(self, total: int) -> str:
        """212 facts hold now."""
        one, many = PHRASES.get(self.chosen_status) or HOLDING[self.reading.tense]
        fitting = " and fit" + "s" * (total == 1) + " the filter" if set(self.used) - {"status"} else ""
        number = f"{total:,}" if total else "No"
        return f"{number} {'fact ' + one if total == 1 else 'facts ' + many}{fitting}."

    @property
    def used(self) -> list[str]:
        return [name for name, _, _ in self.in_use]
