"""Which answers to show: by agent, subject, day and text; the text may also stand in a value that was served."""

from __future__ import annotations

from django import forms
from django.db.models import Q, QuerySet

from brain import receipts
from brain.models import Fact, Receipt, ReceiptFact
from brain.reader import Reader
from dashboard import fields

LABELS = {"agent": "agent", "subject": "subject", "start": "from", "end": "through", "q": "words"}


class AnswersFilter(forms.Form):
    q = fields.Text("value", label="Asked, served or said", widget=forms.TextInput(attrs={"placeholder": "$4,200"}))
    agent = fields.Text("written_by", label="Agent")
    subject = fields.Text("subject", label="Subject")
    start = fields.Instant(label="From", widget=forms.TextInput(attrs={"placeholder": "9 Feb 2026"}))
    end = fields.Through(label="Through", widget=forms.TextInput(attrs={"placeholder": "9 Feb 2026"}))

    def receipts(self, reader: Reader) -> QuerySet[Receipt]:
        asked = {name: value for name, value in self.cleaned_data.items() if value is not None}
        words = asked.pop("q", None)
        found = receipts.listing(reader, **asked)
        return found if words is None else found.filter(_in_text(words, reader) | _in_values(words, reader))

    @property
    def in_use(self) -> list[tuple[str, str, str]]:
        """Name, label and text of each filter that narrows the list."""
        if not self.is_valid():
            return []
        given = [(name, str(self.data.get(name, "")).strip()) for name in self.fields]
        return [(name, LABELS[name], text) for name, text in given if text]


def _in_text(words: str, reader: Reader) -> Q:
    return Q(pk__in=receipts.listing(reader, q=words).order_by().values("pk"))


def _in_values(words: str, reader: Reader) -> Q:
    facts = Fact.objects.existing(audit=reader.audit).with_value_like(words).order_by().values("origin_id")
    return Q(pk__in=ReceiptFact.objects.filter(fact__in=facts).order_by().values("receipt_id"))
