"""What stands between a writer and the facts: frozen scopes, tombstones, blocked values."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable

from django.db import connection

from brain.errors import BlockedByForget, Conflict, Frozen
from brain.models import BlockedValue, BlockKey, Fact, Scope
from brain.querysets import under
from brain.saying import Saying

SCOPES = "SELECT * FROM scope WHERE name IN ({})"


def line(scope: str) -> list[str]:
    """The scope itself and all above it, root first."""
    names = scope.strip("/").split("/") if scope != "/" else []
    return ["/", *("/" + "/".join(names[: n + 1]) for n in range(len(names)))]


def refuse_frozen(scopes: Iterable[str]) -> None:
    """Raises Frozen when any of the scopes, or one above it, is frozen."""
    lines = {name for scope in scopes for name in line(scope)}
    frozen = Scope.objects.filter(frozen_in__isnull=False).values_list("name", flat=True)
    if met := sorted(lines.intersection(frozen)):
        raise Frozen(f"the scope {met[0]} is frozen; nothing was changed")


def refuse_frozen_below(scope: str) -> None:
    """Raises Frozen when the scope, one above it or one below it is frozen."""
    refuse_frozen([scope])
    below = Scope.objects.filter(under(scope, "name"), frozen_in__isnull=False).order_by("name").first()
    if below is not None:
        raise Frozen(f"the scope {below.name} is frozen; nothing was changed")


class Guard:
    """What stands in the way of new sayings, looked up once for all of an operation's; makes scopes on their way."""

    def __init__(self, entry_id: int, scopes: Iterable[str]) -> None:
        self.entry_id = entry_id
        lines = {"/", *(name for scope in scopes for name in line(scope))}
        places = ", ".join(["%s"] * len(lines))
        self.known = {scope.name: scope for scope in Scope.objects.raw(SCOPES.format(places), list(lines))}
        self.blocks = any_blocks()

    def refuse(self, said: Saying) -> None:
        """Raises Frozen, BlockedByForget or Conflict (a tombstone), in this order."""
        above = [self.known[name] for name in line(said.scope) if name in self.known]
        if frozen := next((scope for scope in above if scope.frozen_in_id is not None), None):
            raise Frozen(f"the scope {frozen.name} is frozen; nothing was changed")
        if self.blocks:
            refuse_blocked(said.scope, said.subject, said.predicate, said.value)
        if gone := next((scope for scope in above if scope.tombstoned_in_id is not None), None):
            raise Conflict(f"the scope {gone.name} is tombstoned and takes no new writes")

    def make(self, scope: str) -> None:
        """Registers the scope of a fact that is being written."""
        if scope not in self.known:
            self.known[scope] = Scope.objects.create(name=scope, registered_in_id=self.entry_id)


Told = tuple[str, str, str, str]  # scope, subject, predicate, value


def block_hashes(told: Iterable[Told]) -> dict[Told, str]:
    """The keyed hashes by which forgotten keys and values are recognised, compared case-folded."""
    secret = bytes.fromhex(BlockKey.objects.values_list("secret", flat=True).first() or _new_secret())
    return {one: hmac.new(secret, "\x1f".join(one).casefold().encode(), hashlib.sha256).hexdigest() for one in told}


def _new_secret() -> str:
    secret = secrets.token_hex(32)
    BlockKey.objects.create(secret=secret)
    return secret


def any_blocks() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM blocked_value LIMIT 1")
        return cursor.fetchone() is not None


def blocked(told: Iterable[Told]) -> set[Told]:
    """Those of these keys and values that may not be said again."""
    if not any_blocks():
        return set()
    hashes = block_hashes(told)
    found = set(BlockedValue.objects.filter(pk__in=set(hashes.values())).values_list("pk", flat=True))
    return {one for one, value in hashes.items() if value in found}


def refuse_blocked(scope: str, subject: str, predicate: str, value: str) -> None:
    if blocked([(scope, subject, predicate, value)]):
        raise BlockedByForget("this value was forgotten for this key and may not be taught again")


def block(rows: Iterable[Fact], operation_id: int) -> None:
    """Keeps the keyed hashes of these rows, so that they are recognised once their content is gone."""
    hashes = block_hashes((row.key.scope, row.key.subject, row.key.predicate, row.value) for row in rows)
    BlockedValue.objects.bulk_create(
        [BlockedValue(hash=value, blocked_in_id=operation_id) for value in sorted(set(hashes.values()))],
        ignore_conflicts=True,
    )
