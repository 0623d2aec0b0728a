"""The brain once more, by brute force: a list of sayings, read word for word as the rules say and never indexed.

Nothing here knows the product. `Brain` answers what stood and what held at (T, K); `writing` changes it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

NOW_AND_LATER = 2**63
CURATED = {"upsert", "document"}
WEEK = 7 * 86_400_000

Key = tuple[str, str, str]  # scope, subject, predicate


@dataclass
class Row:
    """One saying. `stretches` are the (forgotten_in, restored_in) of its fact; `hole` names what erased it."""

    origin: int
    key: Key
    value: str
    learned_at: int
    recorded_in: int
    source: str = "sheet"
    written_by: str = "ann"
    expires_at: int | None = None
    temporary: bool = False
    category: str = "knowledge"
    source_kind: str = "upsert"
    confidence: float = 1.0
    claim: bool = False
    retracted_in: int | None = None
    stretches: list[tuple[int, int | None]] = field(default_factory=list)
    hole: str = ""

    @property
    def place(self) -> tuple[int, int]:
        return self.learned_at, self.origin

    @property
    def curated(self) -> bool:
        return self.source_kind in CURATED

    @property
    def forgotten(self) -> bool:
        return any(restored is None for _, restored in self.stretches)

    def stood(self, known_at: int) -> bool:
        return self.recorded_in <= known_at and (self.retracted_in is None or self.retracted_in > known_at)

    def expired(self, instant: int) -> bool:
        return self.expires_at is not None and self.expires_at <= instant

    def withheld(self, known_at: int, *, audit: bool = False) -> bool:
        then = any(start <= known_at < (end or NOW_AND_LATER) for start, end in self.stretches)
        return then or (self.forgotten and not audit)

    def again(self, operation: int, **changes: object) -> Row:
        """The same fact said once more: id, marks and hole move with it."""
        return replace(self, recorded_in=operation, retracted_in=None, stretches=list(self.stretches), **changes)


@dataclass
class Operation:
    id: int
    at: int
    kind: str
    actor: str = ""


@dataclass(frozen=True)
class Selector:
    """Names facts: a fact matches when one of its sayings has everything that is given."""

    ids: tuple[int, ...] | None = None
    subject: str | None = None
    predicate: str | None = None
    source: str | None = None
    written_by: str | None = None
    scope: str | None = None
    q: str | None = None

    def names(self, row: Row) -> bool:
        scope, subject, predicate = row.key
        pairs = [(self.subject, subject), (self.predicate, predicate), (self.source, row.source)]
        pairs.append((self.written_by, row.written_by))
        texts = (subject, predicate, row.value, row.source, row.written_by)
        return (
            not row.hole
            and all(wanted is None or wanted == found for wanted, found in pairs)
            and (self.ids is None or row.origin in self.ids)
            and (self.scope is None or under(scope, self.scope))
            and (self.q is None or any(self.q.casefold() in text.casefold() for text in texts))
        )


def under(scope: str, top: str) -> bool:
    return top == "/" or scope == top or scope.startswith(top + "/")


@dataclass
class Brain:
    rows: list[Row] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)
    blocked: set[tuple[Key, str]] = field(default_factory=set)  # what may not be taught again
    holds: dict[int, Selector] = field(default_factory=dict)

    def all_keys(self) -> list[Key]:
        return sorted({row.key for row in self.rows})

    def last(self) -> int:
        return self.operations[-1].id if self.operations else 0

    def matching(self, selector: Selector) -> set[int]:
        return {row.origin for row in self.rows if selector.names(row)}

    def held(self) -> set[int]:
        return {origin for hold in self.holds.values() for origin in self.matching(hold)}

    def latest_saying(self, origin: int) -> Row | None:
        """A fact as it stands: the saying that was made last."""
        return max((row for row in self.rows if row.origin == origin), key=lambda row: row.recorded_in, default=None)

    def chain(self, key: Key, known_at: int, *, temporary: bool) -> list[Row]:
        """A track's rows that count at K, in the order in which they follow each other."""
        counting = (row for row in self.rows if row.key == key and row.temporary == temporary and not row.claim)
        return sorted((row for row in counting if row.stood(known_at)), key=lambda row: row.place)

    def winner(self, key: Key, instant: int, known_at: int, *, temporary: bool) -> Row | None:
        learned = [row for row in self.chain(key, known_at, temporary=temporary) if row.learned_at <= instant]
        return learned[-1] if learned else None

    def answer(self, key: Key, instant: int, known_at: int) -> Row | None:
        """The answer's row of a key at (T, K), whatever its state."""
        over = self.winner(key, instant, known_at, temporary=True)
        if over is not None and not over.expired(instant):
            return over
        return self.winner(key, instant, known_at, temporary=False)

    def read(self, key: Key, instant: int, known_at: int, *, audit: bool = False) -> Row | None:
        """What a reader gets for one key at (T, K)."""
        row = self.answer(key, instant, known_at)
        if row is None or row.expired(instant) or row.hole or row.withheld(known_at, audit=audit):
            return None
        return row

    def everything(self, instant: int, known_at: int, *, audit: bool = False) -> dict[Key, Row]:
        found = {key: self.read(key, instant, known_at, audit=audit) for key in self.all_keys()}
        return {key: row for key, row in found.items() if row is not None}

    def incomplete(self, key: Key, instant: int, known_at: int) -> int | None:
        """Where the hole of retention ends that would have answered at (T, K), if one would."""
        row = self.answer(key, instant, known_at)
        if row is None or row.hole != "retention" or row.expired(instant):
            return None
        follower = self.follower(row, known_at)
        ends = [end for end in (row.expires_at, follower and follower.learned_at) if end is not None]
        return min(ends, default=None)

    def follower(self, row: Row, known_at: int) -> Row | None:
        """The row that follows in the chain known at K."""
        if row.claim or not row.stood(known_at):
            return None
        later = [other for other in self.chain(row.key, known_at, temporary=row.temporary) if other.place > row.place]
        return later[0] if later else None

    def contested(self, row: Row, instant: int, known_at: int, *, audit: bool = False) -> bool:
        """True while a claim of another value was open at (T, K)."""
        return any(claim.value != row.value for claim in self.open_claims(row.key, instant, known_at, audit=audit))

    def open_claims(self, key: Key, instant: int, known_at: int, *, audit: bool = False) -> list[Row]:
        """Claims of a key open at (T, K) that a reader may see."""
        told = [row for row in self.rows if row.claim and row.key == key and row.stood(known_at) and not row.hole]
        open_then = [row for row in told if row.learned_at <= instant and not row.expired(instant)]
        return [row for row in open_then if not row.withheld(known_at, audit=audit)]

    def last_sayings(self, known_at: int) -> list[Row]:
        """Every fact recorded by K, as it was said last, holes left out."""
        told: dict[int, Row] = {}
        for row in sorted(self.rows, key=lambda row: row.recorded_in):
            if row.recorded_in <= known_at and not row.hole:
                told[row.origin] = row
        return list(told.values())

    def touched_by(self, row: Row, known_at: int) -> int:
        """The last operation told of by K that touched a saying."""
        marks = {mark for stretch in row.stretches for mark in stretch} | {row.recorded_in, row.retracted_in}
        return max(mark for mark in marks if mark is not None and mark <= known_at)

    def status(self, row: Row, instant: int, known_at: int) -> str:
        """The first that applies, for an auditor, of a saying recorded by K."""
        if not row.stood(known_at):
            return "retracted"
        if row.withheld(known_at, audit=True):
            return "forgotten"
        if row.claim:
            return "claim"
        if row.learned_at > instant:
            return "scheduled"
        if self.read(row.key, instant, known_at, audit=True) is row:
            return "current"
        return self._past_status(row, instant, known_at)

    def _past_status(self, row: Row, instant: int, known_at: int) -> str:
        overtaken = self.winner(row.key, instant, known_at, temporary=row.temporary) is not row
        if not overtaken and not row.expired(instant):
            return "covered"
        return "superseded" if overtaken else "expired"
