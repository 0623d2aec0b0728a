"""A read carries an ETag over what it found; who has it already gets 304, and a receipt all the same."""

from __future__ import annotations

import pytest

from tests.api.callers import MAR, READ, TIER, Agent, agent

READS = [
    f"/recall?subject={TIER}".replace(" ", "%20"),
    "/facts",
    "/history",
    "/facts/1",
    "/facts/1/chain",
    "/timeline",
    "/me",
]


@pytest.mark.parametrize("path", READS)
def test_an_unchanged_read_is_304(operator: Agent, path: str) -> None:
    operator.say("$4,200")
    first = operator.get(path)
    assert first.headers["Cache-Control"] == "private, no-cache"
    again = operator.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status, again.content, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
    assert operator.get(path, headers={"If-None-Match": f'"other", {first.headers["ETag"]}'}).status == 304
    assert operator.get(path, headers={"If-None-Match": '"other"'}).status == 200


def test_a_write_elsewhere_leaves_the_etag_and_one_here_changes_it(operator: Agent) -> None:
    operator.say("$4,200")
    before = operator.recall().headers["ETag"]
    operator.say("x", subject="other")
    assert operator.recall().headers["ETag"] == before
    operator.say("$3,600", MAR)
    assert operator.recall().headers["ETag"] != before


def test_every_recall_leaves_a_receipt_even_a_304(operator: Agent) -> None:
    operator.say("$4,200")
    reader = agent("brief-writer", READ)
    first = reader.recall()
    assert first["receipt"] == first.headers["Recall-Receipt"]
    again = reader.recall(headers={"If-None-Match": first.headers["ETag"]})
    assert again.status == 304
    assert again.headers["Recall-Receipt"] not in {"", first["receipt"]}
    many = reader.post("/recall", {"subjects": [TIER]})
    assert many["receipt"] == many.headers["Recall-Receipt"]
