"""What the dashboard itself remembers; nothing here is a fact."""

from __future__ import annotations

from django.db import models


class Verification(models.Model):
    """One check of the journal's chain: up to which operation, when (epoch milliseconds), and what is broken."""

    up_to = models.BigIntegerField()
    at = models.BigIntegerField()
    problems = models.JSONField(default=list)

    class Meta:
        db_table = "verification"
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"verified up to op:{self.up_to}"

    @property
    def sentence(self) -> str:
        if self.problems:
            return "The journal does not verify: what is broken is listed below."
        return f"Checked: the chain, and every law that can be checked, holds up to operation {self.up_to}."
