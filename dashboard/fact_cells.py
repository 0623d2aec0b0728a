"""A fact as a row of a sheet for people: texts as they are, instants in UTC."""

from __future__ import annotations

from brain import time as instants
from brain.describe import FactAt

COLUMNS = ("Subject", "Predicate", "Value", "Scope", "Status", "Source", "Writer", "Category", "Holds from", "Until")


def cells(fact: FactAt) -> list[object]:
    texts = [fact.subject, fact.predicate, fact.value, fact.scope, fact.status, fact.source, fact.written_by]
    ends = "" if fact.expires_at is None else instants.to_text(fact.expires_at)
    return [*texts, fact.category, instants.to_text(fact.learned_at), ends]
