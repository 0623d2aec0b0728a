"""What asks for care is offered above the list, also after the slider has moved."""

from __future__ import annotations

import re

from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from brain.remember import remember
from brain.saying import Saying
from tests.browser.conftest import Visit, instant


def test_which_prices_ran_out_in_the_week_after_is_found_where_the_slider_rests(
    visit: Visit, live_server: LiveServer
) -> None:
    for subject, end in (("Seat", "2026-03-06"), ("Desk", None)):
        ends = None if end is None else instant(end)
        said = Saying(subject, "list_price", "$36", "sheet", "ann", learned_at=instant("2026-03-03"), expires_at=ends)
        remember(said, actor="ann", reason="as told")
    page = visit("/")
    expect(page.locator("#further")).to_be_empty()
    page.keyboard.press("t")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#facts-h")).to_contain_text("3 March 2026")
    page.get_by_role("link", name="1 ran out within 7 days").click()
    expect(page.locator("#facts tbody tr")).to_have_count(1)
    expect(page).to_have_url(re.compile("runs_out_within=7"))
    expect(page.locator("#id_runs_out_within")).to_have_value("7")
