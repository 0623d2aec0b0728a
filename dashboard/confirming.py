"""What changes many rows is previewed, confirmed by typing its count, counted again, and only then done."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Any

from django import forms
from django.http import QueryDict

from brain import saying
from brain.describe import FactAt
from brain.errors import Conflict, Invalid
from brain.forget import Forgotten
from brain.journal import canonical
from brain.moved import Moved
from brain.rewind import Rewound
from brain.turns import turn

IN_A_NUMBER = re.compile("[,.\\s\u00a0\u202f]")


class MovedOn(Conflict):
    """What would happen now is not what was previewed; nothing was changed."""


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

    def __init__(self, expected: int, seen: str, data: QueryDict | None = None) -> None:
        super().__init__(data, initial={"seen": seen, "expected": expected})
        self.fields["count"].widget.attrs["data-count"] = expected

    @classmethod
    def posted(cls, data: QueryDict) -> Confirmation:
        expected = data.get("expected", "")
        return cls(int(expected) if expected.isdecimal() else 0, "", data)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        expected, typed = cleaned.get("expected"), IN_A_NUMBER.sub("", str(cleaned.get("count", "")))
        if expected is not None and "count" in cleaned and typed != str(expected):
            self.add_error("count", f"Nothing was changed: type {expected}, the count shown above.")
        return cleaned


def size(done: Forgotten | Rewound) -> int:
    """The count that is typed to confirm."""
    if isinstance(done, Rewound):
        return done.retracted or done.restored
    return done.forgotten or done.purged


def mark(done: Forgotten | Rewound) -> str:
    """A short digest of what a verb does, or would do, to the facts; answers left meanwhile do not count."""
    if isinstance(done, Rewound):
        counts = [done.retracted, done.restored, done.kept_forgotten, done.changed]
        moved = [(*_key(one), one.before and one.before.value, one.after and one.after.value) for one in done.changes]
    else:
        counts = [done.matched, done.forgotten, done.purged, done.held, done.changed]
        moved = [(*_key(one), one.value, None) for one in done.changes]
    return hashlib.sha256(canonical([counts, moved])).hexdigest()[:16]


def _key(one: Moved | FactAt) -> tuple[str, str, str]:
    return one.scope, one.subject, one.predicate


def as_seen[Done: (Forgotten, Rewound)](act: Callable[[], Done], confirmed: dict[str, Any]) -> Done:
    """Does it, unless it comes to something else than what was seen and typed: then it leaves no trace. Raises
    MovedOn."""
    with turn():
        done = act()
        if (mark(done), size(done)) != (confirmed["seen"], confirmed["expected"]):
            raise MovedOn("The brain has changed since you looked, and this would do something else now.")
    return done
