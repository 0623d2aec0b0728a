"""Drags the slider over the whole life of a brain and counts how often the table is swapped meanwhile.

usage: DATABASE_URL=… python -m tests.benchmarks.sample 100000 && manage.py serve, then
       python -m tests.benchmarks.slider http://127.0.0.1:8000 USER PASSWORD [SECONDS]
"""

from __future__ import annotations

import shutil
import sys
from time import perf_counter

from playwright.sync_api import Page, sync_playwright

WATCH = """
window.swaps = [];
new MutationObserver(() => {
  const at = document.querySelector("#reading").dataset.at;
  if (swaps.at(-1) !== at) swaps.push(at);
}).observe(document.querySelector("#facts").parentNode, { childList: true });
"""


def drag(page: Page, seconds: float) -> list[int]:
    """From now to the beginning; the instants that were shown on the way, as epoch milliseconds."""
    box = page.locator("#instant").bounding_box()
    assert box is not None
    right, left, y = box["x"] + box["width"] - 12, box["x"] + 12, box["y"] + box["height"] / 2
    page.evaluate(WATCH)
    page.mouse.move(right, y)
    page.mouse.down()
    began = perf_counter()
    while (passed := perf_counter() - began) < seconds:
        page.mouse.move(right - (right - left) * passed / seconds, y)
        page.wait_for_timeout(8)
    page.mouse.up()
    return [int(at) for at in page.evaluate("swaps")]


def main(base: str, user: str, password: str, seconds: float = 10) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(base)
        page.fill("[name=username]", user)
        page.fill("[name=password]", password)
        page.press("[name=password]", "Enter")
        page.wait_for_selector("#instant")
        shown = drag(page, seconds)
        browser.close()
    assert shown == sorted(shown, reverse=True), "an older answer was shown after a newer one"
    print(f"{len(shown) / seconds:.1f} instants shown a second; target 10")


if __name__ == "__main__":
    main(*sys.argv[1:4], *map(float, sys.argv[4:]))
