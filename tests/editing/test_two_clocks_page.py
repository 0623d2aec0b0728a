"""The map of two clocks: what was dated back is seen at a glance, in words too, and a point sets both clocks."""

from __future__ import annotations

import re
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from brain import clocks
from brain.forget import forget
from brain.models import Key
from brain.reader import EVERYTHING
from brain.remember import remember_many
from brain.retire import retract
from brain.saying import Saying
from brain.selectors import parse
from dashboard.charts import scale
from dashboard.mapping import Drawing, distance
from tests.dashboard.conftest import on, say
from tests.editing.test_change import HTMX, words

PAGE = "/subjects/Tier%202%20renewal/clocks"


def told(at: str, value: str, since: str, **more: object) -> int:
    said = Saying("Tier 2 renewal", "list_price", value, "sheet", "ann", on(since), **more)
    batch = remember_many([said], actor="ann", at=on(at), reason=f"told {at}")
    return batch.outcomes[0].fact.origin_id


@pytest.fixture
def story(db) -> None:
    told("2025-11-14T09:00", "$3,900", "2025-11-14")
    told("2026-03-03T10:00", "$4,200", "2026-01-12")
    told("2026-03-03T10:05", "$3,600", "2026-03-03")


@pytest.mark.usefixtures("story")
def test_a_backdated_price_says_how_far_back_it_is_dated(auditor) -> None:
    page = auditor.get(PAGE)
    assert "written 3 Mar 2026, dated 12 Jan 2026: 50 days back" in words(page)
    assert "50 days back" in words(page).split("The same, in words")[1]


@pytest.mark.usefixtures("story")
def test_the_point_and_the_one_above_it_are_read(auditor) -> None:
    page = words(auditor.get(f"{PAGE}?as_of=2026-02-09T00:00:00.000Z&known_at=2026-02-09T00:00:00.000Z"))
    here = page.split("Read here")[1]
    assert re.search(r"known at 9 Feb 2026, 00:00 UTC \$3,900 The filled point. Told on 14 Nov 2025", here)
    assert re.search(r"known now \$4,200 The ring above it. Told on 3 Mar 2026, 10:00 UTC by ann, 22 days after", here)


@pytest.mark.usefixtures("story")
def test_a_region_leads_to_a_point_in_it(auditor) -> None:
    html = auditor.get(PAGE).content.decode()
    spots = re.findall(r'class="spot" id="spot-\d+" href="([^"]+)".*?aria-label="([^"]+)"', html)
    early = next(link for link, said in spots if said.startswith("$3,900") and "until 3 Mar 2026" in said)
    page = words(auditor.get(early.replace("&amp;", "&")))
    assert "$3,900 The filled point" in page


@pytest.mark.usefixtures("story")
def test_the_second_clock_goes_up_and_down_by_operation(auditor) -> None:
    html = auditor.get(f"{PAGE}?as_of=2026-02-09T00:00:00.000Z&known_at=op:2").content.decode()
    earlier = re.search(r'id="told-earlier" href="([^"]+)"', html)
    later = re.search(r'id="told-later" href="([^"]+)"', html)
    assert earlier is not None
    assert later is not None
    assert ("known_at=op:1" in earlier[1], "known_at=op:3" in later[1]) == (True, True)


@pytest.mark.usefixtures("story")
def test_it_is_for_auditors(pricing, auditor) -> None:
    assert pricing.get(PAGE).status_code == 403
    assert "Two clocks" not in words(pricing.get("/subjects/Tier%202%20renewal"))
    assert "Two clocks" in words(auditor.get("/subjects/Tier%202%20renewal"))
    assert auditor.get("/subjects/nothing/clocks").status_code == 404


@pytest.mark.usefixtures("story")
def test_a_mistake_and_a_withheld_saying_are_told_as_such(auditor) -> None:
    wrong = told("2026-04-20T09:00", "$36,000", "2026-04-20")
    retract(wrong, actor="ann", reason="a nought too many")
    hidden = say("Tier 2 renewal", "list_price", "$1", "2025-01-01").fact
    forget(parse({"ids": [hidden.origin_id]}), actor="ann", reason="r", reader=EVERYTHING)
    page = auditor.get(PAGE)
    assert "<del><bdi>$36,000</bdi></del>" in page.content.decode()
    assert "as it happened; unsaid on" in words(page)
    assert "withheld" in words(page)


def test_the_strips_say_where_the_two_accounts_differ(story) -> None:
    found = clocks.two_clocks(Key.objects.get(), EVERYTHING)
    now = on("2026-06-01")
    across = scale(on("2025-11-01"), now, now, ZoneInfo("UTC"))
    drawn = Drawing(found, across, now=now, read=(now, now), zone=ZoneInfo("UTC")).drawn()
    assert [bar.text for bar in drawn.now] == ["$3,900", "$4,200", "$3,600"]
    assert [bar.text for bar in drawn.then] == ["$3,900", "$3,600"]
    assert (across.x(on("2026-01-12")), across.span(on("2026-01-12"), on("2026-03-03T10:05"))) in drawn.differ


def test_no_two_texts_on_the_map_overlap(db) -> None:
    for n in range(30):
        told(f"2026-{n // 3 + 1:02d}-{n % 3 * 9 + 1:02d}", f"${n},000", f"2025-{n // 3 + 1:02d}-{n % 3 * 9 + 1:02d}")
    now = on("2026-12-01")
    across = scale(on("2025-01-01"), now, now, ZoneInfo("UTC"))
    found = clocks.two_clocks(Key.objects.get(), EVERYTHING)
    drawing = Drawing(found, across, now=now, read=(now, now), zone=ZoneInfo("UTC"))
    drawn = drawing.drawn()
    assert 0 < sum(bool(arrow.text) for arrow in drawn.arrows) < len(drawn.arrows)


@pytest.mark.parametrize(
    ("told_at", "dated", "said"),
    [
        ("2026-03-03", "2026-01-12", "50 days back"),
        ("2026-03-03", "2026-03-04", "1 day ahead"),
        ("2026-03-03", "2026-03-03", "as it happened"),
    ],
)
def test_the_distance_of_the_two_dates_in_words(told_at, dated, said) -> None:
    assert distance(on(told_at), on(dated)) == said


def test_four_hundred_sayings_are_drawn_and_more_are_told_in_words(auditor, db) -> None:
    sayings = [
        Saying("Tier 2 renewal", "list_price", f"${n}", "s", "ann", on("2026-01-01") + n * 3_600_000)
        for n in range(400)
    ]
    remember_many(sayings, actor="ann")
    page = auditor.get(PAGE, headers=HTMX)
    assert len(page.content) < 600_000
    assert "region-fill" in page.content.decode()
    say("Tier 2 renewal", "list_price", "$401", "2026-10-01")
    assert "too many for one map" in words(auditor.get(PAGE, headers=HTMX))


def test_ten_times_the_sayings_take_no_more_queries(auditor, db) -> None:
    def asked(n: int) -> int:
        for k in range(n):
            told("2026-10-01", f"${n}-{k}", f"2026-01-{k % 28 + 1:02d}")
        auditor.get(PAGE, headers=HTMX)  # the time bar keeps its span until something is written
        with CaptureQueriesContext(connection) as caught:
            assert auditor.get(PAGE, headers=HTMX).status_code == 200
        return len(caught)

    assert asked(3) == asked(30)
