"""suggestions: what exists already and contains what somebody is typing, so that one thing keeps one name."""

from __future__ import annotations

from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import StrIndex

from brain import journal
from brain.models import Fact
from brain.querysets import under
from brain.reader import Reader

SUGGESTED = ("subject", "predicate")
MOST = 20


def suggestions(field: str, words: str, *, subject: str, reader: Reader) -> list[str]:
    """Subjects or predicates of facts that this reader's recall would return, the subject's own predicates first; those
    that begin with the words come before those that only contain them."""
    at = journal.resolve(reader=reader)
    rows = Fact.objects.as_of(at, audit=reader.audit).filter(under(reader.scope))
    if field == "predicate" and subject:
        own = _containing(rows.filter(key__subject=subject), "predicate", words)
        return own + [name for name in _containing(rows, field, words) if name not in own][: MOST - len(own)]
    return _containing(rows, field, words)


def _containing(rows: QuerySet[Fact], field: str, words: str) -> list[str]:
    if not words:
        return list(rows.order_by(f"key__{field}").values_list(f"key__{field}", flat=True).distinct()[:MOST])
    folded = words.casefold()
    place = StrIndex(F(f"key__{field}_folded"), Value(folded))
    found = rows.alias(_place=place).filter(_place__gt=0)
    first = _names(found.filter(Q(**{f"key__{field}_folded__startswith": folded})), field)
    return first + [name for name in _names(found, field) if name not in first][: MOST - len(first)]


def _names(rows: QuerySet[Fact], field: str) -> list[str]:
    return list(rows.order_by(f"key__{field}").values_list(f"key__{field}", flat=True).distinct()[:MOST])
