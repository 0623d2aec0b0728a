"""A real browser on a live server: found on the machine, skipped loudly without one, required in CI."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from brain.remember import remember
from brain.saying import Saying

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # Playwright's own loop runs in the tests' thread

Visit = Callable[..., Page]


@pytest.fixture(scope="package")  # Playwright's loop must not run in the thread of other tests
def browser() -> Iterator[Browser]:
    path = os.environ.get("BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)
    with sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        except Error as problem:
            _missing(f"no browser starts ({problem.message.splitlines()[0]}): install chromium, or name one in BROWSER")
        yield started
        started.close()


def _is_complaint(line: ConsoleMessage) -> bool:
    """Errors, but for a page that was refused as it should be."""
    refused = line.text.startswith("Failed to load resource") and "/static/" not in line.location["url"]
    return line.type == "error" and not refused


def _missing(reason: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(f"BROWSER TESTS DID NOT RUN: {reason}")


@pytest.fixture
def visit(browser: Browser, live_server: LiveServer) -> Iterator[Visit]:
    """Opens a page as somebody of a role; what the console said and what left the host fails the test at its end."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(path: str, *, role: str | None = "auditor", width: int = 1440, **options: object) -> Page:
        settings = {"timezone_id": "Europe/London", "locale": "en-GB", "viewport": {"width": width, "height": 900}}
        context = browser.new_context(**settings | options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda line: complaints.append(line.text) if _is_complaint(line) else None)
        page.on("pageerror", lambda problem: complaints.append(str(problem)))
        page.on("request", lambda sent: None if sent.url.startswith(live_server.url) else complaints.append(sent.url))
        if role is not None:
            context.add_cookies([{"name": "sessionid", "value": _signed_in(role), "url": live_server.url}])
        page.goto(live_server.url + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def _signed_in(role: str) -> str:
    """The session of somebody who holds the role."""
    user, made = User.objects.get_or_create(username=role)
    if made:
        user.groups.add(Group.objects.get_or_create(name=role)[0])
    client = Client()
    client.force_login(user)
    return str(client.cookies["sessionid"].value)


def instant(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.fixture
def told(live_server: LiveServer) -> None:
    """The Tier 2 story, and a neighbour."""
    for subject, predicate, value, day in (
        ("Tier 1 renewal", "list_price", "$1,800", "2025-11-14"),
        ("Tier 2 renewal", "list_price", "$3,900", "2025-11-14"),
        ("Tier 2 renewal", "list_price", "$4,200", "2026-01-12"),
        ("Tier 2 renewal", "list_price", "$3,600", "2026-03-03"),
        ("Tier 2 renewal", "discount", "12%", "2026-01-15"),
    ):
        said = Saying(subject, predicate, value, "pricing-sheet", "pricing-team", learned_at=instant(day))
        remember(said, actor="pricing-team", reason="the price list")
