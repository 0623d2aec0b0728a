"""The time bar, one for the whole site: the instant in words, the scale of the brain's life, and the ways to move."""

from __future__ import annotations

from functools import cached_property

from django.http import HttpRequest

from brain.timeline import Timeline, timeline
from dashboard import when
from dashboard.charts import Axis, Bar, Scale, axis, histogram, scale
from dashboard.drawing import Drawn
from dashboard.reading import Reading, address

CHANGING = ("reading", "steps", "clock")  # partials of timebar.html that change with the instant
BESIDE = (*(f"timebar.html#{name}" for name in CHANGING), "masthead.html#nav")
TENSES = {"now": "Now", "past": "Past", "ahead": "Ahead"}
CLOCKS = ("as_of", "known_at")


class TimeBar:
    """The context of timebar.html, as `time`. What only the whole page draws is computed when it is drawn."""

    def __init__(self, request: HttpRequest, reading: Reading) -> None:
        self.request, self.reading = request, reading
        self.tense, self.query = reading.tense, reading.query
        self.at, self.now, self.errors = reading.at.as_of, reading.now, reading.errors
        self.audit = reading.reader.audit

    @property
    def word(self) -> str:
        return TENSES[self.tense]

    @property
    def typed(self) -> str:
        words = when.minute if self.reading.chosen is None else when.exact
        return words(self.at, self.reading.zone)

    @property
    def entered(self) -> str:
        """What the field shows: what was typed, as long as it was not understood."""
        return self.request.GET.get("as_of", "") if "as_of" in self.errors else self.typed

    @property
    def known_entered(self) -> str:
        if "known_at" in self.errors:
            return self.request.GET.get("known_at", "")
        told, known = self.reading.known_instant, self.reading.known
        return known if told is None or known.startswith("op:") else when.exact(told, self.reading.zone)

    @property
    def known_words(self) -> str:
        """Now, or 3 Mar 2026, 10:05 GMT, or op:17 with its instant."""
        told, known = self.reading.known_instant, self.reading.known
        if not known:
            return "now"
        words = when.moment(told, self.reading.zone) if told is not None else "before the first operation"
        return f"{known}, {words}" if known.startswith("op:") else words

    @property
    def sentence(self) -> str:
        off = "" if self.tense == "now" else " Editing is off."
        if not self.reading.known:
            held = {"now": "What holds at this moment.", "past": "What we now say held then."}
            return held.get(self.tense, "What will hold then, as far as anybody has said.") + off
        if self.reading.known_instant == self.at:
            return f"What the brain had been told by {self.known_words}.{off}"
        return f"What the brain said of this instant, going by what it had been told by {self.known_words}.{off}"

    @property
    def suffix(self) -> str:
        """What a heading adds: nothing now, else " as of 9 February 2026"."""
        zone, chosen, told = self.reading.zone, self.reading.chosen, self.reading.known_instant
        if chosen is not None:
            return f" as of {when.heading(chosen, zone)}"
        return f" as known by {when.heading(told, zone)}" if told is not None else ""

    @property
    def return_address(self) -> str:
        return address(self.request, as_of="", known_at="", cursor="")

    @property
    def step_address(self) -> str:
        """Ends in `step=`, so that a number can follow."""
        here = address(self.request, cursor="")
        return f"{here}{'&' if '?' in here else '?'}step="

    @property
    def same_clock_address(self) -> str:
        return address(self.request, cursor="", known_at="as_of")

    @property
    def kept(self) -> list[tuple[str, str]]:
        """The page's parameters that stay when a clock is set."""
        dropped = {*CLOCKS, "cursor"}
        return [(name, text) for name, texts in self.request.GET.lists() if name not in dropped for text in texts]

    @cached_property
    def span(self) -> Timeline:
        return timeline(self.reading.reader, self.reading.at, start=0, end=0)

    @cached_property
    def scale(self) -> Scale:
        return scale(self.span.first, self.span.last, self.now, self.reading.zone, shown=self.at)

    @cached_property
    def bars(self) -> list[Bar]:
        on, read = self.scale, self.reading
        counted = timeline(read.reader, read.at, start=on.start, end=on.end, buckets=on.buckets)
        return histogram(counted.buckets, on, self.at)

    @cached_property
    def axis(self) -> Axis:
        return axis(self.scale, self.reading.zone)

    @cached_property
    def drawn(self) -> Drawn:
        return Drawn(self.scale, self.at, self.now, self.reading.zone, self.span.erased)

    @property
    def erased_until(self) -> int | None:
        return max((end for _, end in self.span.erased), default=None)

    @property
    def note_fits(self) -> bool:
        """Whether the tinted future is wide enough for its word, away from a wide hatch's."""
        return self.scale.at(self.now) < 88

    @property
    def has_scheduled(self) -> bool:
        return self.span.last is not None and self.span.last > self.now

    @property
    def first(self) -> int:
        return self.span.first if self.span.first is not None else self.scale.start
