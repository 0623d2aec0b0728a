"""import_facts: a file is stored whole, in one operation, or every bad line is named and nothing is stored."""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path

import pytest
from openpyxl import Workbook

from brain.models import Fact, Operation
from brain.verify import check
from tests.commands.running import (
    APR,
    FEB,
    HEADER,
    JAN,
    MAR,
    csv_file,
    facts,
    is_empty,
    refused,
    run,
    text_file,
    values,
)

pytestmark = pytest.mark.usefixtures("brain")


def test_a_file_is_one_operation(tmp_path: Path) -> None:
    path = csv_file(tmp_path, HEADER, "Tier 1,price,$1,sheet", "Tier 2,price,$2,sheet")
    assert "2 created" in run("import_facts", path)
    assert values() == {("Tier 1", "price"): "$1", ("Tier 2", "price"): "$2"}
    operation = Operation.objects.get()
    assert (operation.kind, operation.counts) == ("import", {"created": 2})
    assert operation.details["file"] == "facts.csv"


def test_every_column_of_a_fact_is_read(tmp_path: Path) -> None:
    header = "scope,subject,predicate,value,source,written_by,learned_at,expires_at,temporary,category,confidence"
    row = f"/emea,Tier 2,price,$2,sheet,ann,{JAN},2090-01-01,true,identity,0.9"
    run("import_facts", csv_file(tmp_path, header, row))
    fact = facts()[0]
    told = (fact.scope, fact.written_by, fact.temporary, fact.category, fact.confidence)
    assert told == ("/emea", "ann", True, "identity", 0.9)


def test_a_writer_that_no_line_names_is_who_runs_the_command(tmp_path: Path) -> None:
    run("import_facts", csv_file(tmp_path, HEADER, "Tier 2,price,$2,sheet"))
    assert facts()[0].written_by == Operation.objects.get().actor


def test_a_source_given_once_is_the_source_of_lines_without_one(tmp_path: Path) -> None:
    path = csv_file(tmp_path, HEADER, "A,p,1,", "B,p,1,own")
    run("import_facts", path, "--source", "sheet")
    assert [fact.source for fact in facts()] == ["sheet", "own"]


# -- what is said of files


def test_a_byte_order_mark_and_semicolons_are_read(tmp_path: Path) -> None:
    path = text_file(tmp_path, "subject;predicate;value;source", "Tür;preis;1,50 €;blatt", encoding="utf-8-sig")
    run("import_facts", path)
    assert values() == {("Tür", "preis"): "1,50 €"}


def test_a_value_may_span_lines_and_lines_are_counted_as_the_file_has_them(tmp_path: Path) -> None:
    path = csv_file(tmp_path, HEADER, 'A,p,"one\ntwo",s', "B,p,,s")
    assert refused("import_facts", path)[0] == ["line 4, value: must not be empty"]


def test_latin_1_is_refused_with_its_line(tmp_path: Path) -> None:
    path = text_file(tmp_path, HEADER, "A,p,plain,s", "B,p,café,s", encoding="latin-1")
    assert "line 3 is not UTF-8 (byte 0xE9)" in refused("import_facts", path)[1]
    assert is_empty()


@pytest.mark.parametrize(
    ("name", "lines", "rule"),
    [
        ("facts.csv", ["subject,predicate,worth"], "names no column of a fact: worth"),
        ("facts.csv", ["subject,value"], "must name the columns predicate"),
        ("facts.csv", ["subject,predicate,value,value"], "names a column twice: value"),
        ("facts.csv", [], "must name the columns"),
        ("facts.csv", [HEADER], "holds no line"),
        ("facts.txt", [HEADER], "must end in .csv, .xlsx or .ndjson"),
        ("facts.xlsx", [HEADER], "is not an .xlsx workbook"),
    ],
)
def test_what_is_no_file_of_facts_is_refused(tmp_path: Path, name: str, lines: list[str], rule: str) -> None:
    assert rule in refused("import_facts", text_file(tmp_path, *lines, name=name))[1]
    assert is_empty()


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert "cannot be read" in refused("import_facts", tmp_path / "none.csv")[1]


