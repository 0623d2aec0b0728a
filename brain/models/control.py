"""What operators put round the facts: scopes, holds, blocks; and the long work that they start."""

from __future__ import annotations

from django.db import models

from brain.models.fields import ExactText
from brain.models.journal import Operation


class Scope(models.Model):
    """A folder of facts, made by the first write; it may be frozen (no operations) or tombstoned (no new writes)."""

    name = ExactText(primary_key=True)
    registered_in = models.ForeignKey(Operation, on_delete=models.PROTECT, related_name="+")
    frozen_in = models.ForeignKey(Operation, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    tombstoned_in = models.ForeignKey(Operation, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        db_table = "scope"
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class LegalHold(models.Model):
    """Facts that match `selector` cannot be forgotten until the hold is lifted."""

    selector = models.JSONField()
    scope = ExactText(default="/")
    reason = ExactText()
    placed_by = ExactText()
    placed_in = models.ForeignKey(Operation, on_delete=models.PROTECT, related_name="+")
    lifted_in = models.ForeignKey(Operation, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        db_table = "legal_hold"
        ordering = ["id"]

    def __str__(self) -> str:
        return f"hold {self.pk}"


class BlockKey(models.Model):
    """The key of the hashes in `BlockedValue`, made once per brain."""

    secret = ExactText()

    class Meta:
        db_table = "block_key"

    def __str__(self) -> str:
        return "block key"


class BlockedValue(models.Model):
    """A keyed hash of a key and value that may not be taught again."""

    hash = ExactText(primary_key=True)
    blocked_in = models.ForeignKey(Operation, on_delete=models.PROTECT, related_name="+")

    class Meta:
        db_table = "blocked_value"

    def __str__(self) -> str:
        return self.hash[:12]


class ImportedFile(models.Model):
    """The digest of a file that was imported, so that the same file is noticed."""

    digest = ExactText(db_index=True)
    name = ExactText()
    rows = models.BigIntegerField()
    imported_in = models.ForeignKey(Operation, on_delete=models.PROTECT, related_name="+")

    class Meta:
        db_table = "imported_file"
        ordering = ["id"]

    def __str__(self) -> str:
        return self.name


class Job(models.Model):
    """Long work: what was asked, how far it is, and what came of it. Instants are epoch milliseconds."""

    RUNNING, DONE, STOPPED, FAILED = "running", "done", "stopped", "failed"

    kind = ExactText()
    state = ExactText(default=RUNNING)
    actor = ExactText()
    scope = ExactText(default="/")
    request = models.JSONField(default=dict)
    total = models.BigIntegerField(default=0)
    done = models.BigIntegerField(default=0)
    result = models.JSONField(default=dict)
    operation = models.ForeignKey(Operation, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.BigIntegerField()
    updated_at = models.BigIntegerField()

    class Meta:
        db_table = "job"
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"job {self.pk} ({self.state})"
