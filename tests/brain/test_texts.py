"""§1: what a text may be, how it is stored, and that queries and selectors are normalised alike."""

from __future__ import annotations

import unicodedata

import pytest

from brain import saying, selectors
from brain.errors import Invalid
from tests.brain.asking import TIER, held, say

WORDS = {"subject": TIER, "predicate": "list_price", "value": "x", "source": "sheet", "written_by": "ann"}
WHITE = ["\t", "\n", "\v", "\f", "\r", " ", "\x85", "\xa0", "\u1680", "\u2003", "\u2028", "\u2029", "\u202f", "\u3000"]


def refusal(**fields: object) -> dict[str, str]:
    """The fields that a saying with these is refused for."""
    with pytest.raises(Invalid) as refused:
        saying.check(saying.Saying(**(WORDS | fields)))
    return dict(refused.value.errors)


@pytest.mark.parametrize("white", WHITE)
@pytest.mark.parametrize("field", ["subject", "predicate"])
def test_white_space_of_subject_and_predicate_is_trimmed_and_collapsed(field: str, white: str) -> None:
    assert saying.text(field, f"{white}Tier{white} {white}2{white}") == "Tier 2"


@pytest.mark.parametrize("field", ["value", "source", "written_by"])
def test_white_space_of_the_other_texts_is_trimmed_only(field: str) -> None:
    assert saying.text(field, " \u00a0a  b\u3000 ") == "a  b"


def test_a_value_keeps_its_lines_and_tabs() -> None:
    assert saying.text("value", "\n1\n\t2\n") == "1\n\t2"


@pytest.mark.parametrize("field", list(WORDS))
def test_texts_are_stored_composed(field: str) -> None:
    assert saying.text(field, unicodedata.normalize("NFD", "Café")) == unicodedata.normalize("NFC", "Café")


@pytest.mark.parametrize("control", ["\x00", "\x01", "\x1b", "\x7f", "\x1c", "\x9f"])
@pytest.mark.parametrize("field", list(WORDS))
def test_a_control_character_is_refused(field: str, control: str) -> None:
    assert refusal(**{field: f"a{control}b"}).keys() == {field}


@pytest.mark.parametrize("control", ["\r", "\v", "\x85"])
def test_a_value_may_hold_no_control_but_newline_and_tab(control: str) -> None:
    assert refusal(value=f"a{control}b").keys() == {"value"}


@pytest.mark.parametrize("field", ["source", "written_by"])
def test_a_newline_inside_a_name_is_refused(field: str) -> None:
    assert refusal(**{field: "a\nb"}).keys() == {field}


@pytest.mark.parametrize("field", list(WORDS))
def test_format_characters_are_no_controls(field: str) -> None:
    assert saying.text(field, "a\u200db\u200fc") == "a\u200db\u200fc"


@pytest.mark.parametrize("field", list(WORDS))
@pytest.mark.parametrize("blank", ["", " ", "\u00a0\t\n"])
def test_a_blank_text_is_refused(field: str, blank: str) -> None:
    assert refusal(**{field: blank}).keys() == {field}


@pytest.mark.parametrize("field", list(WORDS))
def test_a_lone_surrogate_is_refused(field: str) -> None:
    assert refusal(**{field: "a\ud800"}).keys() == {field}


@pytest.mark.parametrize(
    ("field", "most"), [("subject", 512), ("predicate", 256), ("value", 65_536), ("source", 256), ("written_by", 256)]
)
@pytest.mark.parametrize("letter", ["a", "é", "\U0001f4b6"])
def test_texts_are_measured_in_bytes_after_they_are_normalised(field: str, most: int, letter: str) -> None:
    longest = letter * (most // len(letter.encode()))
    assert saying.text(field, f"  {longest}  ") == longest
    assert refusal(**{field: longest + letter}).keys() == {field}


def test_the_longest_texts_can_be_stored_and_found() -> None:
    subject, predicate = "\U0001f4b6" * 128, "\U0001f4b7" * 64
    say("\U0001f4b8" * 16_384, subject=subject, predicate=predicate, source="s" * 256, written_by="w" * 256)
    say("2", subject=subject, predicate="list_price")
    assert held(subject=subject) == "2"


def test_a_selector_is_normalised_like_a_write() -> None:
    chosen = selectors.parse({"subject": "  Tier  2\u00a0renewal ", "q": " Café".replace("é", "e\u0301")})
    assert (chosen.subject, chosen.q) == (TIER, "Café")


def test_every_bad_field_is_named_at_once() -> None:
    bad = refusal(subject="", value="\x00", scope="/Upper", category="feeling", confidence=2, learned_at=1)
    assert bad.keys() == {"subject", "value", "scope", "category", "confidence", "learned_at"}


@pytest.mark.parametrize("kind", ["", "Upsert", "rumour"])
def test_a_source_kind_is_one_of_six(kind: str) -> None:
    assert refusal(source_kind=kind).keys() == {"source_kind"}


@pytest.mark.parametrize("confidence", [-0.1, 1.1, float("nan"), float("inf"), "1", None])
def test_confidence_is_a_number_from_0_to_1(confidence: object) -> None:
    assert refusal(confidence=confidence).keys() == {"confidence"}


def test_two_spellings_of_white_space_are_one_key_and_two_cases_are_two() -> None:
    assert say("1").outcome == "created"
    assert say("2", None, subject=" Tier\t2  renewal").outcome == "superseded"
    assert say("3", subject="tier 2 renewal").outcome == "created"
    assert held() == "2"
