"""export_facts: what leaves reads the same where it arrives, at every recorded instant."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from brain import journal, retire
from brain.dispute import accept, reject
from brain.forget import forget, retain
from brain.models import Operation
from brain.reader import EVERYTHING
from brain.recall import recall
from brain.remember import remember_many
from brain.rewind import rewind
from brain.saying import Saying
from brain.selectors import Selector
from brain.time import AsOf, parse
from brain.verify import check
from tests.commands.running import (
    APR,
    FEB,
    JAN,
    MAR,
    PRICES,
    passing_brain,
    read_csv,
    read_ndjson,
    refused,
    run,
    values,
)

pytestmark = pytest.mark.usefixtures("brain")

DAYS = [parse(day) for day in (JAN, "2024-01-15", FEB, "2024-02-15", MAR, "2024-03-15", APR, "2091-01-01")]


def say(value: str, day: str, *, told: str | None = None, subject: str = "A", **words: object) -> int:
    """The id of a fact learned on `day` and told then, or on the day `told`."""
    said = Saying(subject, "p", value, "sheet", str(words.pop("writer", "ann")), learned_at=parse(day), **words)
    batch = remember_many([said], actor="ann", at=max(parse(told or day), _last()))
    return batch.outcomes[0].fact.origin_id


def _last() -> int:
    return Operation.objects.order_by("-id").values_list("at", flat=True).first() or 0


def test_what_holds_now_leaves_as_lines_that_an_import_reads(tmp_path: Path) -> None:
    with passing_brain():
        say("0", JAN)
        say("1", FEB)
        say('=SUM("x")\nnext, line', FEB, subject="B", scope="/emea", category="identity")
        run("export_facts", tmp_path / "now.csv")
        before = values()
    run("import_facts", tmp_path / "now.csv")
    assert values() == before == {("A", "p"): "1", ("B", "p"): '=SUM("x")\nnext, line'}


def test_what_held_at_an_instant_leaves_when_it_is_named(tmp_path: Path) -> None:
    say("1", JAN)
    say("2", MAR)
    run("export_facts", tmp_path / "then.ndjson", "--as-of", FEB)
    assert [line["value"] for line in read_ndjson(tmp_path / "then.ndjson")] == ["1"]


def test_a_history_tells_every_saying_and_unsaying_in_order(tmp_path: Path) -> None:
    first = say("1", JAN)
    retire.end(say("2", FEB), at=parse(MAR), actor="ann", reason="over")
    retire.retract(first, actor="ann", reason="mistake")
    run("export_facts", tmp_path / "h.csv", "--history")
    lines = read_csv(tmp_path / "h.csv")
    assert [(line["op"], line["value"], line["fact"]) for line in lines] == [
        ("remember", "1", "1"),
        ("remember", "2", "2"),
        ("end", "", "2"),
        ("retract", "", "1"),
    ]
    assert lines[2]["expires_at"] == "2024-03-01T00:00:00.000Z"


def test_another_format_or_a_place_that_is_none_is_refused(tmp_path: Path) -> None:
    assert "must end in .csv or .ndjson" in refused("export_facts", tmp_path / "facts.xlsx")[1]
    assert "cannot be written" in refused("export_facts", tmp_path / "none" / "facts.csv")[1]
    assert list(tmp_path.iterdir()) == []


def test_a_real_history_moves_to_another_brain(tmp_path: Path) -> None:
    with passing_brain():
        run("import_facts", PRICES, "--keep-recorded")
        run("export_facts", tmp_path / "h.ndjson", "--history")
        instants = [operation.at for operation in Operation.objects.order_by("id")]
        before = [values(day, known) for known in instants[::5] for day in ("2025-12-01", "2026-08-01")]
    run("import_facts", tmp_path / "h.ndjson", "--keep-recorded")
    assert [values(day, known) for known in instants[::5] for day in ("2025-12-01", "2026-08-01")] == before


# -- histories that move


def ordinary() -> None:
    say("1", JAN)
    say("3", MAR)
    say("2", FEB, told=APR)
    say("9", "2090-01-01", told=APR)


def of_equal_instants() -> None:
    say("1", JAN)
    say("2", JAN)
    say("1", JAN)


def temporary() -> None:
    say("1", JAN)
    promised = say("promo", FEB, expires_at=parse(APR), temporary=True)
    say("2", "2024-02-15")
    retire.end(promised, at=parse(MAR), actor="ann", reason="sooner")


def ended_and_lifted() -> None:
    fact = say("1", JAN, expires_at=parse(MAR))
    retire.end(fact, at=parse(FEB), actor="ann", reason="sooner")
    retire.end(fact, at=None, actor="ann", reason="not at all")


def retracted() -> None:
    say("1", JAN)
    retire.retract(say("2", FEB), actor="ann", reason="mistake")
    say("3", MAR)


def disputed() -> None:
    say("1", JAN)
    heard = {"source_kind": "turn", "writer": "bot"}
    true, false = say("2", FEB, **heard), say("3", MAR, **heard)
    say("4", MAR, **heard)
    accept(true, actor="cleo", reason="heard twice")
    reject(false, actor="cleo", reason="hearsay")


def rewound() -> None:
    say("1", JAN)
    say("2", FEB)
    retire.retract(say("3", MAR), actor="ann", reason="mistake")
    rewind(1, actor="ann", reason="back", reader=EVERYTHING)
    rewind(4, actor="ann", reason="and forth", reader=EVERYTHING)


def erased() -> None:
    for value, day in (("1", JAN), ("2", FEB), ("3", MAR)):
        say(value, day)
    retain(parse(FEB), actor="op", reason="retention", reader=EVERYTHING)


@pytest.mark.parametrize(
    "history", [ordinary, of_equal_instants, temporary, ended_and_lifted, retracted, disputed, rewound, erased]
)
def test_a_history_reads_the_same_in_an_empty_brain(tmp_path: Path, history: Callable[[], None]) -> None:
    with passing_brain():
        history()
        run("export_facts", tmp_path / "h.csv", "--history")
        instants = sorted({operation.at for operation in Operation.objects.all()})
        before = everything_read(instants)
    run("import_facts", tmp_path / "h.csv", "--keep-recorded")
    assert everything_read(instants) == before
    assert check() == []
    run("export_facts", tmp_path / "again.csv", "--history")
    assert (tmp_path / "again.csv").read_text() == (tmp_path / "h.csv").read_text()


def test_a_withheld_value_leaves_as_a_gap_that_nothing_shines_through(tmp_path: Path) -> None:
    with passing_brain():
        say("1", JAN)
        secret = say("secret", FEB)
        say("alone", FEB, subject="Nobody")
        for selector in (Selector(ids=(secret,)), Selector(subject="Nobody")):
            forget(selector, actor="op", reason="private", reader=EVERYTHING)
        run("export_facts", tmp_path / "h.csv", "--history")
        before = [values(day) for day in (JAN, FEB, MAR)]
    text = (tmp_path / "h.csv").read_text()
    assert "secret" not in text
    assert "Nobody" not in text
    run("import_facts", tmp_path / "h.csv", "--keep-recorded")
    assert [values(day) for day in (JAN, FEB, MAR)] == before
    assert [row["op"] for row in read_csv(tmp_path / "h.csv")] == ["remember", "withheld"]


def everything_read(instants: list[int]) -> list[object]:
    """What every day's recall gives, as known by each instant: values, claims, and what was erased."""
    return [_recall(day, journal.resolve(known_at=known).known_at) for day in DAYS for known in instants]


def _recall(day: int, known: int) -> object:
    found = recall("A", at=AsOf(day, known, latest=False), reader=EVERYTHING)
    facts = [(fact.value, fact.learned_at, fact.expires_at, fact.temporary, fact.contested) for fact in found.facts]
    return facts, sorted(claim.value for claim in found.claims), found.history_complete, found.forgotten_before
