"""Form fields that read what people type: instants in words, texts as the brain stores them, lists of numbers."""

from __future__ import annotations

import re
from datetime import timedelta
from zoneinfo import ZoneInfo

from django import forms
from django.conf import settings
from django.utils import timezone

from brain import saying
from brain import time as instants
from brain.errors import Invalid
from dashboard import when

RANGE = re.compile(r"(?:op:)?(\d{1,18})(?:\s*[-–]\s*(?:op:)?(\d{1,18}))?")
MOST_NUMBERS = 10_000


class Instant(forms.CharField):
    """Epoch milliseconds; None when left empty. A date alone is the start of that day."""

    def __init__(self, **options: object) -> None:
        super().__init__(**{"required": False} | options)  # type: ignore[arg-type]
        self.widget.attrs.setdefault("autocomplete", "off")

    def clean(self, value: object) -> int | None:
        text = str(super().clean(value) or "").strip()
        if not text:
            return None
        try:
            return self.read(text)
        except ValueError as problem:
            raise forms.ValidationError(str(problem)) from None

    def read(self, text: str) -> int:
        zone = ZoneInfo(str(timezone.get_current_timezone()))
        return when.typed(text, zone, ZoneInfo(settings.BRAIN_TIME_ZONE))


class Through(Instant):
    """The end of a period; a date alone means through that day: the midnight that ends it, in the brain's zone."""

    def read(self, text: str) -> int:
        instant = super().read(text)
        if ":" in text:
            return instant
        day = when.local(instant, ZoneInfo(settings.BRAIN_TIME_ZONE)) + timedelta(days=1)
        return instants.from_datetime(day)


class Text(forms.CharField):
    """A text in the form in which the brain stores it; None when left empty. `kind` names the brain's rule for it."""

    def __init__(self, kind: str, **options: object) -> None:
        super().__init__(**{"required": False, "strip": False} | options)  # type: ignore[arg-type]
        self.kind = kind
        self.widget.attrs.setdefault("autocomplete", "off")

    def clean(self, value: object) -> str | None:
        raw = str(super().clean(value) or "")
        if not raw.strip():
            return None
        try:
            return saying.scope(raw.strip()) if self.kind == "scope" else saying.text(self.kind, raw)
        except Invalid as refusal:
            raise forms.ValidationError(f"This {refusal.errors[0][1]}.") from None


class Numbers(forms.CharField):
    """Whole numbers and runs of them, "12, 14-18"; None when left empty. Several fields of one name are joined."""

    widget = forms.TextInput

    def __init__(self, **options: object) -> None:
        super().__init__(**{"required": False} | options)  # type: ignore[arg-type]
        self.widget.attrs.setdefault("autocomplete", "off")

    def clean(self, value: object) -> tuple[int, ...] | None:
        text = str(super().clean(value) or "").strip()
        return tuple(sorted(self._read(text))) if text else None

    def _read(self, text: str) -> set[int]:
        found: set[int] = set()
        for part in re.split(r"[,;\s]+(?![-–])", re.sub(r"\s*[-–]\s*", "-", text)):
            run = RANGE.fullmatch(part)
            if run is None:
                raise forms.ValidationError(f"“{part}” is not a number. Write numbers with commas: 12, 14-18")
            first, last = int(run[1]), int(run[2] or run[1])
            if last < first or last - first >= MOST_NUMBERS or len(found) > MOST_NUMBERS:
                raise forms.ValidationError(f"Name at most {MOST_NUMBERS:,} numbers, each run from low to high.")
            found.update(range(first, last + 1))
        return found


class ManyInOne(forms.TextInput):
    """One text field that takes several values of its name as well, as boxes that were ticked send them."""

    def value_from_datadict(self, data: object, files: object, name: str) -> str:
        values = data.getlist(name) if hasattr(data, "getlist") else [data.get(name)]  # type: ignore[attr-defined]
        return ", ".join(text for text in values if text)


def runs(numbers: tuple[int, ...]) -> str:
    """12, 14-18: what Numbers reads back."""
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in parts)