def test_a_bad_row_far_down_is_named_and_nothing_is_stored(tmp_path: Path) -> None:
    rows = [f"S{n},p,v,s," for n in range(2, 4711)]
    path = csv_file(tmp_path, f"{HEADER},learned_at", *rows, "S,p,v,s,1760000000")
    problems, sentence = refused("import_facts", path)
    assert [problem.split(" (")[0] for problem in problems] == [
        "line 4711, learned_at: must lie in 2000-01-01 to 9999-12-31"
    ]
    assert sentence == "nothing was stored; bad lines: 1"
    assert is_empty()


@pytest.mark.parametrize(
    ("cells", "column", "rule"),
    [
        (" ,p,v,s,,,,,", "subject", "must not be empty"),
        ("S,p,\x00,s,,,,,", "value", "control character"),
        (f"S,{'p' * 257},v,s,,,,,", "predicate", "longer than 256 bytes"),
        ("S,p,v,,,,,,", "source", "must not be empty"),
        ("S,p,v,s,2024-02-09T10:00:00,,,,", "learned_at", "needs an offset"),
        ("S,p,v,s,9.2.2024,,,,", "learned_at", "must be an instant"),
        ("S,p,v,s,2024-02-09,2024-02-09,,,", "expires_at", "later than learned_at"),
        ("S,p,v,s,,,yes,,", "expires_at", "a temporary value needs an end"),
        ("S,p,v,s,,,maybe,,", "temporary", "true or false"),
        ("S,p,v,s,,,,2,", "confidence", "0 to 1"),
        ("S,p,v,s,,,,,delete", "op", "remember, end, retract"),
        ("S,p,v,s", "", "has 4 cells where the header has 9"),
    ],
)
def test_a_bad_cell_is_named_by_line_column_and_rule(tmp_path: Path, cells: str, column: str, rule: str) -> None:
    header = f"{HEADER},learned_at,expires_at,temporary,confidence,op"
    problems, _ = refused("import_facts", csv_file(tmp_path, header, cells))
    assert len(problems) == 1
    assert problems[0].startswith(f"line 2, {column}: " if column else "line 2: ")
    assert rule in problems[0]
    assert is_empty()


def test_all_bad_cells_of_all_bad_lines_are_named(tmp_path: Path) -> None:
    path = csv_file(tmp_path, f"{HEADER},learned_at", ",p,1,s,x", "A,p,1,s,", "B,,1,s,")
    assert [line.split(":")[0] for line in refused("import_facts", path)[0]] == [
        "line 2, learned_at",
        "line 2, subject",
        "line 4, predicate",
    ]


def test_bad_lines_are_left_out_when_asked_for(tmp_path: Path) -> None:
    printed = run("import_facts", csv_file(tmp_path, HEADER, "A,p,1,s", ",p,1,s", "B,p,1,s"), "--skip-bad")
    assert "1 bad lines left out" in printed
    assert set(values()) == {("A", "p"), ("B", "p")}


def test_a_listing_of_what_does_not_stand_is_not_taught(tmp_path: Path) -> None:
    path = csv_file(
        tmp_path, f"{HEADER},status,retracted_at,id", "A,p,1,s,current,,1", "B,p,1,s,retracted,2024-01-01,2"
    )
    assert [line.split(":")[0] for line in refused("import_facts", path)[0]] == ["line 3, status"]


# -- other formats


def test_a_workbook_is_read_by_what_its_cells_hold(tmp_path: Path) -> None:
    book = Workbook()
    book.active.append(["subject", "predicate", "value", "source", "learned_at", "temporary", "expires_at"])
    book.active.append(["A", "price", 3600, "sheet", date(2024, 2, 9), None, None])
    book.active.append(["B", "price", 0.1 + 0.2, "sheet", "2024-02-09T10:00:00Z", False, None])
    book.active.append(["C", "due", date(2024, 3, 1), "sheet", 1707436800000, True, datetime(2090, 1, 1)])
    book.save(tmp_path / "facts.xlsx")
    run("import_facts", tmp_path / "facts.xlsx")
    assert [(fact.value, fact.learned_at) for fact in facts()] == [
        ("3600", 1707436800000),
        ("0.3", 1707472800000),
        ("2024-03-01", 1707436800000),
    ]


