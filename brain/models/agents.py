"""What agents carry and leave behind: tokens, receipts, approvals, answers kept for a repeated request."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from brain.models.fields import ExactText
from brain.models.journal import Operation


class AgentToken(models.Model):
    """A bearer token, stored as a hash. Instants are epoch milliseconds; `rate` is requests a second, 0 = no limit."""

    name = ExactText(unique=True)
    hash = ExactText(unique=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True)
    grants = models.JSONField(default=list)
    scope = ExactText(default="/")
    as_of = models.BigIntegerField(null=True, blank=True)
    expires_at = models.BigIntegerField(null=True, blank=True)
    rate = models.IntegerField(default=200)
    created_at = models.BigIntegerField()
    revoked_at = models.BigIntegerField(null=True, blank=True)

    class Meta:
        db_table = "agent_token"
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Receipt(models.Model):
    """What one recall or search served to an agent, and what the agent then said.

    `query` is the question as it was asked; `words` its texts and the answer, case-folded, for filters and erasing.
    Once `erased`, neither holds anything but the kind of question; the ids of the facts stay.
    """

    id = ExactText(primary_key=True)
    at = models.BigIntegerField()
    agent = ExactText()
    scope = ExactText(default="/")
    query = models.JSONField(default=dict)
    as_of = models.BigIntegerField()
    known_at = models.BigIntegerField()
    fact_ids = models.JSONField(default=list)
    answer = ExactText(null=True, blank=True)  # type: ignore[misc]
    answered_at = models.BigIntegerField(null=True, blank=True)
    words = ExactText(blank=True, default="")
    erased = models.BooleanField(default=False)

    class Meta:
        db_table = "receipt"
        ordering = ["-at", "id"]
        indexes = [
            models.Index(fields=["at", "id"], name="receipt_at"),
            models.Index(fields=["agent", "at"], name="receipt_agent"),
        ]

    def __str__(self) -> str:
        return self.id


class ReceiptFact(models.Model):
    """Which facts a receipt named: the way back from a fact to what was said of it."""

    receipt = models.ForeignKey(Receipt, on_delete=models.CASCADE, related_name="served", db_index=False)
    fact = models.BigIntegerField(db_index=True)

    class Meta:
        db_table = "receipt_fact"
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["receipt", "fact"], name="receipt_names_a_fact_once")]

    def __str__(self) -> str:
        return f"{self.receipt_id} · {self.fact}"


class DrainedSpool(models.Model):
    """A file of the spool whose receipts are here, until the file is gone: so none of them comes in twice."""

    name = ExactText(primary_key=True)

    class Meta:
        db_table = "drained_spool"

    def __str__(self) -> str:
        return self.name


class Approval(models.Model):
    """A delete that an agent asked for, waiting for a person; bound to the state of the fact that was shown."""

    PENDING, EXECUTED, REJECTED, EXPIRED, STALE, FAILED = (
        "pending",
        "executed",
        "rejected",
        "expired",
        "stale",
        "failed",
    )

    fact = models.BigIntegerField(db_index=True)
    fact_operation = models.BigIntegerField()
    scope = ExactText(default="/")
    agent = ExactText()
    owner = ExactText(blank=True, default="", help_text="whose token asked: one of those who may not approve")
    reason = ExactText(blank=True)
    state = ExactText(default=PENDING)
    asked_at = models.BigIntegerField()
    expires_at = models.BigIntegerField()
    decided_at = models.BigIntegerField(null=True, blank=True)
    decided_by = ExactText(blank=True)
    decision_reason = ExactText(blank=True)
    detail = ExactText(blank=True, default="", help_text="why an approved delete failed")
    operation = models.ForeignKey(Operation, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        db_table = "approval"
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["fact", "agent"], condition=models.Q(state="pending"), name="approval_one_pending_per_fact"
            ),
        ]

    def __str__(self) -> str:
        return f"approval {self.pk} ({self.state})"


class IdempotentAnswer(models.Model):
    """The answer to a write that carried an Idempotency-Key, stored in the write's own transaction."""

    hash = ExactText(primary_key=True, help_text="of token, method, path and key")
    body_hash = ExactText()
    status = models.IntegerField()
    answer = ExactText()
    operation = models.ForeignKey(Operation, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    at = models.BigIntegerField(db_index=True)

    class Meta:
        db_table = "idempotent_answer"

    def __str__(self) -> str:
        return self.hash[:12]
