"""axe finds nothing on any page, light and dark, now and past, wide and narrow."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import Visit

SUBJECT = "/subjects/Tier%202%20renewal"
PAGES = [
    "/",
    "/?as_of=2026-02-09&q=tier",
    "/?status=all&order=-learned_at",
    "/?contested=true&runs_out_within=7",
    "/?as_of=3/4/2026",
    SUBJECT,
    f"{SUBJECT}?as_of=2026-02-09&known_at=op:3",
    f"{SUBJECT}?span=quarter",
    "/subjects/nothing",
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.usefixtures("told")
def test_axe_finds_nothing(visit: Visit, scheme: str, width: int) -> None:
    axe, page = Axe(), visit("/", width=width, color_scheme=scheme)
    origin = page.url.rstrip("/")
    found = []
    for path in PAGES:
        page.goto(origin + path)
        found += [f"{path}: {fault['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
                  for fault in axe.run(page).response["violations"] for node in fault["nodes"]]  # fmt: skip
    page.keyboard.press("?")
    found += [f"keys: {fault['id']}" for fault in axe.run(page).response["violations"]]
    assert found == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_sign_in_page(visit: Visit, scheme: str) -> None:
    page = visit("/sign-in", role=None, color_scheme=scheme)
    assert Axe().run(page).response["violations"] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_a_fresh_brain(visit: Visit, scheme: str) -> None:
    page = visit("/", color_scheme=scheme)
    assert Axe().run(page).response["violations"] == []
