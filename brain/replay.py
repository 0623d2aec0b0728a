"""Lines of a file are carried out in their order within an open operation: said, ended, retracted, said again.

A line names an earlier one by the file's own fact id, else the row by key and `learned_at`, else the row that holds at
the line's `recorded_at` or at the operation's instant.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from brain import chains, guard, rows, saying
from brain.errors import BrainError, Conflict, Invalid
from brain.journal import Entry, Tally
from brain.lines import END, ERASED, REMEMBER, RETRACT, Line
from brain.models import Fact
from brain.policy import FADING, Fading
from brain.querysets import FactQuerySet
from brain.remember import Outcome, completed, say_each
from brain.retire import refuse_end, say_again, unsay
from brain.saying import Saying
from brain.scopes import register_on_write
from brain.time import AsOf

EMPTY = {"value": "", "source": "", "written_by": "", "folded": "", "category": "", "source_kind": "", "salt": None}


class Replay:
    """Carries out the lines of one file, over one operation or several; counts what became of them."""

    def __init__(
        self,
        refuse: Callable[[Line, BrainError], None],
        settled: Callable[[], None] = lambda: None,
        fading: Fading = FADING,
    ) -> None:
        """`refuse` hears of lines that the brain refuses; `settled` whenever every line taken so far is carried out:
        new sayings are taken some thousand at a time."""
        self.refuse, self.settled, self.fading = refuse, settled, fading
        self.facts: dict[int, int] = {}  # the file's fact ids → ours
        self.met: set[int] = set()
        self.outcomes: Counter[str] = Counter()

    def play(self, lines: Iterable[Line], entry: Entry) -> None:
        before = self.outcomes.copy()
        for fresh, run in groupby(lines, key=self._says_something_new):
            if fresh:
                self._say(run, entry)
            else:
                self._carry_out(run, entry)
        _tally_unsaid(entry)
        entry.count(**(self.outcomes - before))

    def _says_something_new(self, line: Line) -> bool:
        new = line.op == REMEMBER and line.fact not in self.facts and line.fact not in self.met and not line.claim
        if new and line.fact is not None:
            self.met.add(line.fact)  # sayings are stored some thousand at a time, so its name may still be to come
        return new

    def _say(self, run: Iterable[Line], entry: Entry) -> None:
        waiting: deque[Line] = deque()
        for outcome in say_each(_sayings(run, waiting), entry, self.fading):
            line = waiting.popleft()
            if isinstance(outcome, Outcome):
                self.outcomes[outcome.outcome] += 1
                self._name(line, outcome.fact)
            else:
                self.refuse(line, outcome)
            if not waiting:
                self.settled()

    def _carry_out(self, run: Iterable[Line], entry: Entry) -> None:
        verbs = {END: self._end, RETRACT: self._retract, REMEMBER: self._restore}
        for line in run:
            try:
                self.outcomes[verbs.get(line.op, self._dig)(line, entry)] += 1
            except BrainError as refusal:
                self.refuse(line, refusal)

    def _name(self, line: Line, row: Fact) -> None:
        if line.fact is not None:
            self.facts[line.fact] = row.origin_id

    # -- what a line can ask for, besides a new saying; each answers with its outcome

    def _end(self, line: Line, entry: Entry) -> str:
        row, instant = self._named(line, entry), line.saying.expires_at
        try:
            refuse_end(row, instant)
        except Invalid as refusal:
            raise Invalid.field("expires_at", refusal.errors[0][1]) from refusal
        if row.expires_at == instant:
            return "unchanged"
        say_again(row, entry, expires_at=instant)
        return "ended"

    def _retract(self, line: Line, entry: Entry) -> str:
        row = self._named(line, entry)
        guard.refuse_frozen([row.key.scope])
        unsay(row, entry)
        return "retracted"

    def _restore(self, line: Line, entry: Entry) -> str:
        """A fact that an earlier line taught, and another unsaid, is said again under its id."""
        if line.fact not in self.facts:
            return self._claim(line, entry)
        said = line.saying
        versions = Fact.objects.filter(origin=self.facts[line.fact or 0]).select_related("key")
        last = versions.order_by("-id")[0]
        if last.retracted_in_id is None:
            raise Conflict(f"fact {line.fact} is said by an earlier line and not retracted since")
        if line.op == REMEMBER and last.value != said.value:
            raise Invalid.field("value", f"fact {line.fact} had another value in an earlier line")
        guard.refuse_frozen([last.key.scope])
        guard.refuse_blocked(last.key.scope, last.key.subject, last.key.predicate, last.value)
        instants = {"learned_at": said.learned_at or last.learned_at, "expires_at": said.expires_at}
        _insert(rows.said_again(last, entry, claim=line.claim, **instants), entry)
        return "restored"

    def _claim(self, line: Line, entry: Entry) -> str:
        """A claim stays one, though what it disagreed with may be withheld by now."""
        said = completed(saying.check(line.saying), entry, self.fading)
        gate = guard.Guard(entry.id, {said.scope})
        gate.refuse(said)
        row = rows.new_row(said, rows.key_of(said), entry, claim=True)
        gate.make(said.scope)
        _insert(row, entry)
        self._name(line, row)
        return "contested"

    def _dig(self, line: Line, entry: Entry) -> str:
        """A hole: a row stood here, and its content is not told."""
        if line.fact in self.facts:
            return self._restore(line, entry)
        if line.saying.learned_at is None:
            raise Invalid.field("learned_at", "must be given where the content is not")
        guard.refuse_frozen([line.saying.scope])
        row = rows.new_row(line.saying, rows.key_of(line.saying), entry, claim=False)
        for field, nothing in EMPTY.items():
            setattr(row, field, nothing)
        row.erasure = Fact.RETENTION if line.op == ERASED else Fact.PURGE
        register_on_write(line.saying.scope, entry.id)
        _insert(row, entry)
        self._name(line, row)
        return line.op

    def _named(self, line: Line, entry: Entry) -> Fact:
        """The row that an end or a retraction names. Raises Invalid when there is none."""
        if line.fact in self.facts:
            open_row = _open().filter(origin=self.facts[line.fact or 0]).first()
            return open_row or _missing("fact", f"fact {line.fact} is not said any more")
        said = line.saying
        of_key = _of_key(_open(), said)
        if said.learned_at is not None:
            row = of_key.filter(learned_at=said.learned_at).order_by("-origin_id").first()
            return row or _missing("learned_at", "no row of this subject and predicate was learned then")
        instant = entry.at if line.recorded_at is None else line.recorded_at
        holds = _of_key(Fact.objects.as_of(AsOf(instant, 0, latest=True)), said).select_related("key").first()
        return holds or _missing("subject", "nothing holds of this subject and predicate then")


def _sayings(run: Iterable[Line], waiting: deque[Line]) -> Iterator[Saying]:
    for line in run:
        waiting.append(line)
        yield line.saying


def _open() -> FactQuerySet:
    return Fact.objects.filter(retracted_in__isnull=True).select_related("key")


def _of_key(found: FactQuerySet, said: Saying) -> FactQuerySet:
    return found.about(said.subject, said.predicate).filter(key__scope=said.scope)


def _missing(column: str, rule: str) -> Fact:
    raise Invalid.field(column, rule)


def _insert(row: Fact, entry: Entry) -> None:
    if row.claim:
        row.save(force_insert=True)
    else:
        chains.attach(row)
    entry.touch("said", row.pk, row.digest)
    entry.widen(row.key.scope)


def _tally_unsaid(entry: Entry) -> None:
    """The journal hears of unsaid rows in the order of their ids; a file retracts in an order of its own."""
    entry.tallies["unsaid"] = Tally()
    unsaid = Fact.objects.filter(retracted_in=entry.id).order_by("pk").values_list("pk", "digest")
    for pk, digest in unsaid.iterator():
        entry.touch("unsaid", pk, digest)
