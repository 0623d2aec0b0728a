"""What search by meaning keeps of a fact: the vector of its text, which goes when its content goes."""

from __future__ import annotations

from django.db import models

from brain.models.fields import ExactText


class FactVector(models.Model):
    """The vector of one fact by one embedding model: little-endian 32-bit floats, of length one."""

    fact = models.BigIntegerField()
    model = ExactText()
    vector = models.BinaryField()

    class Meta:
        db_table = "fact_vector"
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["model", "fact"], name="fact_vector_one_a_model")]
        indexes = [models.Index(fields=["fact"], name="fact_vector_of_fact")]

    def __str__(self) -> str:
        return f"vector of fact {self.fact}"