def test_a_workbook_s_clock_time_names_no_offset_and_is_refused(tmp_path: Path) -> None:
    book = Workbook()
    book.active.append(["subject", "predicate", "value", "source", "learned_at"])
    book.active.append(["A", "price", "1", "sheet", datetime(2024, 2, 9, 10)])
    book.save(tmp_path / "facts.xlsx")
    assert (
        "line 2, learned_at: an instant with a time needs an offset"
        in refused("import_facts", tmp_path / "facts.xlsx")[0][0]
    )


def test_json_lines_keep_their_types(tmp_path: Path) -> None:
    good = {"subject": "A", "predicate": "p", "value": "1", "source": "s", "learned_at": 1707436800000}
    good |= {"temporary": True, "expires_at": "2090-01-01", "scope": None}
    run("import_facts", text_file(tmp_path, json.dumps(good), "", name="facts.ndjson"))
    assert (facts()[0].learned_at, facts()[0].temporary) == (1707436800000, True)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"subject": "A"', "line 1: is not JSON"),
        ("[1]", "line 1: must be a JSON object"),
        ('{"subject":"A","predicate":"p","value":3,"source":"s"}', "line 1, value: must be text"),
        ('{"subject":"A","predicate":"p","value":"\\ud800","source":"s"}', "line 1, value: holds a lone surrogate"),
        ('{"subject":"A","predicate":"p","value":"1","source":"s","colour":"red"}', "line 1, colour: is no field"),
    ],
)
def test_a_bad_json_line_is_named(tmp_path: Path, line: str, problem: str) -> None:
    problems, _ = refused("import_facts", text_file(tmp_path, line, name="facts.ndjson"))
    assert problems[0].startswith(problem)


# -- trying, and doing again


def test_a_dry_run_counts_and_leaves_no_trace(tmp_path: Path) -> None:
    path = csv_file(tmp_path, HEADER, "A,p,1,s", "A,p,2,s")
    assert "1 created, 1 superseded" in run("import_facts", path, "--dry-run")
    assert is_empty()


def test_the_same_file_is_noticed_and_imported_again_only_when_told(tmp_path: Path) -> None:
    path = csv_file(tmp_path, f"{HEADER},learned_at", f"A,p,1,s,{JAN}")
    run("import_facts", path)
    copy = tmp_path / "copy.csv"
    copy.write_bytes(path.read_bytes())
    assert "was imported before, in operation 1" in run("import_facts", copy)
    assert Operation.objects.count() == 1
    assert "1 unchanged" in run("import_facts", copy, "--again")
    assert (Operation.objects.count(), Fact.objects.count()) == (2, 1)


# -- ends and retractions


OPS = f"op,{HEADER},learned_at,expires_at"


def test_an_end_names_its_row_by_key_and_start(tmp_path: Path) -> None:
    run("import_facts", csv_file(tmp_path, OPS, f"remember,A,p,1,s,{JAN},", f"end,A,p,,,{JAN},{MAR}"))
    assert [bool(values(day)) for day in (FEB, MAR)] == [True, False]


def test_a_row_without_start_is_the_one_that_holds(tmp_path: Path) -> None:
    rows = [f"remember,A,p,1,s,{JAN},", f"remember,A,p,2,s,{FEB},", "retract,A,p,,,,"]
    assert "1 retracted" in run("import_facts", csv_file(tmp_path, OPS, *rows))
    assert values() == {("A", "p"): "1"}


def test_an_end_without_instant_lifts_the_end(tmp_path: Path) -> None:
    rows = [f"remember,A,p,1,s,{JAN},{FEB}", f"end,A,p,,,{JAN},"]
    run("import_facts", csv_file(tmp_path, OPS, *rows))
    assert values(APR) == {("A", "p"): "1"}


