"""What became of an answer: the values that a receipt served then, held against what the brain says of them today.

Values are compared, not rows: a value said again by somebody else still holds. Where something was served, its own
keys are compared; where nothing was, any value found today counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from brain import journal
from brain.describe import FactAt, describe
from brain.leaks import folded
from brain.models import Fact, Receipt
from brain.querysets import FactQuerySet
from brain.reader import Reader
from brain.saying import WHITE_RUN
from brain.search import anything_found
from brain.time import AsOf

FORGOTTEN, CORRECTED, SUPERSEDED = "forgotten", "corrected", "superseded"
NO_RECORD, HOLDS = "no_record", "holds"


@dataclass(slots=True)
class Told:
    """One fact that was served, by its id. `then`: as it was served; `held`: what we now say of its key at the
    instant asked about; `now`: what the same question finds there today. None where there is nothing to be shown."""

    fact: int
    then: FactAt | None
    held: FactAt | None
    now: FactAt | None


@dataclass(slots=True)
class Explained:
    """A receipt with its verdict. `today` is the instant of `now`; `found` is what a question that was served nothing
    finds today, or, where we now say so, at the instant asked about."""

    receipt: Receipt
    told: list[Told]
    verdict: str
    supported: bool | None
    today: int
    found: list[FactAt]


def explain(receipt: Receipt, reader: Reader) -> Explained:
    """The receipt as this reader may see it; the verdict is the same for every reader."""
    then = AsOf(receipt.as_of, receipt.known_at, latest=False)
    held = _now(receipt.as_of)
    today = _now(_asked_instant(receipt), reader)
    rows = _rows(receipt)
    keys = {row.key_id for row in rows.values()}
    told = _told(receipt, rows, reader, {"then": then, "held": held, "now": today})
    found: list[FactAt] = []
    verdict = _forgotten(receipt, rows) or _compared(rows, _values(keys, held), _values(keys, today))
    if not receipt.fact_ids and not receipt.erased:
        verdict, found = _nothing_served(receipt, held, today, reader)
    return Explained(receipt, told, verdict, _supported(receipt, rows), today.as_of, found)


def _asked_instant(receipt: Receipt) -> int | None:
    named = receipt.query.get("as_of")
    return None if named is None else receipt.as_of


def _now(as_of: int | None, reader: Reader | None = None) -> AsOf:
    return journal.resolve(as_of, reader=reader)


def _rows(receipt: Receipt) -> dict[int, Fact]:
    """Fact id → its latest saying that still has content."""
    rows = Fact.objects.content().filter(origin__in=receipt.fact_ids).select_related("key").order_by("pk")
    return {row.origin_id: row for row in rows}


def _told(receipt: Receipt, rows: dict[int, Fact], reader: Reader, clocks: dict[str, AsOf]) -> list[Told]:
    keys = {row.key_id for row in rows.values()}
    served = Fact.objects.filter(origin__in=receipt.fact_ids).told_by(clocks["then"]).existing(audit=reader.audit)
    then = {fact.id: fact for fact in describe(served.select_related("key"), clocks["then"], reader)}
    held, now = (_shown(Fact.objects.filter(key__in=keys), clocks[name], reader) for name in ("held", "now"))
    places = {origin: (row.key.scope, row.key.subject, row.key.predicate) for origin, row in rows.items()}
    return [
        Told(fact, then.get(fact), held.get(places.get(fact)), now.get(places.get(fact))) for fact in receipt.fact_ids
    ]


def _shown(rows: FactQuerySet, at: AsOf, reader: Reader) -> dict[tuple[str, str, str] | None, FactAt]:
    found = describe(rows.as_of(at, audit=reader.audit).select_related("key"), at, reader)
    return {(fact.scope, fact.subject, fact.predicate): fact for fact in found}


def _forgotten(receipt: Receipt, rows: dict[int, Fact]) -> str | None:
    withheld = (row.forgotten_in_id is not None and row.restored_in_id is None for row in rows.values())
    gone = receipt.erased or any(fact not in rows for fact in receipt.fact_ids)
    return FORGOTTEN if gone or any(withheld) else None


def _values(keys: Collection[int], at: AsOf) -> dict[int, str]:
    """Key → the value that an agent gets of it."""
    return dict(Fact.objects.filter(key__in=keys).as_of(at).order_by().values_list("key_id", "value"))


def _compared(rows: dict[int, Fact], held: dict[int, str], today: dict[int, str]) -> str:
    served = {row.key_id: row.value for row in rows.values()}
    if held != served:
        return CORRECTED
    return HOLDS if today == served else SUPERSEDED


def _nothing_served(receipt: Receipt, held: AsOf, today: AsOf, reader: Reader) -> tuple[str, list[FactAt]]:
    for verdict, at in ((CORRECTED, held), (SUPERSEDED, today)):
        found = _asked_again(receipt, at).as_of(at)
        if found.exists():
            return verdict, list(describe(found.select_related("key").order_by("key__predicate", "pk"), at, reader))
    return NO_RECORD, []


def _asked_again(receipt: Receipt, at: AsOf) -> FactQuerySet:
    """The facts that the receipt's question is about."""
    query = receipt.query
    scope, recursive = query.get("scope", receipt.scope), bool(query.get("recursive"))
    if query.get("q"):
        return anything_found(str(query["q"]), at, scope=scope, recursive=recursive)
    subjects = query.get("subjects") or [query.get("subject", "")]
    asked = Fact.objects.filter(key__subject__in=subjects).within(scope, recursive=recursive)
    return asked.filter(key__predicate=query["predicate"]) if query.get("predicate") else asked


def _supported(receipt: Receipt, rows: dict[int, Fact]) -> bool | None:
    if receipt.answer is None:
        return None
    return _says_any(receipt.answer, (row.value for row in rows.values()))


def _says_any(answer: str, values: Iterable[str]) -> bool:
    said = _even(answer)
    return any(_even(value) in said for value in values)


def _even(text: str) -> str:
    return WHITE_RUN.sub(" ", folded(text))
