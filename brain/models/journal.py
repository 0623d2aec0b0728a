"""The journal: one row an operation, ids in the order of commits, each row hashing the one before it."""

from __future__ import annotations

from django.db import models

from brain.models.fields import ExactText


class Operation(models.Model):
    """One transaction's worth of writing.

    `at` is epoch milliseconds and never decreases with `id`. The hash covers the row's own columns, the hash before
    it, and salted digests of `reason`, of `details` with `scope`, and of the sayings it touched; so content can be
    erased together with its salt while the chain still verifies.
    """

    id = models.BigAutoField(primary_key=True)  # given out by the journal, without gaps
    at = models.BigIntegerField()
    actor = ExactText()
    kind = ExactText()
    scope = ExactText()
    reason = ExactText(blank=True)
    details = models.JSONField(default=dict)
    counts = models.JSONField(default=dict)
    last_fact = models.BigIntegerField(help_text="the highest fact id given out so far: ids are never given twice")
    contents_digest = ExactText()
    reason_digest = ExactText()
    reason_salt = ExactText(blank=True)
    details_digest = ExactText()
    details_salt = ExactText(blank=True)
    erased = models.BigIntegerField(default=0, help_text="sayings touched here whose rows are gone")
    previous_hash = ExactText()
    hash = ExactText()

    class Meta:
        db_table = "operation"
        ordering = ["id"]
        indexes = [
            models.Index(fields=["at", "id"], name="operation_at"),
            models.Index(fields=["actor", "id"], name="operation_actor"),
            models.Index(fields=["kind", "id"], name="operation_kind"),
        ]
        constraints = [
            models.CheckConstraint(condition=models.Q(id__gt=0), name="operation_ids_start_at_one"),
            models.UniqueConstraint(fields=["previous_hash"], name="operation_follows_one_other"),
        ]

    def __str__(self) -> str:
        return f"op:{self.pk} {self.kind}"
