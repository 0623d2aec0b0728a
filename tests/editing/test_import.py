"""Importing a sheet: columns guessed and corrected, dates never guessed, previewed against the brain, stored as one."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from openpyxl import Workbook

from brain import journal, staging
from brain.errors import Invalid
from brain.importing import Terms, import_file
from brain.lines import Defaults
from brain.models import Fact, ImportedFile, Operation
from brain.reader import EVERYTHING
from brain.recall import recall
from brain.remember import remember
from brain.rewind import Part, rewind
from brain.saying import Saying
from dashboard import importing
from dashboard.columns import Sheet, guessed
from dashboard.sheets import Plan, instant_of
from tests.dashboard.conftest import on, say
from tests.editing.conftest import attribute
from tests.editing.test_change import words

PRICES = """product;list_price;valid from
Tier 1 renewal;$1,900;2026-08-01
Tier 2 renewal;3.600,00 €;2026-08-01
Tier 9 renewal;$9,000;2026-08-01
"""


@pytest.fixture(autouse=True)
def _own_staging(tmp_path, monkeypatch, db) -> None:
    monkeypatch.setattr(staging, "directory", lambda: tmp_path / "staging")


def uploaded(client, content: str | bytes, name: str = "prices.csv"):
    data = content.encode() if isinstance(content, str) else content
    return client.post("/import", {"file": SimpleUploadedFile(name, data)})


def mapping(client, where: str) -> dict[str, str]:
    """The form of columns as a browser would send it."""
    html = client.get(where).content.decode()
    sent = {}
    for name, options in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', html, re.S):
        chosen = re.search(r'<option value="([^"]*)" selected', options)
        sent[name] = chosen[1] if chosen else ""
    for tag in re.findall(r"<input[^>]*>", html):
        if attribute(tag, "type") == "radio" and attribute(tag, "checked") is None:
            continue
        if (name := attribute(tag, "name")) and name != "q":
            sent[name] = attribute(tag, "value") or ""
    return sent


def previewed(client, content: str | bytes, name: str = "prices.csv", **corrected: str):
    where = uploaded(client, content, name)["Location"]
    client.post(where, mapping(client, where) | corrected | {"step": "preview"})
    return where, client.get(where)


def stored(client, where: str, **more: str):
    return client.post(where, {"step": "commit"} | more, follow=True)


def held(subject: str, predicate: str = "list_price") -> str | None:
    facts = recall(subject, predicate=predicate).facts
    return facts[0].value if facts else None


def test_columns_are_guessed_from_their_names() -> None:
    assert guessed(Sheet(["Product", "list_price", "discount", "Valid from", "until"])) == {
        "Product": "subject",
        "list_price": "own",
        "discount": "own",
        "Valid from": "learned_at",
        "until": "expires_at",
    }
    assert guessed(Sheet(["subject", "predicate", "value", "learned_at"]))["value"] == "value"
    assert guessed(Sheet(["Artikel", "Preis"])) == {"Artikel": "subject", "Preis": "value"}


def test_a_sheet_is_previewed_as_a_diff_and_stored_as_one_operation(pricing) -> None:
    say("Tier 1 renewal", "list_price", "$1,800", "2026-01-01")
    before = journal.last_id()
    where, page = previewed(pricing, PRICES)
    told = words(page)
    assert "2 new : nothing was said of them before" in told
    assert "1 changed : the value before is replaced" in told
    assert journal.last_id() == before
    changed = pricing.get(f"{where}?show=superseded").content.decode()
    assert "<del><bdi>$1,800</bdi></del>" in changed
    assert "<ins><bdi>$1,900</bdi></ins>" in changed
    done = stored(pricing, where, reason="August list")
    assert "Stored: 3 facts" in words(done)
    assert journal.last_id() == before + 1
    assert Operation.objects.latest("id").reason == "August list"
    assert held("Tier 1 renewal") == "$1,900"


def test_european_decimals_are_kept_as_written(pricing) -> None:
    where, _ = previewed(pricing, PRICES)
    stored(pricing, where)
    assert held("Tier 2 renewal") == "3.600,00 €"


def test_what_was_imported_is_undone_as_a_whole(pricing) -> None:
    say("Tier 1 renewal", "list_price", "$1,800", "2026-01-01")
    where, _ = previewed(pricing, PRICES)
    stored(pricing, where)
    part = Part(operations=(journal.last_id(),))
    rewind(None, actor="ann", reason="wrong list", reader=EVERYTHING, part=part)
    assert (held("Tier 1 renewal"), held("Tier 9 renewal")) == ("$1,800", None)


def test_every_bad_row_is_named_by_its_line_and_nothing_is_stored_until_it_is_left_out(pricing) -> None:
    sheet = "subject,predicate,value,from\nA,p,1,2026-01-01\nB,p,,2026-01-01\nC,p,3,soon\nD,p\nE,p,5,2026-01-01\n"
    where, page = previewed(pricing, sheet)
    told = words(page)
    assert "3 bad rows" in told
    assert "line 3 value Must not be empty" in told
    assert re.search(r"line 4 from “soon” is not a date", told)
    assert "line 5 Has 2 cells where the header has 4" in told
    refused = stored(pricing, where)
    assert refused.status_code == 422
    assert journal.last_id() == 0
    assert "3 bad rows left out" in words(stored(pricing, where, skip_bad="1"))
    assert (held("A", "p"), held("B", "p"), held("E", "p")) == ("1", None, "5")


def test_dates_that_can_be_read_two_ways_are_asked_about(pricing) -> None:
    sheet = "subject,predicate,value,from\nA,p,1,03/04/2026\nB,p,1,05/06/2026\n"
    where = uploaded(pricing, sheet)["Location"]
    assert "03/04/2026 can be read two ways" in words(pricing.get(where))
    assert "day first: 3 April 2026" in words(pricing.get(where))
    answer = pricing.post(where, mapping(pricing, where) | {"step": "preview"})
    assert "Say how these dates are written; we do not guess." in words(answer)
    pricing.post(where, mapping(pricing, where) | {"step": "preview", "order": "day"})
    stored(pricing, where)
    assert Fact.objects.get(key__subject="A").learned_at == on("2026-04-03")


def test_dates_that_prove_their_order_are_not_asked_about(pricing) -> None:
    sheet = "subject,predicate,value,from\nA,p,1,03/04/2026\nB,p,1,04/25/2026\n"
    where = uploaded(pricing, sheet)["Location"]
    assert "two ways" not in words(pricing.get(where))
    pricing.post(where, mapping(pricing, where) | {"step": "preview"})
    stored(pricing, where)
    assert Fact.objects.get(key__subject="A").learned_at == on("2026-03-04")


@pytest.mark.parametrize(
    ("text", "order", "instant"),
    [
        ("13/04/2026", "", "2026-04-13"),
        ("04-25-2026", "", "2026-04-25"),
        ("03/04/2026", "month", "2026-03-04"),
        ("05/05/2026", "", "2026-05-05"),
        ("3.4.2026", "", "2026-04-03"),
        ("2026-04-03", "", "2026-04-03"),
        ("3 Apr 2026", "", "2026-04-03"),
        ("03/04/2026 14:30", "day", "2026-04-03T14:30"),
        ("2026-04-03T00:00:00.000Z", "", "2026-04-03"),
    ],
)
def test_dates_as_sheets_write_them(text, order, instant) -> None:
    assert instant_of(text, Plan({}), order) == on(instant)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("03/04/2026", "two ways"),
        ("31/02/2026", "no such day"),
        ("13/13/2026", "no such day"),
        ("soon", "not a date"),
    ],
)
def test_what_is_no_date_or_two_is_refused(text, rule) -> None:
    with pytest.raises(ValueError, match=rule):
        instant_of(text, Plan({}), "")


def test_a_day_named_as_an_end_is_held_through_unless_said_otherwise(pricing) -> None:
    sheet = "subject,predicate,value,until\nA,p,1,2090-06-30\n"
    where, _ = previewed(pricing, sheet)
    stored(pricing, where)
    assert Fact.objects.get().expires_at == on("2090-07-01")
    where, _ = previewed(pricing, sheet.replace("A,", "B,"), ends="before")
    stored(pricing, where)
    assert Fact.objects.get(key__subject="B").expires_at == on("2090-06-30")


def test_an_export_reads_back_as_it_was(pricing) -> None:
    sheet = "subject,predicate,value,source,learned_at,expires_at\nA,p,1,s,2026-01-01T00:00:00.000Z,2090-06-30\n"
    where, _ = previewed(pricing, sheet)
    stored(pricing, where)
    assert Fact.objects.get().expires_at == on("2090-06-30")


def excel(*rows: tuple[object, ...]) -> bytes:
    book, out = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def test_an_excel_sheet_is_read_as_it_is_written(pricing) -> None:
    from datetime import datetime

    sheet = excel(
        ("Product", "list_price", "From"), ("Tier 1", 1900.5, datetime(2026, 8, 1)), ("Tier 2", "$2,000", "1 Aug 2026")
    )
    where, _ = previewed(pricing, sheet, "prices.xlsx")
    stored(pricing, where)
    assert (held("Tier 1"), held("Tier 2")) == ("1900.5", "$2,000")
    assert set(Fact.objects.values_list("learned_at", flat=True)) == {on("2026-08-01")}


def test_ndjson_and_pasted_rows_are_read_too(pricing) -> None:
    where, _ = previewed(pricing, '{"subject": "A", "predicate": "p", "value": "1", "source": "s"}\n', "facts.ndjson")
    stored(pricing, where)
    answer = pricing.post("/import", {"pasted": "product\tlist_price\nTier 5\t$5\n"})
    where = answer["Location"]
    pricing.post(where, mapping(pricing, where) | {"step": "preview"})
    stored(pricing, where)
    assert (held("A", "p"), held("Tier 5")) == ("1", "$5")
    assert Fact.objects.get(value="$5").source == "pasted.csv"


def test_several_columns_of_values_make_several_facts_a_row(pricing) -> None:
    where, page = previewed(
        pricing, "plan,list_price,discount\nTier 1,$1,10%\nTier 2,$2,\nTier 3,,\n".replace("$1,10%", "$1,10%")
    )
    assert "line 4 Holds no value in any of its columns" in words(page)
    stored(pricing, where, skip_bad="1")
    assert (held("Tier 1", "discount"), held("Tier 2"), held("Tier 2", "discount")) == ("10%", "$2", None)


@pytest.mark.parametrize(
    ("content", "name", "told"),
    [
        ("", "prices.csv", "is empty"),
        ("subject,value\n", "prices.csv", "holds no row"),
        ("x", "prices.pdf", "must end in .csv, .xlsx or .ndjson"),
        (b"not a workbook", "prices.xlsx", "damaged"),
        ("subject,größe\nÄ,1\n".encode("latin-1"), "prices.csv", "not UTF-8"),
    ],
)
def test_what_cannot_be_read_is_named(pricing, content, name, told) -> None:
    answer = uploaded(pricing, content, name)
    assert answer.status_code == 422
    assert told.lower() in words(answer).lower()
    assert staging.waiting(owner="pricing") == []


def test_what_is_missing_of_the_mapping_is_named(pricing) -> None:
    where = uploaded(pricing, "a,b\n1,2\n")["Location"]
    answer = pricing.post(
        where, mapping(pricing, where) | {"step": "preview", "column-0": "value", "column-1": "value"}
    )
    told = words(answer)
    assert "Two columns are taken for “value”" in told
    assert "Say which column holds the subject" in told
    assert "say what the values are" in told


def test_a_change_that_matters_meanwhile_is_previewed_anew(pricing) -> None:
    where, _ = previewed(pricing, PRICES)
    say("Tier 9 renewal", "list_price", "$8,000", "2026-01-01")
    before = journal.last_id()
    answer = stored(pricing, where)
    assert "The brain has changed since you looked" in words(answer)
    assert journal.last_id() == before
    assert "1 changed" in words(answer)
    assert "Stored" in words(stored(pricing, where))


def test_the_same_file_again_is_noticed_and_changes_nothing(pricing) -> None:
    where, _ = previewed(pricing, PRICES)
    stored(pricing, where)
    again = uploaded(pricing, PRICES)["Location"]
    assert "This very file was stored in operation 1" in words(pricing.get(again))
    pricing.post(again, mapping(pricing, again) | {"step": "preview"})
    assert "storing it changes nothing" in words(pricing.get(again))
    assert ImportedFile.objects.filter(name="prices.csv").count() == 1


BY_ANN = Terms(Defaults(written_by="ann"))
FACTS = "subject,predicate,value,source\nTier 1 renewal,list_price,$1900,sheet\n"


@pytest.mark.parametrize("name", ["prices.csv", "renamed.csv"])
def test_what_the_command_imported_is_noticed_on_the_page(pricing, tmp_path, name) -> None:
    file = tmp_path / "prices.csv"
    file.write_bytes(FACTS.encode())
    operation = import_file(file, actor="ann", terms=BY_ANN).operations[-1]
    where, preview = previewed(pricing, FACTS, name)
    noticed = f"This very file was stored in operation {operation}"
    assert noticed in words(preview)
    pricing.post(where, {"step": "columns"})
    assert noticed in words(pricing.get(where))


def test_what_the_page_imported_is_noticed_by_the_command(pricing, tmp_path) -> None:
    where, _ = previewed(pricing, FACTS)
    stored(pricing, where)
    last = journal.last_id()
    file = tmp_path / "elsewhere.csv"
    file.write_bytes(FACTS.encode())
    noticed = import_file(file, actor="ann", terms=BY_ANN)
    assert noticed.before is not None
    assert (noticed.before.imported_in_id, noticed.operations) == (last, [])
    assert journal.last_id() == last
    assert import_file(file, actor="ann", terms=replace(BY_ANN, again=True)).outcomes == {"unchanged": 1}


def test_an_import_by_the_command_is_noticed_when_it_comes_between_columns_and_preview(pricing, tmp_path) -> None:
    where = uploaded(pricing, FACTS)["Location"]
    assert "This very file" not in words(pricing.get(where))
    file = tmp_path / "prices.csv"
    file.write_bytes(FACTS.encode())
    import_file(file, actor="ann", terms=BY_ANN)
    pricing.post(where, mapping(pricing, where) | {"step": "preview"})
    told = words(pricing.get(where))
    assert "This very file was stored in operation" in told
    assert "storing it changes nothing" in told


def test_an_import_is_found_again_by_who_began_it_and_by_nobody_else(pricing, signed_in) -> None:
    where, _ = previewed(pricing, PRICES)
    assert "previewed, not stored yet" in words(pricing.get("/import"))
    other = signed_in("operator")
    assert other.get(where).status_code == 404
    assert "prices.csv" not in words(other.get("/import"))
    pricing.post(where, {"step": "discard"})
    assert pricing.get(where).status_code == 404


def test_a_purge_can_erase_whatever_waits(pricing) -> None:
    where, _ = previewed(pricing, PRICES)
    assert staging.erase_all() == 1
    assert list(staging.directory().iterdir()) == []
    assert pricing.get(where).status_code == 404


def test_what_is_stored_leaves_no_copy_of_the_file(pricing) -> None:
    where, _ = previewed(pricing, PRICES)
    stored(pricing, where)
    [(staged, _)] = staging.waiting(owner="pricing")
    assert [path.name for path in staged.folder.iterdir()] == ["state.json"]
    assert "$9,000" not in staged.file("state.json").read_text()


def test_ends_and_retractions_are_not_done_by_a_sheet(pricing) -> None:
    fact = say("A", "p", "1", "2026-01-01").fact
    _, page = previewed(pricing, "op,subject,predicate,value,source\nretract,A,p,1,s\nremember,B,p,1,s\n")
    assert "line 2 op Only new sayings are imported here" in words(page)
    assert fact.retracted_in_id is None


def test_work_that_stopped_is_told_as_stopped(pricing, monkeypatch) -> None:
    where, _ = previewed(pricing, PRICES)
    staged = staging.find(where.rsplit("/", 1)[1], owner="pricing")
    staged.note(step="committing")
    monkeypatch.setattr(importing, "SILENT", -1)
    assert "The work stopped before its end. Nothing was stored." in words(pricing.get(where))


@pytest.mark.parametrize("role", ["reader", "auditor"])
def test_roles_that_do_not_write_are_refused(signed_in, role) -> None:
    assert signed_in(role).get("/import").status_code == 403


def test_another_writer_is_named_only_by_those_who_may(pricing, signed_in) -> None:
    sheet = "subject,predicate,value,written_by\nA,p,1,crm-sync\n"
    where = uploaded(pricing, sheet)["Location"]
    pricing.post(where, mapping(pricing, where) | {"step": "preview"})
    stored(pricing, where)
    assert Fact.objects.get().written_by == "pricing"
    operator = signed_in("operator")
    where = uploaded(operator, sheet.replace("A,", "B,"))["Location"]
    operator.post(where, mapping(operator, where) | {"step": "preview"})
    stored(operator, where)
    assert Fact.objects.get(key__subject="B").written_by == "crm-sync"


def test_an_upload_beyond_the_limit_is_refused(tmp_path) -> None:
    with pytest.raises(Invalid):
        staging.stage("a.csv", [b"x" * 11], owner="ann", most=10)
    assert not staging.waiting(owner="ann")
    assert remember(Saying("A", "p", "1", "s", "w"), actor="w").outcome == "created"
