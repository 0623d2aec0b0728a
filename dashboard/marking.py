"""What changed inside a value, word by word; the pieces joined are the value as written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

WORDS = re.compile(r"\s+|[^\s]+")
MOST_WORDS = 400  # beyond it comparing costs more than it tells
ALIKE = 0.3  # share of equal words below which two values are told as two values


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    changed: bool


def marked(before: str, after: str) -> tuple[list[Piece], list[Piece]]:
    """Both values in pieces, those that the other lacks marked; wholly marked where little is alike."""
    old, new = WORDS.findall(before), WORDS.findall(after)
    if len(old) > MOST_WORDS or len(new) > MOST_WORDS:
        return _whole(before), _whole(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < ALIKE:
        return _whole(before), _whole(after)
    left: list[Piece] = []
    right: list[Piece] = []
    for kind, i, j, m, n in matcher.get_opcodes():
        _add(left, old[i:j], changed=kind != "equal")
        _add(right, new[m:n], changed=kind != "equal")
    return left, right


def _whole(text: str) -> list[Piece]:
    return [Piece(text, changed=True)]


def _add(pieces: list[Piece], words: Sequence[str], *, changed: bool) -> None:
    if words:
        pieces.append(Piece("".join(words), changed))
