"""What a rewind is asked for, as its address names it: a point to go back to or operations to undo, and for whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict

from brain import journal
from brain import time as instants
from brain.errors import Invalid
from brain.models import Operation
from brain.rewind import Part
from dashboard import fields
from dashboard.confirming import Confirmation
from dashboard.reading import encode

NARROWING = ("actor", "written_by", "source", "subject", "scope", "ids")
WORDS = {
    "written_by": "written by",
    "source": "from the source",
    "subject": "about",
    "scope": "in the scope",
    "ids": "only facts",
}


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the journal: right after `operation`; `text` as links carry it, `instant` if it was named by one."""

    operation: int
    text: str
    instant: int | None = None


class PointField(fields.Instant):
    """An operation ("op:300", or 300) or an instant, which means the last operation by then."""

    def clean(self, value: object) -> Point | None:  # type: ignore[override]
        text = str(value or "").strip().lower().replace("op ", "op:")
        if not text.removeprefix("op:").isdecimal():
            instant = super().clean(value)
            return None if instant is None else self._resolved(instant, instants.to_text(instant), instant)
        number = text.removeprefix("op:")
        return self._resolved(f"op:{number}", f"op:{number}", None)

    def _resolved(self, known_at: int | str, text: str, instant: int | None) -> Point:
        try:
            return Point(journal.resolve(known_at=known_at).known_at, text, instant)
        except Invalid as refusal:
            raise forms.ValidationError(f"This {refusal.errors[0][1]}.") from None


class RewindForm(forms.Form):
    to = PointField(label="Back to", widget=forms.TextInput(attrs={"placeholder": "24 Aug 2026, 08:00 or op:300"}))
    operations = fields.Numbers(label="Or undo operations", widget=fields.ManyInOne(attrs={"placeholder": "12, 14-18"}))
    actor = fields.Text("written_by", label="Done by", widget=forms.TextInput(attrs={"list": "actors"}))
    written_by = fields.Text("written_by", label="Writer")
    source = fields.Text("source", label="Source")
    subject = fields.Text("subject", label="Subject")
    scope = fields.Text("scope", label="Scope", widget=forms.TextInput(attrs={"placeholder": "/ and below"}))
    ids = fields.Numbers(label="Facts, by number")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("to") and cleaned.get("operations"):
            self.add_error("operations", "Name a point to go back to or operations to undo, not both.")
        return cleaned

    @property
    def names_a_target(self) -> bool:
        return bool(self.cleaned_data.get("to") or self.cleaned_data.get("operations"))

    @property
    def asked(self) -> Asked:
        return Asked(**self.cleaned_data)


@dataclass(frozen=True, slots=True)
class Asked:
    to: Point | None
    operations: tuple[int, ...] | None
    actor: str | None
    written_by: str | None
    source: str | None
    subject: str | None
    scope: str | None
    ids: tuple[int, ...] | None

    @property
    def point(self) -> int | None:
        return self.to.operation if self.to else None

    @property
    def part(self) -> Part:
        return Part(**{name: getattr(self, name) for name in (*NARROWING, "operations")})

    @property
    def texts(self) -> dict[str, str]:
        """What was given, as texts that the form reads back."""
        given = {"to": self.to.text if self.to else None, "operations": self.operations}
        given |= {name: getattr(self, name) for name in NARROWING}
        return {
            name: fields.runs(value) if isinstance(value, tuple) else str(value)
            for name, value in given.items()
            if value is not None
        }

    @property
    def query(self) -> str:
        return encode(self.texts)

    @property
    def narrowed(self) -> list[tuple[str, str]]:
        """Words and text of each narrowing but the actor."""
        return [(words, self.texts[name]) for name, words in WORDS.items() if name in self.texts]

    @property
    def since(self) -> int | None:
        """The instant from which on things are undone: after the operation that is gone back to."""
        found = Operation.objects.filter(pk__gt=self.point or 0).order_by("pk").values_list("at", flat=True)
        return found.first()


class RewindConfirmation(Confirmation):
    """Also carries how many rows would move, and how many seconds it took to find that out."""

    rows = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=0)
    took = forms.FloatField(widget=forms.HiddenInput, required=False, min_value=0, localize=False)


def is_canonical(data: QueryDict, asked: Asked) -> bool:
    given = {name: data.getlist(name) for name in data if any(data.getlist(name))}
    return given == {name: [text] for name, text in asked.texts.items()}
