"""The masthead's links as data: a page is listed when its address exists and the person may use it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from dashboard.roles import READ, grants


@dataclass(frozen=True, slots=True)
class Page:
    """One link of the masthead. `timed`: the page reads at the time bar's instant, so the link carries it."""

    address: str
    label: str
    grant: str = READ
    timed: bool = False


PAGES = [
    Page("facts", "Facts", timed=True),
    Page("compare", "Compare", timed=True),
    Page("answers", "Answers"),
    Page("journal", "Journal"),
    Page("review", "Review"),
    Page("import", "Import", grant="memory:write"),
    Page("agents", "Agents", grant="memory:manage"),
]


@dataclass(frozen=True, slots=True)
class Link:
    label: str
    href: str
    timed: bool
    current: bool


def links(request: HttpRequest) -> list[Link]:
    may = grants(request.user)
    found = []
    for page in PAGES:
        if page.grant not in may:
            continue
        try:
            href = reverse(page.address)
        except NoReverseMatch:
            continue
        found.append(Link(page.label, href, page.timed, _is_current(request, page.address)))
    return found


def _is_current(request: HttpRequest, address: str) -> bool:
    match = request.resolver_match
    return match is not None and (match.url_name or "").split(":")[0].startswith(address)


def site(request: HttpRequest) -> dict[str, Any]:
    """What every page's frame shows: a context processor."""
    return {"nav": lambda: links(request), "zone": timezone.get_current_timezone()}
