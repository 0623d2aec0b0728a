"""The two clocks of one key as regions: a point (valid time T, operation K) lies in the region of what is read there,
and in none where nothing is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from brain.models import EarlierWithholding, Fact, Key, Operation
from brain.reader import Reader
from brain.time import LATEST

VALUE, WITHHELD, ERASED = "value", "withheld", "erased"
FOREVER = LATEST + 1


@dataclass(frozen=True, slots=True)
class Told:
    """A saying as the map needs it. `recorded`, `retracted` and the ends of `withheld` are operations; `state` is what
    a read of it gives while it is not withheld: VALUE, ERASED, or "" for nothing at all."""

    row: int
    origin: int
    learned_at: int
    expires_at: int | None
    temporary: bool
    recorded: int
    retracted: int | None = None
    withheld: tuple[tuple[int, int | None], ...] = ()
    state: str = VALUE

    def stands(self, known_at: int) -> bool:
        return self.recorded <= known_at and (self.retracted is None or self.retracted > known_at)

    def reads(self, known_at: int) -> str:
        hidden = any(start <= known_at and (end is None or end > known_at) for start, end in self.withheld)
        return WITHHELD if hidden and self.state == VALUE else self.state


@dataclass(frozen=True, slots=True)
class Segment:
    """[start, end) of valid time in which one row is read; `end` is FOREVER where nothing ends it."""

    start: int
    end: int
    row: int
    state: str


@dataclass(frozen=True, slots=True)
class Band:
    """What holds when, as told from operation `known` until right before operation `until` (None: to this day)."""

    known: int
    until: int | None
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class Region:
    """A segment that was told without a change from operation `known` until right before `until`."""

    segment: Segment
    known: int
    until: int | None


@dataclass(frozen=True, slots=True)
class Clocks:
    """A key's bands, oldest first, and when each operation that bounds one happened."""

    bands: list[Band]
    instants: dict[int, int]
    rows: dict[int, Fact]


def two_clocks(key: Key, reader: Reader) -> Clocks:
    """The map of a key as this reader may see it."""
    rows = list(
        Fact.objects.filter(key=key, claim=False).select_related("key", "recorded_in").order_by("learned_at", "pk")
    )
    if reader.pin is not None:
        rows = [row for row in rows if row.learned_at <= reader.pin]
    earlier: dict[int, list[tuple[int, int]]] = {}
    stretches = EarlierWithholding.objects.filter(fact__in=[row.pk for row in rows])
    for fact, start, end in stretches.values_list("fact_id", "forgotten_in_id", "restored_in_id"):
        earlier.setdefault(fact, []).append((start, end))
    found = bands([_told(row, earlier.get(row.pk, []), reader) for row in rows])
    return Clocks(found, _instants(found), {row.pk: row for row in rows})


def _told(row: Fact, earlier: Iterable[tuple[int, int]], reader: Reader) -> Told:
    hidden = row.forgotten_in_id is not None and row.restored_in_id is None
    state = ERASED if row.erasure == Fact.RETENTION else "" if row.erasure or (hidden and not reader.audit) else VALUE
    stretches: list[tuple[int, int | None]] = [*earlier]
    if row.forgotten_in_id is not None:
        stretches.append((row.forgotten_in_id, row.restored_in_id))
    return Told(
        row.pk,
        row.origin_id,
        row.learned_at,
        row.expires_at,
        row.temporary,
        row.recorded_in_id,
        row.retracted_in_id,
        tuple(stretches),
        state,
    )


def _instants(found: Sequence[Band]) -> dict[int, int]:
    named = {band.known for band in found}
    return dict(Operation.objects.filter(pk__in=named).order_by().values_list("pk", "at"))


# -- pure


def bands(told: Sequence[Told]) -> list[Band]:
    """One band between each two operations that changed something for the key."""
    found: list[Band] = []
    events = sorted({operation for saying in told for operation in _events(saying)})
    for known, until in pairwise([*events, None]):
        assert known is not None
        segments = tuple(_segments([saying for saying in told if saying.stands(known)], known))
        if found and found[-1].segments == segments:
            found[-1] = Band(found[-1].known, until, segments)
        else:
            found.append(Band(known, until, segments))
    return found


