"""A track's rows that count form one chain, ordered by (learned_at, origin): this module alone sets its links.

The unique constraint allows one row without successor per track at any moment, so a new tail is named in its
predecessor before it is inserted (foreign keys are checked at commit).
"""

from __future__ import annotations

from django.db import connection
from django.db.models import Q, QuerySet

from brain.models import Fact


def track(key_id: int, *, temporary: bool) -> QuerySet[Fact]:
    """The rows of a track that count now, in the order of the chain."""
    return Fact.objects.filter(key_id=key_id, temporary=temporary, retracted_in__isnull=True, claim=False).order_by(
        "learned_at", "origin_id"
    )


def before(row: Fact) -> Fact | None:
    """The row that `row` follows, or would follow, on its track."""
    earlier = Q(learned_at__lt=row.learned_at) | Q(learned_at=row.learned_at, origin_id__lt=row.origin_id)
    return track(row.key_id, temporary=row.temporary).filter(earlier, learned_at__lte=row.learned_at).last()


def after(row: Fact) -> Fact | None:
    """The row that follows `row`, or would, on its track."""
    later = Q(learned_at__gt=row.learned_at) | Q(learned_at=row.learned_at, origin_id__gt=row.origin_id)
    return track(row.key_id, temporary=row.temporary).filter(later, learned_at__gte=row.learned_at).first()


def attach(row: Fact) -> tuple[Fact | None, Fact | None]:
    """Inserts an unsaved row at its place; answers its neighbours."""
    previous, following = before(row), after(row)
    if following is not None:
        row.superseded_by_id, row.superseded_at = following.pk, following.learned_at
    if previous is not None:
        Fact.objects.filter(pk=previous.pk).update(superseded_by=row.pk, superseded_at=row.learned_at)
    row.save(force_insert=True)
    return previous, following


def detach(row: Fact, operation_id: int) -> None:
    """Marks a row unsaid and closes the chain over it; its own links go with it."""
    successor, instant = row.superseded_by_id, row.superseded_at
    row.retracted_in_id, row.superseded_by_id, row.superseded_at = operation_id, None, None
    row.save(update_fields=["retracted_in", "superseded_by", "superseded_at"])
    Fact.objects.filter(superseded_by=row.pk).exclude(pk=row.pk).update(superseded_by=successor, superseded_at=instant)


def replace(row: Fact, copy: Fact, operation_id: int) -> None:
    """Unsays `row` and inserts `copy`, a saying of the same origin and instant, in its place in the chain."""
    copy.superseded_by_id, copy.superseded_at = row.superseded_by_id, row.superseded_at
    row.retracted_in_id, row.superseded_by_id, row.superseded_at = operation_id, None, None
    row.save(update_fields=["retracted_in", "superseded_by", "superseded_at"])
    Fact.objects.filter(superseded_by=row.pk).update(superseded_by=copy.pk)
    copy.save(force_insert=True)


# `claim = FALSE`, not `NOT claim`: so SQLite reads the tracks in the order of their index. The sign keeps it from
# looking through every open row of the brain.
CLOSE_ENDS = """
UPDATE fact SET superseded_by = id, superseded_at = learned_at
WHERE +superseded_by IS NULL AND retracted_in IS NULL AND claim = FALSE AND "key" IN ({keys}) AND EXISTS (
    SELECT 1 FROM fact AS later
    WHERE later."key" = fact."key" AND later.claim = FALSE AND later.temporary = fact.temporary
      AND later.retracted_in IS NULL AND (later.learned_at, later.origin) > (fact.learned_at, fact.origin))
"""
RELINK = """
UPDATE fact SET superseded_by = n.following, superseded_at = n.instant
FROM (
    SELECT id, following, instant FROM (
        SELECT id, superseded_by, superseded_at, LEAD(id) OVER w AS following, LEAD(learned_at) OVER w AS instant
        FROM fact WHERE retracted_in IS NULL AND claim = FALSE AND "key" IN ({keys})
        WINDOW w AS (PARTITION BY "key", temporary ORDER BY learned_at, origin)
    ) AS chained
    WHERE superseded_by IS DISTINCT FROM following OR superseded_at IS DISTINCT FROM instant
) AS n
WHERE fact.id = n.id
"""


def relink(keys: str, parameters: list[int]) -> None:
    """Rebuilds the chains of the keys that the SQL `keys` selects, however many; closes the open rows that are no
    ends any more first, since two may be open for a moment while rows are relinked one after the other."""
    with connection.cursor() as cursor:
        cursor.execute(CLOSE_ENDS.format(keys=keys), parameters)
        cursor.execute(RELINK.format(keys=keys), parameters)
