"""What to show of the journal: operations of one kind, by one actor, of some days."""

from __future__ import annotations

from django import forms
from django.db.models import QuerySet

from brain import journal
from brain.models import Operation
from brain.reader import Reader
from dashboard import fields
from dashboard.journaling import KINDS


class JournalFilter(forms.Form):
    actor = fields.Text("written_by", label="Who")
    kind = forms.ChoiceField(label="What", required=False, choices=[("", "everything"), *KINDS.items()])
    start = fields.Instant(label="From", widget=forms.TextInput(attrs={"placeholder": "9 Feb 2026"}))
    end = fields.Through(label="Through", widget=forms.TextInput(attrs={"placeholder": "today"}))

    def operations(self, reader: Reader) -> QuerySet[Operation]:
        asked = {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}
        return journal.operations(reader, **asked)

    @property
    def in_use(self) -> list[tuple[str, str, str]]:
        """Name, label and text of each filter that narrows the list."""
        if not self.is_valid():
            return []
        labels = dict(KINDS)
        used = [(name, self.fields[name], str(self.data.get(name, "")).strip()) for name in self.fields]
        return [(name, str(field.label).lower(), labels.get(text, text)) for name, field, text in used if text]
