"""Input is read strictly: UTF-8, one JSON document, finite numbers, text that both databases can hold."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, cast
from urllib.parse import unquote_to_bytes

from django.http import HttpRequest
from ninja.parser import Parser

from dashboard.api.errors import Refusal

DIGITS = 40  # of an integer; longer ones are no instant, id or count
PARAMETERS = 50
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class StrictParser(Parser):
    """Hands ninja the document that the gate has read."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        return cast(dict[str, Any], request.document)  # type: ignore[attr-defined]


def document(raw: bytes) -> object:
    """The JSON value in a body. Raises Refusal where it is malformed or holds text that cannot be stored."""
    try:
        text = raw.decode()
        value = json.loads(text, parse_constant=_no_constant, parse_float=_finite, parse_int=_bounded)
    except UnicodeDecodeError:
        raise Refusal.invalid([("body", "must be UTF-8")]) from None
    except RecursionError:
        raise Refusal.invalid([("body", "is nested too deeply")]) from None
    except ValueError as error:
        raise Refusal.invalid([("body", f"is not JSON: {error}")]) from None
    if "\\u" in text:
        refuse_unstorable(_texts(value))
    return value


def query(request: HttpRequest) -> dict[str, list[str]]:
    """The query's parameters and their values. Raises Refusal where they are no UTF-8 or cannot be stored."""
    raw = request.META.get("QUERY_STRING", "")
    if raw.count("&") >= PARAMETERS:
        raise Refusal.invalid([("query", f"has more than {PARAMETERS} parameters")])
    try:
        unquote_to_bytes(raw.encode("latin-1")).decode()
    except UnicodeError:
        raise Refusal.invalid([("query", "must be UTF-8")]) from None
    given: dict[str, list[str]] = dict(request.GET.lists())
    if "%" in raw:
        refuse_unstorable((name, text) for name, texts in given.items() for text in (name, *texts))
    return given


def refuse_unstorable(texts: Iterator[tuple[str, str]]) -> None:
    errors = [(place, problem) for place, text in texts if (problem := unstorable(text))]
    if errors:
        raise Refusal.invalid(errors)


def unstorable(text: str) -> str | None:
    found = UNSTORABLE.search(text)
    if found is None:
        return None
    return "holds a NUL byte" if found[0] == "\x00" else "holds a lone surrogate, which is no text"


def _texts(value: object) -> Iterator[tuple[str, str]]:
    """Every text in a document, names of fields included, with its place: ("facts.3.value", "…")."""
    waiting: list[tuple[str, object]] = [("", value)]
    while waiting:
        place, item = waiting.pop()
        if isinstance(item, str):
            yield place or "body", item
        elif isinstance(item, list):
            waiting += [(_join(place, str(n)), inner) for n, inner in enumerate(item)]
        elif isinstance(item, dict):
            yield from ((_join(place, name), name) for name in item)
            waiting += [(_join(place, name), inner) for name, inner in item.items()]


def _join(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


def _bounded(digits: str) -> int:
    if len(digits) > DIGITS:
        raise ValueError("a number is too large")
    return int(digits)
