"""What a change will do, in words, before it is saved: old → new, from when, and what agents read until then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from brain.describe import FactAt, describe
from brain.foresee import Foreseen
from brain.journal import resolve
from brain.models import Fact, Operation
from brain.reader import Reader
from brain.time import AsOf
from dashboard import when
from dashboard.editing import Draft, in_one_line
from dashboard.money import Step, step
from dashboard.periods import end_in_words, zone

BUTTONS = {"scheduled": "Schedule", "backfilled": "Backdate", "contested": "Claim"}


@dataclass(frozen=True, slots=True)
class Foretold:
    """`old` is None where nothing held; `button` is empty when there is nothing to save."""

    outcome: str
    old: str | None
    new: str
    moment: str
    sentences: list[str]
    button: str
    mark: str
    step: Step | None
    similar: list[str]


def foretold(seen: Foreseen, draft: Draft) -> Foretold:
    new, old = seen.fact.value, seen.held.value if seen.held else None
    if seen.outcome == "unchanged":
        return Foretold("unchanged", old, new, "", [_unchanged(seen)], "", draft.mark, None, seen.similar)
    sentences = [*_told(seen, dated=draft.said.learned_at is not None), *_kept(seen)]
    moment = _moment(seen, dated=draft.said.learned_at is not None)
    moved = step(old, new) if old is not None else None
    return Foretold(seen.outcome, old, new, moment, sentences, _button(seen), draft.mark, moved, seen.similar)


def quoted(row: Fact | None) -> str:
    return "nothing" if row is None else in_one_line(row.value, 60)


def _day(instant: int) -> str:
    return when.moment(instant, zone())


def _button(seen: Foreseen) -> str:
    named = in_one_line(seen.fact.value)
    verb = BUTTONS.get(seen.outcome, "Save" if seen.held is None else "Change to")
    return f"{verb} {named}"


def _unchanged(seen: Foreseen) -> str:
    until = f" until {end_in_words(seen.fact.expires_at)}" if seen.fact.expires_at is not None else ""
    since = f"since {_day(seen.fact.learned_at)}"
    return f"That is what holds already, {since}{until}. There is nothing to save."


def _moment(seen: Foreseen, *, dated: bool) -> str:
    """on 1 Oct 2026, 00:00 BST; now; from 12 Jan 2026, 00:00 GMT on"""
    begins = seen.fact.learned_at
    if begins > seen.now:
        return f"on {_day(begins)}"
    return f"as of {_day(begins)}" if dated else "now"


def _told(seen: Foreseen, *, dated: bool) -> Iterator[str]:
    if seen.outcome == "contested":
        yield _contested(seen)
        return
    if seen.outcome == "scheduled":
        yield f"Until then agents go on reading {quoted(seen.holds_now)}."
    elif dated:
        yield _backdated(seen)
    if seen.held_after is not None and seen.held_after.value != seen.fact.value:
        yield from _covered(seen.held_after)
    yield from _ending(seen)


def _contested(seen: Foreseen) -> str:
    against = seen.held.written_by if seen.held else "somebody"
    return (
        f"This disagrees with what {against} wrote and may not replace it: it is kept as a claim until a person "
        f"settles it under Review. Agents go on reading {quoted(seen.holds_now_after)}."
    )


def _backdated(seen: Foreseen) -> str:
    if seen.fact.superseded_at is not None and seen.fact.superseded_at <= seen.now:
        followed = f"It held until {_day(seen.fact.superseded_at)}, when {quoted(seen.follows)} followed."
        return f"{followed} What holds now, {quoted(seen.holds_now_after)}, stays."
    return "We now say so of every instant since then. What agents were told meanwhile stays on record."


def _covered(over: Fact) -> Iterator[str]:
    end = f" until {end_in_words(over.expires_at)}" if over.expires_at is not None else ""
    yield f"A temporary value lies over it: agents go on reading {quoted(over)}{end}."


def _ending(seen: Foreseen) -> Iterator[str]:
    fact = seen.fact
    follows, expires = fact.superseded_at, fact.expires_at
    if follows is not None and follows > seen.now and (expires is None or follows < expires):
        yield f"On {_day(follows)} {quoted(seen.follows)} takes over, as it is scheduled."
    elif expires is not None:
        after = "nothing holds" if seen.ended is None else f"{quoted(seen.ended)} holds again"
        yield f"It holds until {end_in_words(expires)}; then {after}."


def _kept(seen: Foreseen) -> Iterator[str]:
    if seen.held is not None and seen.outcome != "contested":
        yield "Both stay in the history."


# -- somebody else was there first


@dataclass(frozen=True, slots=True)
class Overtaken:
    """What held when the form was opened, what holds now, and the operation that must be named to replace it."""

    was: FactAt | None
    theirs: FactAt | None
    by: str
    at: int | None
    latest: int
    button: str
    mark: str


def overtaken(draft: Draft, reader: Reader) -> Overtaken:
    """Both values, where another one holds at the draft's beginning than its writer had seen."""
    now = resolve(draft.said.learned_at, reader=reader)
    was = _held(draft, AsOf(now.as_of, draft.seen, latest=False), reader)
    theirs = _held(draft, now.pinned(), reader)
    changed = _change(draft, theirs)
    named = in_one_line(draft.said.value)
    button = f"Replace it with {named}" if theirs else f"Save {named} all the same"
    return Overtaken(
        was, theirs, changed.actor if changed else "", changed.at if changed else None, now.known_at, button, draft.mark
    )


def _held(draft: Draft, at: AsOf, reader: Reader) -> FactAt | None:
    said = draft.said
    rows = Fact.objects.as_of(at, audit=reader.audit).about(said.subject, said.predicate)
    found = describe(rows.filter(key__scope=said.scope).select_related("key"), at, reader)
    return found[0] if found else None


def _change(draft: Draft, theirs: FactAt | None) -> Operation | None:
    """The operation that came in between: the one that said theirs, else the last that touched the key."""
    if theirs is not None:
        return Operation.objects.filter(pk=theirs.operation or 0).first()
    said = draft.said
    rows = Fact.objects.filter(key__scope=said.scope, key__subject=said.subject, key__predicate=said.predicate)
    marks = rows.filter(retracted_in__gt=draft.seen).order_by("-retracted_in").values("retracted_in")[:1]
    return Operation.objects.filter(pk__in=marks).first()
