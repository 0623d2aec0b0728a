"""Amounts are read out of values to be compared and drawn; the value itself is shown as written, never reformatted."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal

SPACES = "\u00a0\u202f\u2009 "
NUMBER = re.compile(rf"[-−+]?\d(?:[\d.,'’]|[{SPACES}](?=\d{{3}}(?:\D|$)))*")
SIGNED = re.compile(r"[-−](?P<symbol>\S+)\s?")
CODE = re.compile(r"\b[A-Z]{3}\b")
KRONE = re.compile(r"\b(?:kr|Kč|zł|Ft)\b\.?")
GROUPED = re.compile(r"\d{1,3}(?:(?P<mark>[.,' ])\d{3})(?:(?P=mark)\d{3})*")
# fmt: off
CODES = frozenset({
    "USD", "EUR", "GBP", "JPY", "CHF", "CAD", "AUD", "NZD", "CNY", "INR", "BRL", "MXN", "SEK", "NOK", "DKK", "PLN",
    "CZK", "HUF", "RON", "TRY", "ZAR", "KRW", "SGD", "HKD", "ILS", "AED",
})
# fmt: on
DOLLARS = frozenset({"USD", "CAD", "AUD", "NZD", "SGD", "HKD"})
SYMBOLS = {"€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW"}


@dataclass(frozen=True, slots=True)
class Amount:
    """A number and what it counts: `currency` is a code, a symbol or "" for a bare number; `unit` is what the value
    says besides ("per seat per month")."""

    number: Decimal
    currency: str
    unit: str

    def comparable(self, other: Amount) -> bool:
        return (self.currency, self.unit) == (other.currency, other.unit)


@dataclass(frozen=True, slots=True)
class Step:
    """From one amount to another of the same currency and unit; `percent` is None from nought."""

    difference: Decimal
    percent: Decimal | None


def parse(value: str) -> Amount | None:
    """The amount that a value states: exactly one number, as money or alone. None for everything else, and for a number
    that can be read in two ways."""
    text = " ".join(unicodedata.normalize("NFC", value).split())
    found = list(NUMBER.finditer(text))
    if len(found) != 1 or len(text) > 120:
        return None
    before, digits, after = text[: found[0].start()], found[0].group(), text[found[0].end() :]
    if signed := SIGNED.fullmatch(before):
        before, digits = signed["symbol"], f"-{digits}"
    currency, rest = _currency(f"{before} {after}")
    if currency is None or (rest and not currency) or _continues(before, after):
        return None
    number = _number(digits.rstrip(".,'’"), trailing=bool(_currency(after)[0]))
    return None if number is None else Amount(number, currency, rest)


def step(before: str, after: str) -> Step | None:
    """What changed from one value to the next, where both are amounts of one currency and unit."""
    old, new = parse(before), parse(after)
    if old is None or new is None or not old.comparable(new):
        return None
    difference = new.number - old.number
    return Step(difference, difference / abs(old.number) * 100 if old.number else None)


def _continues(before: str, after: str) -> bool:
    """Whether the digits are a part of a word, like P1 or 2nd."""
    return bool(re.search(r"\w$", before) and not _currency(before)[0]) or bool(re.match(r"\w", after))


def _currency(text: str) -> tuple[str | None, str]:
    """The currency that the text names ("" for none, None for several) and what it says besides."""
    named = [word for word in CODE.findall(text) if word in CODES]
    marks = [letter for letter in text if unicodedata.category(letter) == "Sc"]
    krone = KRONE.findall(text)
    names = {SYMBOLS.get(mark, mark) for mark in marks} | set(named) | set(krone)
    if "$" in names and any(word in DOLLARS for word in named):
        names -= {"$"}  # $ 5 CAD names one currency
    for word in [*named, *marks, *krone]:
        text = text.replace(word, " ", 1)
    rest = " ".join(text.split()).strip(" .,;:")
    return (None if len(names) > 1 else next(iter(names), "")), rest


def _number(digits: str, *, trailing: bool) -> Decimal | None:
    """The number written, by its marks: 3,600 and 3.600,00 and 3 600,50 and 2.5. `trailing`: the currency follows, as
    where a point groups thousands."""
    sign = "-" if digits[0] in "-−" else ""
    plain = re.sub(rf"[{SPACES}]", " ", digits.lstrip("-−+").strip()).replace("’", "'")
    last = max(plain.rfind("."), plain.rfind(","))
    whole, fraction = (plain, "") if last < 0 or plain.count(plain[last]) > 1 else (plain[:last], plain[last + 1 :])
    if _groups(plain, last, trailing=trailing):
        whole, fraction = plain, ""
    if (not fraction.isdigit() and fraction) or not (whole.isdigit() or GROUPED.fullmatch(whole)):
        return None
    return Decimal(f"{sign}{re.sub(r'[^0-9]', '', whole)}.{fraction or '0'}")


def _groups(plain: str, last: int, *, trailing: bool) -> bool:
    """Whether the only mark of the number groups thousands: a comma before three digits does, a point before three
    does where the currency follows (3.600 €) and not where it leads or is missing ($1.875)."""
    grouped = GROUPED.fullmatch(plain)
    if last < 0 or grouped is None or plain.startswith("0"):
        return False
    return plain[last] == "," or plain.count(".") > 1 or trailing
