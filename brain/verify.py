"""verify: the journal's chain, what its operations touched, the facts' digests, and every law that SQL can state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import merge
from itertools import groupby, islice
from operator import itemgetter

from django.db.models import F

from brain import laws, rows, saying
from brain.errors import Invalid
from brain.journal import GENESIS, TOUCHES, Tally, contents_digest, row_hash, salted
from brain.models import EarlierWithholding, Fact, Key, Operation
from brain.snapshot import snapshot

MOST = 20  # problems of one kind that are named

Touch = tuple[int, int, str]  # operation, row, digest


def check() -> list[str]:
    """What is broken, a sentence each, naming the row; empty when every law holds."""
    with snapshot():
        found = (_broken_chain(), _broken_contents(), _broken_facts(), _broken_keys(), laws.broken(MOST))
        return [problem for kind in found for problem in islice(kind, MOST)]


def head() -> tuple[int, str]:
    """The last operation and its hash, to be kept elsewhere: a journal cut at its end shows by comparison only."""
    last = Operation.objects.order_by("-id").values_list("id", "hash").first()
    return last or (0, GENESIS)


# -- the journal


def _broken_chain() -> Iterator[str]:
    before, at, facts, expected = GENESIS, 0, 0, 1
    for row in Operation.objects.order_by("id").iterator():
        if row.pk != expected:
            yield f"operation {expected}: it is missing from the journal"
        if row.previous_hash != before and row.pk == expected:
            yield f"operation {row.pk}: it does not follow the operation before it"
        if row.at < at or row.last_fact < facts:
            yield f"operation {row.pk}: it lies before the operation before it"
        yield from _broken_operation(row)
        before, at, facts, expected = row.hash, row.at, row.last_fact, row.pk + 1


def _broken_operation(row: Operation) -> Iterator[str]:
    if row_hash(row) != row.hash:
        yield f"operation {row.pk}: its hash is not that of its content"
    if _differs(row.reason_salt, row.reason, row.reason, row.reason_digest):
        yield f"operation {row.pk}: its reason is not the one that was given"
    if _differs(row.details_salt, row.details, [row.scope, row.details], row.details_digest):
        yield f"operation {row.pk}: its scope or details are not those that were recorded"


def _differs(salt: str, content: object, signed: object, digest: str) -> bool:
    """Whether a content is not what its digest says; one that was erased together with its salt must be empty."""
    return salted(salt, signed) != digest if salt else bool(content)


class _Touches:
    """The rows that operations touched in one way, taken operation by operation, in the order of both."""

    def __init__(self, touches: Iterable[Touch]) -> None:
        self.groups = groupby(touches, key=itemgetter(0))
        self.next = next(self.groups, None)

    def of(self, operation_id: int) -> Tally:
        tally = Tally()
        while self.next is not None and self.next[0] <= operation_id:
            if self.next[0] == operation_id:
                for _, row, digest in self.next[1]:
                    tally.add(row, digest)
            self.next = next(self.groups, None)
        return tally


def _broken_contents() -> Iterator[str]:
    """Operations whose sayings are not what they touched; those of which rows are gone cannot be told."""
    touches = {name: _Touches(_touched(name)) for name in TOUCHES}
    for pk, digest, erased in (
        Operation.objects.order_by("id").values_list("id", "contents_digest", "erased").iterator()
    ):
        tallies = {name: touched.of(pk) for name, touched in touches.items()}
        if not erased and contents_digest(tallies) != digest:
            yield f"operation {pk}: the facts that it touched are not what it recorded"


def _touched(how: str) -> Iterator[Touch]:
    if how in {"said", "unsaid"}:
        mark = "recorded_in_id" if how == "said" else "retracted_in_id"
        return _marked(mark)
    mark = "forgotten_in_id" if how == "forgot" else "restored_in_id"
    earlier = EarlierWithholding.objects.filter(fact__recorded_in__lt=F(mark)).order_by(mark, "fact")
    # a row that is said again keeps the marks of the row before it, which was the one that was touched
    return merge(_marked(mark, recorded_in__lt=F(mark)), earlier.values_list(mark, "fact", "fact__digest").iterator())


def _marked(mark: str, **conditions: object) -> Iterator[Touch]:
    found = Fact.objects.filter(**{f"{mark}__isnull": False}, **conditions).order_by(mark, "pk")
    yield from found.values_list(mark, "pk", "digest").iterator()


# -- facts and keys


def _broken_facts() -> Iterator[str]:
    for row in Fact.objects.filter(salt__isnull=False).select_related("key").order_by("pk").iterator():
        if rows.digest(row) != row.digest:
            yield f"fact {row.origin_id} (row {row.pk}): its content is not what was said"
        if row.folded != rows.folded(row.value, row.source, row.written_by):
            yield f"fact {row.origin_id} (row {row.pk}): its folded text is not its text"


def _broken_keys() -> Iterator[str]:
    for key in Key.objects.order_by("pk").iterator():
        folded = (key.subject.casefold(), key.predicate.casefold())
        if (key.subject_folded, key.predicate_folded) != folded or not _is_stored_form(key):
            yield f"key {key.pk} ({key}): its texts are not in their stored form"


def _is_stored_form(key: Key) -> bool:
    try:
        clean = (saying.scope(key.scope), saying.text("subject", key.subject), saying.text("predicate", key.predicate))
    except Invalid:
        return False
    return clean == (key.scope, key.subject, key.predicate)
