"""What is to be forgotten, as its address names it: one of four forms, each with what it takes and its verb."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.http import QueryDict

from brain import taken
from brain import time as instants
from brain.forget import Forgotten, forget, forget_scope, retain
from brain.reader import Reader
from brain.selectors import Selector
from brain.taken import Taking
from dashboard import fields
from dashboard.leftovers import BY_KIND, Leaves
from dashboard.reading import encode

WORDS = {
    "ids": "facts",
    "subject": "about",
    "predicate": "with the predicate",
    "source": "from the source",
    "written_by": "written by",
    "scope": "in the scope",
    "q": "with the words",
}


class Form(forms.Form):
    """`kind` is the operation's; a form that `names` nothing is not previewed yet."""

    kind: ClassVar[str]
    slug: ClassVar[str]
    title: ClassVar[str]
    verb: ClassVar[str]
    unit: ClassVar[str] = "fact"
    says: ClassVar[str]

    @property
    def leaves(self) -> Leaves:
        return BY_KIND[self.kind]

    @property
    def names(self) -> bool:
        return any(value for name, value in self.cleaned_data.items() if name not in ("basis", "block"))

    @property
    def texts(self) -> dict[str, str]:
        """What was given, as texts that the form reads back."""
        given = {name: value for name, value in self.cleaned_data.items() if value not in (None, "", False)}
        return {name: self._text(name, value) for name, value in given.items()}

    def _text(self, name: str, value: Any) -> str:
        if isinstance(value, tuple):
            return fields.runs(value)
        if isinstance(self.fields[name], fields.Instant):
            return instants.to_text(value)
        return "on" if value is True else str(value)

    @property
    def query(self) -> str:
        return encode(self.texts)

    @property
    def narrowed(self) -> list[tuple[str, str]]:
        return [(words, self.texts[name]) for name, words in WORDS.items() if name in self.texts]

    def is_canonical(self, data: QueryDict) -> bool:
        return {name: data[name] for name in data if data[name]} == self.texts

    def taking(self, reader: Reader) -> Taking:
        raise NotImplementedError

    def carry_out(self, *, actor: str, reason: str, reader: Reader, dry_run: bool) -> Forgotten:
        raise NotImplementedError


class Selecting(Form):
    """Facts that match every field given."""

    subject = fields.Text("subject", label="Subject")
    predicate = fields.Text("predicate", label="Predicate")
    source = fields.Text("source", label="Source")
    written_by = fields.Text("written_by", label="Writer")
    scope = fields.Text("scope", label="Scope", widget=forms.TextInput(attrs={"placeholder": "/ and below"}))
    q = fields.Text("value", label="Words in any text")
    ids = fields.Numbers(label="Facts, by number", widget=fields.ManyInOne)
    block = forms.BooleanField(label="Refuse the same value for the same key from now on", required=False)

    purge: ClassVar[bool]

    def taking(self, reader: Reader) -> Taking:
        given = {name: value for name, value in self.cleaned_data.items() if name != "block"}
        return taken.selected(Selector(**given), reader, purge=self.purge)

    def carry_out(self, *, actor: str, reason: str, reader: Reader, dry_run: bool) -> Forgotten:
        given = dict(self.cleaned_data)
        block = given.pop("block")
        return forget(
            Selector(**given),
            actor=actor,
            reason=reason,
            reader=reader,
            purge=self.purge,
            block_relearning=block,
            dry_run=dry_run,
        )


class Withhold(Selecting):
    kind, slug, title, verb, purge = "forget", "withhold", "Withhold facts", "Withhold", False
    says = "No agent reads them any more, at any instant. Auditors still can, and they can be given back."


class Erase(Selecting):
    kind, slug, title, verb, purge = "purge", "erase", "Erase facts", "Erase", True
    says = "What they said is taken out of every table and file, for good. Only a receipt without content stays."


class Age(Form):
    kind, slug, title, verb, unit = "retention", "age", "Erase old history", "Erase", "row"
    says = "Versions that were replaced long ago are erased for good; what holds now is not touched."

    before = fields.Instant(label="Older than", widget=forms.TextInput(attrs={"placeholder": "1 Jan 2026"}))
    basis = forms.ChoiceField(
        label="Which rows",
        choices=[
            ("learned_at", "replaced by now, and learned before that day"),
            ("ended_at", "ended before that day: replaced, run out or taken back"),
        ],
        initial="learned_at",
        required=False,
        widget=forms.RadioSelect,
    )
    scope = fields.Text("scope", label="Scope", widget=forms.TextInput(attrs={"placeholder": "/ and below"}))

    @property
    def names(self) -> bool:
        return self.cleaned_data.get("before") is not None

    def clean_basis(self) -> str:
        return self.cleaned_data["basis"] or "learned_at"

    def taking(self, reader: Reader) -> Taking:
        given = self.cleaned_data
        return taken.aged(given["before"], reader, basis=given["basis"], scope=given["scope"] or "/")

    def carry_out(self, *, actor: str, reason: str, reader: Reader, dry_run: bool) -> Forgotten:
        given = self.cleaned_data
        scope = given["scope"] or "/"
        return retain(
            given["before"],
            actor=actor,
            reason=reason,
            reader=reader,
            basis=given["basis"],
            scope=scope,
            dry_run=dry_run,
        )


class ByScope(Form):
    kind, slug, title, verb = "forget_scope", "scope", "Erase a scope", "Erase"
    says = "Everything under the scope is erased for good, holes, receipts and all. One legal hold refuses it whole."

    scope = fields.Text("scope", label="Scope", widget=forms.TextInput(attrs={"placeholder": "/emea/pricing"}))

    def taking(self, reader: Reader) -> Taking:
        return taken.scoped(self.cleaned_data["scope"])

    def carry_out(self, *, actor: str, reason: str, reader: Reader, dry_run: bool) -> Forgotten:
        scope = self.cleaned_data["scope"]
        return forget_scope(scope, actor=actor, reason=reason, reader=reader, dry_run=dry_run)


FORMS: dict[str, type[Form]] = {form.slug: form for form in (Withhold, Erase, Age, ByScope)}
