"""The masthead's links as data: a page is listed when its address exists and the person may use it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from dashboard.allowed import CLAIMS, may
from dashboard.roles import AUDIT, READ
from dashboard.waiting import waiting


@dataclass(frozen=True, slots=True)
class Page:
    """One link of the masthead, for those who hold any of `grants`. `timed`: the page reads at the time bar's instant,
    so the link carries it. `also` begins the addresses that belong to it; `count` is of what waits there."""

    address: str
    label: str
    grants: tuple[str, ...] = (READ,)
    timed: bool = False
    also: tuple[str, ...] = ()
    count: Callable[[HttpRequest], int] | None = None


OPERATING = ("operation", "receipt", "rewind", "forget", "withheld", "scopes", "holds", "job")


PAGES = [
    Page("facts", "Facts", timed=True),
    Page("compare", "Compare", timed=True),
    Page("answers", "Answers", grants=(AUDIT,), also=("answer",)),
    Page("journal", "Journal", grants=(AUDIT,), also=OPERATING),
    Page("review", "Review", grants=(CLAIMS, AUDIT), also=("alike",), count=waiting),
    Page("import", "Import", grants=("memory:write",)),
    Page("agents", "Agents", grants=("memory:manage",), also=("agent", "new-agent")),
]


@dataclass(frozen=True, slots=True)
class Link:
    label: str
    href: str
    timed: bool
    current: bool
    count: int = 0


def links(request: HttpRequest) -> list[Link]:
    found = []
    for page in PAGES:
        if not any(may(request, grant) for grant in page.grants):
            continue
        try:
            href = reverse(page.address)
        except NoReverseMatch:
            continue
        count = page.count(request) if page.count else 0
        found.append(Link(page.label, href, page.timed, _is_current(request, page), count))
    return found


def _is_current(request: HttpRequest, page: Page) -> bool:
    match = request.resolver_match
    return match is not None and (match.url_name or "").split(":")[0].startswith((page.address, *page.also))


def site(request: HttpRequest) -> dict[str, Any]:
    """What every page's frame shows: a context processor."""
    return {"nav": lambda: links(request), "zone": timezone.get_current_timezone()}
