"""What changes many rows is previewed, confirmed by typing its count, counted again, and only then done."""

from __future__ import annotations

import re
from typing import Any, Self

from django import forms
from django.http import QueryDict

from brain import saying
from brain.errors import Invalid

IN_A_NUMBER = re.compile("[,.\\s\u00a0\u202f]")


class Reason(forms.Form):
    """Why, in words that the journal keeps."""

    reason = forms.CharField(
        label="Reason, kept in the journal", widget=forms.TextInput(attrs={"autocomplete": "off"}), strip=False
    )

    def clean_reason(self) -> str:
        try:
            return saying.reason(self.cleaned_data["reason"], required=True)
        except Invalid as refusal:
            raise forms.ValidationError(f"The reason {refusal.errors[0][1]}.") from None


class Confirmation(Reason):
    """`expected` is the count to be typed, `seen` the mark of the preview that was looked at."""

    count = forms.CharField(
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "class": "typed"})
    )
    expected = forms.IntegerField(widget=forms.HiddenInput)
    seen = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, expected: int, seen: str, data: QueryDict | None = None, **more: object) -> None:
        super().__init__(data, initial={"seen": seen, "expected": expected} | more)
        self.fields["count"].widget.attrs["data-count"] = expected

    @classmethod
    def posted(cls, data: QueryDict) -> Self:
        expected = data.get("expected", "")
        return cls(int(expected) if expected.isdecimal() else 0, "", data)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        expected, typed = cleaned.get("expected"), IN_A_NUMBER.sub("", str(cleaned.get("count", "")))
        if expected is not None and "count" in cleaned and typed != str(expected):
            self.add_error("count", f"Nothing was changed: type {expected}, the count shown above.")
        return cleaned