def test_rows_unsaid_in_an_order_of_their_own_leave_a_journal_that_verifies(tmp_path: Path) -> None:
    said = [f"remember,S{n},p,v,s,{JAN}," for n in range(9)]
    unsaid = [f"retract,S{n},p,,,{JAN}," for n in (7, 2, 5)] + [f"end,S{n},p,,,{JAN},{FEB}" for n in (4, 1)]
    run("import_facts", csv_file(tmp_path, OPS, *said, *unsaid))
    assert check() == []


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (f"end,A,p,,,{JAN},{JAN}", "line 3, expires_at: must be later than learned_at"),
        (f"retract,A,p,,,{FEB},", "line 3, learned_at: no row of this subject and predicate was learned then"),
        ("retract,B,p,,,,", "line 3, subject: nothing holds of this subject and predicate then"),
    ],
)
def test_what_names_no_row_or_no_good_end_is_refused(tmp_path: Path, row: str, problem: str) -> None:
    path = csv_file(tmp_path, OPS, f"remember,A,p,1,s,{JAN},", row)
    assert refused("import_facts", path)[0] == [problem]
    assert is_empty()


# -- recorded times

TOLD = f"op,{HEADER},learned_at,expires_at,recorded_at"


def test_recorded_times_are_kept_one_operation_each(tmp_path: Path) -> None:
    rows = [f"remember,A,p,1,s,,,{JAN}", f"remember,B,p,1,s,,,{JAN}", f"remember,A,p,2,s,{JAN},,{MAR}"]
    run("import_facts", csv_file(tmp_path, TOLD, *rows), "--keep-recorded")
    assert [operation.counts for operation in Operation.objects.order_by("id")] == [{"created": 2}, {"superseded": 1}]
    assert values(FEB, "op:1")["A", "p"] == "1"
    assert values(FEB)["A", "p"] == "2"


def test_while_a_recorded_time_is_kept_it_is_now(tmp_path: Path) -> None:
    rows = [f"remember,A,p,1,s,{FEB},,{JAN}", f"remember,A,p,0,s,,,{JAN}", f"retract,A,p,,,,,{MAR}"]
    printed = run("import_facts", csv_file(tmp_path, TOLD, *rows), "--keep-recorded")
    assert "1 created, 1 retracted, 1 scheduled" in printed
    assert values(MAR) == {("A", "p"): "0"}


@pytest.mark.parametrize(
    ("instants", "rule"),
    [
        ((MAR, JAN), "must not decrease"),
        ((MAR, ""), "must be given"),
        ((MAR, "2090-01-01"), "must not lie after now"),
    ],
)
def test_a_recorded_time_out_of_order_is_refused(tmp_path: Path, instants: tuple[str, str], rule: str) -> None:
    path = csv_file(tmp_path, TOLD, *(f"remember,A,p,{n},s,,,{at}" for n, at in enumerate(instants)))
    problems, _ = refused("import_facts", path, "--keep-recorded")
    assert problems[0].startswith("line 3, recorded_at: ")
    assert rule in problems[0]
    assert is_empty()


def test_a_recorded_time_before_the_last_operation_is_refused(tmp_path: Path) -> None:
    run("import_facts", csv_file(tmp_path, HEADER, "A,p,1,s"))
    path = csv_file(tmp_path, TOLD, f"remember,A,p,2,s,,,{JAN}")
    assert "must not precede the brain's last operation" in refused("import_facts", path, "--keep-recorded")[0][0]


def test_without_keeping_them_recorded_times_only_say_which_row_held(tmp_path: Path) -> None:
    rows = [f"remember,A,p,1,s,{JAN},,{JAN}", f"remember,A,p,2,s,{MAR},,{MAR}", f"end,A,p,,,,{MAR},{FEB}"]
    run("import_facts", csv_file(tmp_path, TOLD, *rows))
    assert Operation.objects.count() == 1
    assert facts(FEB)[0].expires_at == facts(MAR)[0].learned_at
