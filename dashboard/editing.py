"""A change or a new fact as it is typed: fields become a saying, and a preview is known again when it is saved."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.urls import reverse

from brain import saying
from brain.describe import FactAt
from brain.errors import Invalid
from brain.foresee import held_as_told
from brain.journal import canonical
from brain.saying import Saying
from dashboard import when
from dashboard.chips import shortened
from dashboard.fields import Text
from dashboard.periods import Begins, Ends, typed_end, zone

SOURCE = "dashboard"
RETURNS, NOTHING = "returns", "nothing"
ONE_LINE = 120  # letters; longer values get a field of several lines


class Words(Text):
    """A text that must be given; blanks alone are none."""

    def clean(self, value: object) -> str:
        found = super().clean(value)
        if found is None:
            raise forms.ValidationError(self.error_messages["required"])
        return found


@dataclass(frozen=True, slots=True)
class Draft:
    """What would be said, why, and the operation up to which its writer had seen the brain."""

    said: Saying
    reason: str
    seen: int

    @property
    def mark(self) -> str:
        """Known again: the parts of a saying that a preview tells about."""
        said = self.said
        parts = [said.scope, said.subject, said.predicate, said.value, said.learned_at, said.expires_at]
        return hashlib.sha256(canonical([*parts, said.temporary, said.category])).hexdigest()[:16]

    def guarded(self) -> Saying:
        """The saying, refused if another value holds at its beginning than the writer had seen."""
        return replace(self.said, expected_current=held_as_told(self.said, self.seen))


class ChangeForm(forms.Form):
    """One line: the new value, from when, until when and what then, and why."""

    value = Words("value", label="New value", error_messages={"required": "Say what the value becomes."})
    learned_at = Begins(label="From", widget=forms.TextInput(attrs={"placeholder": "now"}))
    expires_at = Ends(label="Until", widget=forms.TextInput(attrs={"placeholder": "until replaced"}))
    after = forms.ChoiceField(
        label="Afterwards",
        choices=[(RETURNS, "the present value holds again"), (NOTHING, "nothing holds")],
        widget=forms.RadioSelect,
        initial=RETURNS,
        required=False,
    )
    reason = forms.CharField(label="Why", required=False, strip=False)
    source = Words("source", label="Source", initial=SOURCE, error_messages={"required": "Say where it comes from."})
    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
    over = forms.IntegerField(widget=forms.HiddenInput, min_value=0, required=False)
    shown = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, of: FactAt | None = None, **options: Any) -> None:
        if of is not None:
            options |= {"auto_id": f"id_{of.id}_%s"}
        super().__init__(*args, **options)
        for field in self.fields.values():
            field.widget.attrs.setdefault("autocomplete", "off")
        if of is not None and is_long(of.value):
            self.fields["value"].widget = forms.Textarea(attrs={"rows": 3})
        if of is not None and not of.temporary:
            again = (RETURNS, f"{in_one_line(of.value)} holds again")
            self.fields["after"].choices = [again, (NOTHING, "nothing holds")]  # type: ignore[attr-defined]
        self.fields["value"].widget.attrs["autofocus"] = True

    def clean_reason(self) -> str:
        try:
            return saying.reason(self.cleaned_data["reason"])
        except Invalid as refusal:
            raise forms.ValidationError(f"The reason {refusal.errors[0][1]}.") from None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        begins, ends = cleaned.get("learned_at"), cleaned.get("expires_at")
        if begins is not None and ends is not None and ends <= begins:
            self.add_error("expires_at", "It must end after it begins.")
        return cleaned

    def problems(self, *, unfinished: bool) -> list[tuple[forms.BoundField, str]]:
        """What is wrong, field by field; in a form that somebody is still filling in, only with what is there."""
        wrong = ((self[name], str(found[0])) for name, found in self.errors.items())
        return [(field, problem) for field, problem in wrong if field.value() or not unfinished]

    def period(self) -> dict[str, Any]:
        given = self.cleaned_data
        temporary = given["expires_at"] is not None and given["after"] != NOTHING
        return {"learned_at": given["learned_at"], "expires_at": given["expires_at"], "temporary": temporary}

    def drafted(self, said: Saying) -> Draft:
        over = self.cleaned_data["over"]
        return Draft(said, self.cleaned_data["reason"], self.cleaned_data["seen"] if over is None else over)

    def change(self, fact: FactAt, writer: str) -> Draft:
        """The change of a fact's value that was typed."""
        given = self.cleaned_data
        said = Saying(
            fact.subject,
            fact.predicate,
            given["value"],
            given["source"],
            writer,
            category=fact.category,
            scope=fact.scope,
            **self.period(),
        )
        return self.drafted(said)


class AddForm(ChangeForm):
    """A new fact: what it is about, and the rest as for a change."""

    subject = Words("subject", label="Subject", error_messages={"required": "Say what it is about."})
    predicate = Words("predicate", label="Predicate", error_messages={"required": "Say which of its facts."})
    scope = Text("scope", label="Scope", initial="/")
    category = forms.ChoiceField(
        label="Category",
        choices=[
            ("knowledge", "knowledge: holds until replaced"),
            ("identity", "identity: never fades"),
            ("context", "context: runs out after 7 days"),
        ],
        required=False,
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["value"].label = "Value"
        self.fields["after"].choices = [(RETURNS, "what held before returns"), (NOTHING, "nothing holds")]  # type: ignore[attr-defined]
        self.fields["value"].widget.attrs.pop("autofocus")
        self.fields["subject"].widget.attrs |= {"autofocus": True} | _suggested("subject")
        self.fields["predicate"].widget.attrs |= _suggested("predicate")

    def fact(self, writer: str) -> Draft:
        given = self.cleaned_data
        said = Saying(
            given["subject"],
            given["predicate"],
            given["value"],
            given["source"],
            writer,
            category=given["category"] or "knowledge",
            scope=given["scope"] or "/",
            **self.period(),
        )
        return self.drafted(said)


def begun(fact: FactAt, seen: int) -> ChangeForm:
    """The form as it opens on a fact: a scheduled one keeps its day, a period its end."""
    begins = when.minute(fact.learned_at, zone()) if fact.status == "scheduled" else ""
    ends = typed_end(fact.expires_at) if fact.expires_at is not None and fact.category != "context" else ""
    after = NOTHING if ends and not fact.temporary else RETURNS
    initial = {"value": fact.value, "learned_at": begins, "expires_at": ends, "after": after, "seen": seen}
    return ChangeForm(initial=initial | {"source": SOURCE}, of=fact)


def opened(about: dict[str, str], seen: int) -> AddForm:
    """The form for a new fact as it opens, with what is known already of what it is about."""
    return AddForm(initial=about | {"seen": seen, "source": SOURCE, "scope": "/", "after": RETURNS})


def _suggested(field: str) -> dict[str, str]:
    """Fetches the options of the field's datalist while somebody types."""
    return {
        "list": f"{field}s",
        "hx-get": reverse("facts-suggest"),
        "hx-trigger": "focus once, input changed delay:150ms",
        "hx-include": "[name=subject], [name=predicate]",
        "hx-vals": f'{{"field": "{field}"}}',
        "hx-target": f"#{field}s",
        "hx-swap": "innerHTML",
        "hx-sync": "this:replace",
        "data-aside": "own",
    }


def in_one_line(value: str, most: int = 28) -> str:
    return shortened(" ".join(value.split()), most)


def is_long(value: str) -> bool:
    return len(value) > ONE_LINE or "\n" in value
