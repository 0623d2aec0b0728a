"""Facts and their keys: one row of `fact` is one saying, and the content of a row is never edited."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from brain.models.fields import ExactText
from brain.models.journal import Operation
from brain.querysets import FactQuerySet

MARKS = ("erasure", "forgotten_in", "restored_in", "retracted_in")  # what keeps a row from a reader


class Key(models.Model):
    """What facts are about: (scope, subject, predicate), compared exactly; the folded texts find look-alikes."""

    scope = ExactText()
    subject = ExactText()
    predicate = ExactText()
    subject_folded = ExactText()
    predicate_folded = ExactText()

    class Meta:
        db_table = "fact_key"
        ordering = ["subject", "predicate", "scope", "id"]
        constraints = [
            models.UniqueConstraint(fields=["scope", "subject", "predicate"], name="key_is_unique"),
        ]
        indexes = [
            models.Index(fields=["subject", "predicate", "scope", "id"], name="key_by_subject"),
            models.Index(fields=["subject_folded"], name="key_by_folded_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.scope} · {self.subject} · {self.predicate}"


def _operation(column: str, related_name: str) -> models.ForeignKey[Operation | None, Operation | None]:
    """A nullable link to the operation that changed the row's standing; indexed below, where it is not null."""
    return models.ForeignKey(
        Operation,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name=related_name,
        db_column=column,
        db_index=False,
    )


class Fact(models.Model):
    """One saying: source S, through writer W, said that PREDICATE of SUBJECT is VALUE, from `learned_at` on.

    Instants are epoch milliseconds. `origin` is the row in which the fact was first said, and the id that every door
    shows. Not retracted, unclaimed rows of a key and track form a chain over `superseded_by`; `superseded_at` is the
    `learned_at` of the next. A hole (`erasure` not null) keeps key and period of a row whose content is gone.
    """

    PURGE, RETENTION = "purge", "retention"

    id = models.BigAutoField(primary_key=True)  # given out by the journal; on SQLite it must alias the rowid
    key = models.ForeignKey(Key, on_delete=models.PROTECT, related_name="facts", db_column="key", db_index=False)
    value = ExactText()
    source = ExactText()
    written_by = ExactText()
    learned_at = models.BigIntegerField()
    expires_at = models.BigIntegerField(null=True, blank=True)
    superseded_by = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="follows", db_column="superseded_by"
    )
    superseded_at = models.BigIntegerField(null=True, blank=True)
    temporary = models.BooleanField(default=False)
    origin = models.ForeignKey(
        "self", on_delete=models.DO_NOTHING, related_name="versions", db_column="origin", db_constraint=False
    )  # no constraint: a folded hole outlives the row that its fact was first said in
    recorded_in = models.ForeignKey(
        Operation, on_delete=models.PROTECT, related_name="said", db_column="recorded_in", db_index=False
    )
    retracted_in = _operation("retracted_in", "unsaid")
    forgotten_in = _operation("forgotten_in", "withheld")
    restored_in = _operation("restored_in", "given_back")
    taught_in = models.BigIntegerField(help_text="the operation that first said it: fading counts from it")
    category = ExactText(default="knowledge")
    source_kind = ExactText(default="upsert")
    confidence = models.FloatField(default=1.0)
    claim = models.BooleanField(default=False)
    erasure = ExactText(null=True, blank=True, help_text="what made the row a hole: purge or retention")  # type: ignore[misc]
    folded = ExactText(help_text="case-folded value, source and writer, for text filters")
    salt = ExactText(null=True, blank=True, help_text="null once the content is gone")  # type: ignore[misc]
    digest = ExactText()

    objects = FactQuerySet.as_manager()

    class Meta:
        db_table = "fact"
        ordering = ["learned_at", "origin_id", "id"]
        indexes = [
            models.Index(fields=["key", "claim", "temporary", "learned_at", "origin"], name="fact_by_track"),
            models.Index(fields=["learned_at", "origin", "id"], name="fact_by_learned"),
            models.Index(
                fields=["learned_at", "superseded_at", "expires_at", "temporary", "claim", "key", *MARKS],
                name="fact_live",
                condition=Q(retracted_in__isnull=True),
            ),
            models.Index(
                fields=["key", "id"], name="fact_pending", condition=Q(erasure__isnull=False, salt__isnull=False)
            ),
            models.Index(fields=["recorded_in"], name="fact_by_recorded"),
            models.Index(fields=["retracted_in"], name="fact_by_retracted", condition=Q(retracted_in__isnull=False)),
            models.Index(fields=["forgotten_in"], name="fact_by_forgotten", condition=Q(forgotten_in__isnull=False)),
            models.Index(fields=["restored_in"], name="fact_by_restored", condition=Q(restored_in__isnull=False)),
            models.Index(
                fields=["superseded_at", "expires_at", "claim", *MARKS],
                name="fact_by_superseded",
                condition=Q(retracted_in__isnull=True, superseded_at__isnull=False),
            ),
            models.Index(fields=["expires_at"], name="fact_by_expiry", condition=Q(expires_at__isnull=False)),
            models.Index(  # every read asks which temporary rows lie over others
                fields=["temporary", "expires_at", "learned_at", "superseded_at", "key", "claim"],
                name="fact_lying_over",
                condition=Q(retracted_in__isnull=True, expires_at__isnull=False),
            ),
            models.Index(fields=["key"], name="fact_holes", condition=Q(erasure__isnull=False)),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["key", "temporary"],
                condition=Q(superseded_by__isnull=True, retracted_in__isnull=True, claim=False),
                name="fact_one_open_row_per_key",
            ),
            models.UniqueConstraint(
                fields=["origin"], condition=Q(retracted_in__isnull=True), name="fact_one_open_saying_per_origin"
            ),
            models.CheckConstraint(
                condition=Q(expires_at__isnull=True) | Q(expires_at__gt=F("learned_at")),
                name="fact_expires_after_it_is_learned",
            ),
            models.CheckConstraint(
                condition=Q(temporary=False) | Q(expires_at__isnull=False), name="fact_temporary_rows_expire"
            ),
            models.CheckConstraint(
                condition=Q(superseded_by__isnull=True, superseded_at__isnull=True)
                | Q(superseded_by__isnull=False, superseded_at__isnull=False),
                name="fact_successor_and_its_instant_go_together",
            ),
            models.CheckConstraint(
                condition=Q(learned_at__gte=946_684_800_000, learned_at__lte=253_402_300_799_999),
                name="fact_learned_in_range",
            ),
            models.CheckConstraint(
                condition=Q(confidence__gte=0, confidence__lte=1), name="fact_confidence_is_a_share"
            ),
            models.CheckConstraint(
                condition=Q(category__in=["identity", "knowledge", "context", ""]), name="fact_category_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"fact {self.origin_id}"


class EarlierWithholding(models.Model):
    """A finished stretch of operations in which a row was withheld, kept when it is forgotten once more."""

    fact = models.ForeignKey(Fact, on_delete=models.CASCADE, related_name="earlier_withholdings")
    forgotten_in = models.ForeignKey(Operation, on_delete=models.PROTECT, related_name="+", db_column="forgotten_in")
    restored_in = models.ForeignKey(Operation, on_delete=models.PROTECT, related_name="+", db_column="restored_in")

    class Meta:
        db_table = "earlier_withholding"
        ordering = ["id"]

    def __str__(self) -> str:
        return f"fact {self.fact_id} withheld"
