"""The questions one can ask of facts: each returns a QuerySet, so that they compose, and reads (T, K) as one.

At (T, K) a row counts when it was recorded by K, not retracted by K, is no claim and was learned by T. On each of a
key's two tracks the row with the greatest (learned_at, origin) wins; an unexpired temporary winner is the answer's
row, else the standing winner.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.db import models
from django.db.models import Exists, F, OuterRef, Q, Subquery, Value
from django.db.models.functions import StrIndex

from brain.time import AsOf

if TYPE_CHECKING:
    from brain.models import Fact  # noqa: F401  (named in the base class)

VALUE_ENDS, SOURCE_ENDS = "\x1c", "\x1d"  # separators inside Fact.folded; refused in every text, so never in a query


def big(number: int) -> Value:
    """A number in an expression: bound server-side as a plain int it would be cut to 32 bits on PostgreSQL."""
    return Value(number, output_field=models.BigIntegerField())


def told(known_at: int) -> Q:
    """Rows that stood at K: recorded by it and not unsaid by it."""
    return Q(recorded_in__lte=known_at) & (Q(retracted_in__isnull=True) | Q(retracted_in__gt=known_at))


def under(scope: str, field: str = "key__scope") -> Q:
    """Rows whose scope is `scope` or lies below it."""
    if scope == "/":
        return Q()
    return Q(**{field: scope}) | Q(**{f"{field}__gte": scope + "/", f"{field}__lt": scope + "0"})


def unexpired(instant: int) -> Q:
    return Q(expires_at__isnull=True) | Q(expires_at__gt=instant)


def withheld(at: AsOf, *, audit: bool) -> Q:
    """Rows withheld from this reader: forgotten ones at every K, or for `audit` only at the K that saw them so."""
    forgotten = Q(forgotten_in__isnull=False)
    if at.latest:
        return forgotten & Q(restored_in__isnull=True)
    now_forgotten = forgotten & Q(restored_in__isnull=True)
    then = forgotten & Q(forgotten_in__lte=at.known_at) & (Q(restored_in__isnull=True) | Q(restored_in__gt=at.known_at))
    earlier = Q(
        Exists(_withholdings().filter(fact=OuterRef("pk"), forgotten_in__lte=at.known_at, restored_in__gt=at.known_at))
    )
    return (then | earlier) if audit else (now_forgotten | then | earlier)


def _withholdings() -> models.QuerySet[models.Model]:
    from brain.models import EarlierWithholding

    return EarlierWithholding.objects.order_by()


class FactQuerySet(models.QuerySet["Fact"]):
    """QuerySets over sayings. `at` is always an AsOf; scopes are canonical; texts are normalised before they come."""

    # -- which keys and where

    def within(self, scope: str, *, recursive: bool) -> Self:
        return self.filter(under(scope)) if recursive else self.filter(key__scope=scope)

    def about(self, subject: str, predicate: str | None = None) -> Self:
        found = self.filter(key__subject=subject)
        return found if predicate is None else found.filter(key__predicate=predicate)

    def matching(self, words: str) -> Self:
        """Rows whose subject, predicate, value, source or writer contains `words`, case-folded."""
        folded = words.casefold()
        return self.alias(
            _in_text=StrIndex(F("folded"), Value(folded)),
            _in_subject=StrIndex(F("key__subject_folded"), Value(folded)),
            _in_predicate=StrIndex(F("key__predicate_folded"), Value(folded)),
        ).filter(Q(_in_text__gt=0) | Q(_in_subject__gt=0) | Q(_in_predicate__gt=0))

    def with_value_like(self, words: str) -> Self:
        """Rows whose value contains `words`, case-folded."""
        return self.alias(
            _at=StrIndex(F("folded"), Value(words.casefold())), _end=StrIndex(F("folded"), Value(VALUE_ENDS))
        ).filter(_at__gt=0, _at__lt=F("_end"))

    def from_source(self, source: str) -> Self:
        return self.alias(_source=StrIndex(F("folded"), Value(f"{VALUE_ENDS}{source.casefold()}{SOURCE_ENDS}"))).filter(
            _source__gt=0
        )

    def by_writer(self, writer: str) -> Self:
        return self.filter(folded__endswith=f"{SOURCE_ENDS}{writer.casefold()}")

    # -- what had been told

    def told_by(self, at: AsOf) -> Self:
        """Every saying that stood at K, claims and holes included."""
        return self.filter(retracted_in__isnull=True) if at.latest else self.filter(told(at.known_at))

    def recorded_by(self, at: AsOf) -> Self:
        """Every saying recorded by K, later unsaid ones included: the rows of a history."""
        return self if at.latest else self.filter(recorded_in__lte=at.known_at)

    def in_chains(self, at: AsOf) -> Self:
        """The rows that count at K: told, no claims."""
        return self.told_by(at).filter(claim=False)

    def content(self) -> Self:
        """Rows that still say something: no holes."""
        return self.filter(erasure__isnull=True)

    def visible(self, at: AsOf, *, audit: bool = False) -> Self:
        """Rows that this reader's answers may return."""
        return self.content().exclude(withheld(at, audit=audit))

    def existing(self, *, audit: bool) -> Self:
        """Rows that exist for this reader in lists and histories: forgotten ones for `audit` only."""
        found = self.content()
        return found if audit else found.exclude(forgotten_in__isnull=False, restored_in__isnull=True)

    # -- what held

    def winners(self, at: AsOf) -> Self:
        """The winner of each track at (T, K), whatever its state: at most two rows a key."""
        rows = self.in_chains(at).filter(learned_at__lte=at.as_of)
        if at.latest:
            return rows.filter(Q(superseded_at__isnull=True) | Q(superseded_at__gt=at.as_of))
        later = (
            self.model.objects.in_chains(at)
            .filter(key=OuterRef("key"), temporary=OuterRef("temporary"), learned_at__lte=at.as_of)
            .order_by("-learned_at", "-origin_id")
            .values("pk")[:1]
        )
        return rows.filter(pk=Subquery(later))

    def answering(self, at: AsOf) -> Self:
        """The answer's row of each key at (T, K), even when expired, a hole or forgotten: at most one row a key."""
        lying_over = Q(temporary=True, expires_at__gt=at.as_of)
        covered = self.model.objects.winners(at).filter(lying_over).order_by().values("key")
        return self.winners(at).filter(lying_over | (Q(temporary=False) & ~Q(key__in=covered)))

    def as_of(self, at: AsOf, *, audit: bool = False) -> Self:
        """What a recall returns at (T, K): at most one row per key."""
        return self.answering(at).filter(unexpired(at.as_of)).visible(at, audit=audit)

    def open_claims(self, at: AsOf) -> Self:
        """Claims open at K, learned by T and not expired by T."""
        return self.told_by(at).filter(unexpired(at.as_of), claim=True, learned_at__lte=at.as_of)

    def contested(self, at: AsOf, *, audit: bool = False) -> Self:
        """Answers against which a claim of another value is open at (T, K)."""
        claims = self.model.objects.open_claims(at).visible(at, audit=audit).order_by()
        answers = self.model.objects.as_of(at, audit=audit).filter(key__in=claims.values("key")).order_by()
        disagreeing = claims.filter(key=OuterRef("key")).exclude(value=OuterRef("value"))
        return self.filter(Exists(disagreeing), pk__in=answers.values("pk"))

    def running_out(self, after: int, by: int) -> Self:
        """Rows whose expiry lies in (after, by]."""
        return self.filter(expires_at__gt=after, expires_at__lte=by)

    def erased_answers(self, at: AsOf) -> Self:
        """Holes left by retention that would have answered at (T, K)."""
        return self.answering(at).filter(unexpired(at.as_of), erasure="retention")

    def overlapping(self, start: int, end: int) -> Self:
        """Rows whose period meets [start, end), by the links of now."""
        return self.filter(
            Q(superseded_at__isnull=True) | Q(superseded_at__gt=start),
            Q(expires_at__isnull=True) | Q(expires_at__gt=start),
            learned_at__lt=end,
        )
