"""forget: withhold or erase what should not exist for an agent; rows that a hold protects are counted and skipped.

Withholding marks rows. Erasing first turns rows into holes in one statement, so that no reader sees the content
again, and then takes the content itself away (`erasure.py`): at once, or in chunks where the rows are many.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from django.db import transaction

from brain import guard, holds, receipts, saying, staging, taken
from brain.describe import FactAt, describe
from brain.erasure import drop_scope, erase_all
from brain.errors import Held, NotFound
from brain.jobs import start_erasing
from brain.journal import Entry, operation, resolve
from brain.models import EarlierWithholding, Fact, Job, Operation
from brain.querysets import FactQuerySet, under
from brain.reader import Reader
from brain.receipts import affected
from brain.retire import Done, last_touch
from brain.selectors import Selector
from brain.storage import wipe
from brain.taken import Taking
from brain.time import AsOf
from brain.turns import turn

AT_ONCE = 10_000  # rows; beyond it the content is erased in chunks by a job
SAMPLE = 10
MOST_CHANGES = 1_000  # keys named in one answer


@dataclass(slots=True)
class Forgotten:
    """What a forget took or, as a preview, would take. `matched` includes `held`; selector and scope forms count
    facts, retention counts rows. `changed` keys answer nothing any more: `changes` are their facts that held."""

    matched: int = 0
    forgotten: int = 0
    purged: int = 0
    held: int = 0
    receipts_affected: int = 0
    sample: list[FactAt] = field(default_factory=list)
    held_sample: list[FactAt] = field(default_factory=list)
    changed: int = 0
    changes: list[FactAt] = field(default_factory=list)
    relied: set[int] = field(default_factory=set)  # facts whose receipts are affected
    operation: Operation | None = None
    job: Job | None = None
    storage: str | None = None  # when the erased bytes are gone from the database's files


# -- the forms


def forget(
    selector: Selector,
    *,
    actor: str,
    reason: str,
    reader: Reader,
    purge: bool = False,
    block_relearning: bool = False,
    dry_run: bool = False,
) -> Forgotten:
    """Withholds the facts that match, or with `purge` erases them, each with all its versions. `block_relearning`
    keeps keyed hashes, so that the same key and value is refused from now on."""
    taking = taken.selected(selector, reader, purge=purge)
    taking.details["block"] = block_relearning
    return _carry_out(taking, actor, reason, reader, block=block_relearning, dry_run=dry_run)


def retain(
    before: int,
    *,
    actor: str,
    reason: str,
    reader: Reader,
    basis: str = "learned_at",
    scope: str = "/",
    dry_run: bool = False,
) -> Forgotten:
    """Retention: erases rows learned before `before` that another has superseded by now, or with `ended_at` every
    row whose period ended before it. `before` is epoch milliseconds; counts are of rows."""
    return _carry_out(taken.aged(before, reader, basis=basis, scope=scope), actor, reason, reader, dry_run=dry_run)


def forget_scope(scope: str, *, actor: str, reason: str, reader: Reader, dry_run: bool = False) -> Forgotten:
    """Erases everything under a scope, holes and receipts included. A hold or a freeze refuses it whole."""
    return _carry_out(taken.scoped(scope), actor, reason, reader, dry_run=dry_run)


# -- carrying out


def _carry_out(
    taking: Taking, actor: str, reason: str, reader: Reader, *, block: bool = False, dry_run: bool = False
) -> Forgotten:
    reason = saying.reason(reason, required=True)
    if dry_run:
        return _preview(taking, reader)
    with turn():
        found = _preview(taking, reader)
        with operation(taking.kind, actor=actor, reason=reason, details=taking.details, scope=reader.scope) as entry:
            rows = taking.rows.exclude(holds.held())
            _set_scope(entry, taking, rows)
            if block:
                guard.block(rows.select_related("key").iterator(), entry.id)
            pending = _withhold(rows, entry) if taking.kind == "forget" else _make_holes(rows, taking.kind, entry)
            counts = {"matched": found.matched, "forgotten": found.forgotten, "purged": found.purged}
            entry.count(**counts, held=found.held)
        found.operation = entry.row
        found.job = _finish(taking, entry.row, pending)
    if found.job is None and taking.kind != "forget":
        found.storage = wipe()
    return found


def _finish(taking: Taking, done: Operation, rows: int) -> Job | None:
    """Takes the content away after the rows became holes: now, or as a job where they are many."""
    if taking.kind == "forget":
        return None
    transaction.on_commit(staging.erase_all)  # a sheet that waits to be imported may hold what goes
    if rows > AT_ONCE:
        return start_erasing(done, taking.kind, taking.scope, rows)
    erase_all(chunk=AT_ONCE)
    if taking.kind == "forget_scope":
        drop_scope(taking.scope)
    return None


def _preview(taking: Taking, reader: Reader) -> Forgotten:
    guard.refuse_frozen(taking.rows.order_by().values_list("key__scope", flat=True).distinct())
    held = taking.counted.filter(holds.held())
    free = taking.counted.exclude(holds.held())
    matched, going = taking.count(taking.counted), taking.count(free)
    if taking.kind == "forget_scope":
        guard.refuse_frozen_below(taking.scope)
        if matched != going:
            raise Held(f"something under {taking.scope} is on legal hold; nothing was forgotten")
    at, erases = resolve(), taking.kind != "forget"
    answering, relied = free.as_of(at), set(free.order_by().values_list("origin_id", flat=True).distinct())
    return Forgotten(
        matched=matched,
        forgotten=0 if erases else going,
        purged=going if erases else 0,
        held=matched - going,
        receipts_affected=affected(relied),
        sample=_described(free.order_by("origin_id", "-id")[:SAMPLE], at, reader),
        held_sample=_described(held.order_by("origin_id", "-id")[:SAMPLE], at, reader) if matched > going else [],
        changed=answering.count(),
        changes=_described(answering.order_by("key__subject", "key__predicate", "pk")[:MOST_CHANGES], at, reader),
        relied=relied,
    )


def _described(rows: FactQuerySet, at: AsOf, reader: Reader) -> list[FactAt]:
    return describe(rows.select_related("key"), at, Reader(scope=reader.scope, audit=True))


def _set_scope(entry: Entry, taking: Taking, rows: FactQuerySet) -> None:
    entry.scope = None
    if taking.kind == "forget_scope":  # nothing may stay under the scope's own name, this operation neither
        entry.widen(guard.line(taking.scope)[-2] if taking.scope != "/" else "/")
        return
    scopes = list(rows.order_by().values_list("key__scope", flat=True).distinct())
    for name in scopes or [taking.scope]:
        entry.widen(name)


def _withhold(rows: FactQuerySet, entry: Entry) -> int:
    ids = list(rows.order_by("pk").values_list("pk", "digest"))
    marked = [pk for pk, _ in ids]
    again = Fact.objects.filter(pk__in=marked, restored_in__isnull=False)
    EarlierWithholding.objects.bulk_create(
        EarlierWithholding(fact_id=pk, forgotten_in_id=start, restored_in_id=end)
        for pk, start, end in again.order_by("pk").values_list("pk", "forgotten_in_id", "restored_in_id")
    )
    for start in range(0, len(marked), CHUNK):
        Fact.objects.filter(pk__in=marked[start : start + CHUNK]).update(forgotten_in=entry.id, restored_in=None)
    for pk, digest in ids:
        entry.touch("forgot", pk, digest)
    return 0


CHUNK = 10_000  # row ids in one statement


def _make_holes(rows: FactQuerySet, kind: str, entry: Entry) -> int:
    """From here on every read treats the rows as holes, though their content still stands until it is erased."""
    erasure = Fact.RETENTION if kind == "retention" else Fact.PURGE
    taken = list(rows.order_by("pk").values_list("pk", "origin_id"))
    ids = [pk for pk, _ in taken]
    for start in range(0, len(ids), CHUNK):
        Fact.objects.filter(pk__in=ids[start : start + CHUNK]).update(erasure=erasure)
    receipts.erase({origin for _, origin in taken}, ())
    entry.row.details["rows"] = len(ids)
    return len(ids)


# -- restore


def restore(fact_id: int, *, actor: str, reason: str, reader: Reader) -> Done:
    """A withheld fact is given back to agents. Raises NotFound for what is erased, elsewhere or never was."""
    reason = saying.reason(reason, required=True)
    with turn():
        versions = Fact.objects.content().filter(under(reader.scope), origin=fact_id).select_related("key")
        row: Fact | None = versions.order_by("-id").first()
        if row is None:
            raise NotFound(f"there is no fact {fact_id}")
        guard.refuse_frozen([row.key.scope])
        marked = versions.filter(forgotten_in__isnull=False, restored_in__isnull=True).order_by("pk")
        if not marked.exists():
            return Done(row, last_touch(row), "unchanged")
        with operation("restore", actor=actor, reason=reason, scope=row.key.scope) as entry:
            for pk, digest in marked.values_list("pk", "digest"):
                entry.touch("restored", pk, digest)
            marked.update(restored_in=entry.id)
            entry.count(restored=1)
        row.restored_in_id = entry.id
        return Done(row, entry.id, "restored")
