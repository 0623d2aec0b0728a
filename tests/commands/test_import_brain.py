"""import_brain: an existing brain's rows become chains; its links are checked, not believed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from brain.models import Fact, Operation
from brain.time import parse
from tests.commands.running import FEB, JAN, MAR, is_empty, refused, run, text_file, values

pytestmark = pytest.mark.usefixtures("brain")

TABLE = """CREATE TABLE fact (id INTEGER PRIMARY KEY, subject TEXT, predicate TEXT, value TEXT, source TEXT,
    written_by TEXT, learned_at INTEGER, expires_at INTEGER, superseded_by INTEGER)"""


def seed(directory: Path, *rows: tuple[object, ...], table: str = TABLE) -> Path:
    """An existing brain: rows of (id, value, learned, superseded_by), or whole ones."""
    path = directory / "seed.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(table)
        for row in rows:
            whole = row if len(row) == 9 else _whole(*row)
            connection.execute(f"INSERT INTO fact VALUES ({', '.join('?' * 9)})", whole)
    return path


def _whole(number: int, value: str, learned: str, superseded_by: int | None) -> tuple[object, ...]:
    return (number, "Tier 2", "price", value, "sheet", "ann", parse(learned), None, superseded_by)


def test_its_rows_become_chains(tmp_path: Path) -> None:
    printed = run("import_brain", seed(tmp_path, (1, "$4,200", JAN, 2), (2, "$3,600", MAR, None)))
    assert "2 facts in operation 1" in printed
    assert "0 differ in superseded_by" in printed
    assert [values(day).get(("Tier 2", "price")) for day in (FEB, MAR)] == ["$4,200", "$3,600"]
    assert Operation.objects.get().kind == "import"


def test_a_row_that_came_late_takes_its_place_and_the_wrong_link_is_reported(tmp_path: Path) -> None:
    path = seed(tmp_path, (1, "1", JAN, 2), (2, "3", MAR, None), (3, "2", FEB, None))
    lines = run("import_brain", path).splitlines()
    assert lines[:2] == [
        "fact 1: superseded_by is 2, its chain says 3",
        "fact 3: superseded_by is empty, its chain says 2",
    ]
    assert values(FEB)["Tier 2", "price"] == "2"


def test_equal_instants_follow_each_other_by_id(tmp_path: Path) -> None:
    run("import_brain", seed(tmp_path, (1, "1", JAN, 2), (2, "2", JAN, None)))
    assert values()["Tier 2", "price"] == "2"


def test_every_bad_row_is_named_and_nothing_is_stored(tmp_path: Path) -> None:
    bad = (7, "", "p", 3.5, "s", "w", 1768176000, None, None)
    problems, sentence = refused("import_brain", seed(tmp_path, (1, "1", JAN, None), bad))
    assert [problem.split(":")[0] for problem in problems] == ["fact 7, learned_at", "fact 7, subject"]
    assert sentence == "nothing was stored; bad rows: 1"
    assert is_empty()


def test_a_file_that_holds_no_brain_is_refused(tmp_path: Path) -> None:
    other = seed(tmp_path, table="CREATE TABLE thought (id INTEGER)")
    assert "holds no table named fact" in refused("import_brain", other)[1]
    other.unlink()
    lacking = seed(tmp_path, table="CREATE TABLE fact (id INTEGER, subject TEXT)")
    assert "lacks the columns predicate, value" in refused("import_brain", lacking)[1]
    assert "is no SQLite database" in refused("import_brain", text_file(tmp_path, "subject"))[1]
    assert "cannot be read" in refused("import_brain", tmp_path / "none.db")[1]
    assert not Fact.objects.exists()


def test_the_file_is_left_as_it_was(tmp_path: Path) -> None:
    path = seed(tmp_path, (1, "1", JAN, None))
    before = path.read_bytes()
    run("import_brain", path)
    assert path.read_bytes() == before