def regions(found: Sequence[Band]) -> list[Region]:
    """The bands' segments, one region each for as long as it was told without a change."""
    done: list[Region] = []
    open_since: dict[Segment, int] = {}
    for band in found:
        told = set(band.segments)
        for segment in [segment for segment in open_since if segment not in told]:
            done.append(Region(segment, open_since.pop(segment), band.known))
        for segment in band.segments:
            open_since.setdefault(segment, band.known)
    done += [Region(segment, known, None) for segment, known in open_since.items()]
    return sorted(done, key=lambda region: (region.known, region.segment.start))


def diagonal(found: Sequence[Band], instants: dict[int, int], now: int) -> list[Segment]:
    """What was said of each instant at that very instant, up to now: pieces of one row that touch are one."""
    pieces: list[Segment] = []
    for band in found:
        begins = instants[band.known]
        ends = now if band.until is None else instants[band.until]
        for segment in band.segments:
            start, end = max(segment.start, begins), min(segment.end, ends)
            if start >= end:
                continue
            last = pieces[-1] if pieces else None
            if last and (last.row, last.state, last.end) == (segment.row, segment.state, start):
                pieces[-1] = Segment(last.start, end, segment.row, segment.state)
            else:
                pieces.append(Segment(start, end, segment.row, segment.state))
    return pieces


def borders(band: Band) -> Iterator[int]:
    """Instants at which a row begins or ends."""
    for before, after in pairwise([None, *band.segments, None]):
        if after is not None:
            yield after.start
        if before is not None and (after is None or after.start != before.end):
            yield before.end


def _row(segment: Segment | None) -> object:
    return None if segment is None else (segment.row, segment.state)


def differences(
    one: Sequence[Segment], other: Sequence[Segment], *, says: Callable[[Segment | None], object] = _row
) -> Iterator[tuple[int, int]]:
    """Stretches of valid time in which two lines of segments say different things; `says` is what a segment, or none,
    says."""
    cuts = sorted({instant for segment in (*one, *other) for instant in (segment.start, segment.end)})
    i = j = 0
    since: int | None = None
    for start in cuts:
        while i < len(one) and one[i].end <= start:
            i += 1
        while j < len(other) and other[j].end <= start:
            j += 1
        left = one[i] if i < len(one) and one[i].start <= start else None
        right = other[j] if j < len(other) and other[j].start <= start else None
        if says(left) != says(right):
            since = start if since is None else since
        elif since is not None:
            yield since, start
            since = None


def _events(saying: Told) -> Iterator[int]:
    yield saying.recorded
    if saying.retracted is not None:
        yield saying.retracted
    for start, end in saying.withheld:
        yield max(start, saying.recorded)
        if end is not None:
            yield max(end, saying.recorded)


def _segments(standing: Sequence[Told], known_at: int) -> Iterator[Segment]:
    """What is read along valid time: a temporary saying lies over the standing one until it ends."""
    over = list(_track([saying for saying in standing if saying.temporary]))
    for start, end, saying in sorted(
        [*over, *_uncovered([saying for saying in standing if not saying.temporary], over)], key=lambda piece: piece[0]
    ):
        if state := saying.reads(known_at):
            yield Segment(start, end, saying.row, state)


type Piece = tuple[int, int, Told]


def _track(sayings: Sequence[Told]) -> Iterator[Piece]:
    """Each saying of a track from its beginning to the next one's or its own expiry, whichever is earlier."""
    ordered = sorted(sayings, key=lambda saying: (saying.learned_at, saying.origin))
    for saying, following in pairwise([*ordered, None]):
        assert saying is not None
        end = min(
            FOREVER if following is None else following.learned_at,
            FOREVER if saying.expires_at is None else saying.expires_at,
        )
        if saying.learned_at < end:
            yield saying.learned_at, end, saying


def _uncovered(sayings: Sequence[Told], over: Sequence[Piece]) -> Iterator[Piece]:
    for start, end, saying in _track(sayings):
        for begins, ends, _ in over:
            if ends <= start or begins >= end:
                continue
            if begins > start:
                yield start, begins, saying
            start = max(start, ends)
        if start < end:
            yield start, end, saying
