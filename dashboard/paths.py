"""Subjects in addresses: any text, in one segment, so that what follows it is never mistaken for a part of it."""

from __future__ import annotations

ESCAPES = (("~", "~0"), ("/", "~1"))
DOTS = {".": "~2", "..": "~2~2"}  # browsers would take these segments for steps in a path


class Subject:
    """~ and / are written ~0 and ~1, as in a JSON pointer."""

    regex = "[^/]+"

    def to_python(self, text: str) -> str:
        return text.replace("~2", ".").replace("~1", "/").replace("~0", "~")

    def to_url(self, subject: str) -> str:
        if subject in DOTS:
            return DOTS[subject]
        for letter, escape in ESCAPES:
            subject = subject.replace(letter, escape)
        return subject
