"""How texts fall into words, for search: case-folded, without accents, split at everything but letters and digits."""

from __future__ import annotations

import re
import unicodedata

WORD = re.compile(r"[^\W_]+")
MOST = 24  # words of one query that are looked for
LONGEST = 64  # characters of a word by which it is looked for
SHORTEST_MISSPELT, LONGEST_MISSPELT = 4, 24  # characters; a shorter word with a slip in it may be any other
ALPHABETS = ("abcdefghijklmnopqrstuvwxyz", "абвгдежзийклмнопрстуфхцчшщъыьэюя", "αβγδεζηθικλμνξοπρστυφχψω")
# words that questions are made of and facts are not about
STOP = frozenset(
    re.findall(
        r"\w+",
        """a about an and any are as at be been by can could did do does for from had has have how i if in is it its me
        much many my of on or our please should so tell than that the their them there these they this those to was we
        were what when where which who whom whose why will with would you your""",
    )
)


def plain(text: str) -> str:
    """Case-folded and without accents."""
    apart = unicodedata.normalize("NFD", text.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def words(text: str) -> list[str]:
    return WORD.findall(plain(text))


def asked(query: str) -> list[str]:
    """The words of a query that are looked for, each once: stop words only where there are no others."""
    every = list(dict.fromkeys(word[:LONGEST] for word in words(query)))
    return ([word for word in every if word not in STOP] or every)[:MOST]


def one_slip_away(word: str) -> set[str]:
    """Every spelling at one slip: a letter left out, doubled in, changed, or two swapped."""
    if not SHORTEST_MISSPELT <= len(word) <= LONGEST_MISSPELT or word.isdigit():
        return set()
    letters = next((letters for letters in ALPHABETS if set(letters) & set(word)), "")
    cuts = [(word[:n], word[n:]) for n in range(len(word) + 1)]
    left_out = {head + tail[1:] for head, tail in cuts if tail}
    swapped = {head + tail[1] + tail[0] + tail[2:] for head, tail in cuts if len(tail) > 1}
    changed = {head + letter + tail[1:] for head, tail in cuts if tail for letter in letters}
    added = {head + letter + tail for head, tail in cuts for letter in letters}
    return (left_out | swapped | changed | added) - {word}
