"""The difference inside a value is marked by words, and nothing of the value is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dashboard.marking import marked


def changed(pieces) -> list[str]:
    return [piece.text for piece in pieces if piece.changed]


def test_the_words_that_differ_are_marked_on_both_sides() -> None:
    before, after = marked("30 days, pro rata after day 14", "60 days, pro rata after day 14")
    assert (changed(before), changed(after)) == (["30"], ["60"])


def test_a_word_added_is_marked_on_its_side_only() -> None:
    before, after = marked("15% with annual prepay", "15% only with annual prepay")
    assert changed(before) == []
    assert "".join(changed(after)).strip() == "only"


def test_values_with_little_in_common_are_told_as_two_values() -> None:
    before, after = marked("$3,600", "$4,200")
    assert (changed(before), changed(after)) == (["$3,600"], ["$4,200"])


@given(st.text(max_size=60), st.text(max_size=60))
def test_the_pieces_joined_are_the_value_as_written(before: str, after: str) -> None:
    left, right = marked(before, after)
    assert "".join(piece.text for piece in left) == before
    assert "".join(piece.text for piece in right) == after
