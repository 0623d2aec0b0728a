"""Tokens are stored as hashes and shown once; a name, once given, is never another's: no user's, no other writer's."""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import QuerySet

from brain import saying
from brain.errors import Conflict, Invalid, NotFound
from brain.journal import clock
from brain.models import AgentToken, Fact
from brain.querysets import under
from brain.reader import Reader
from brain.time import in_range
from brain.turns import turn

READ, WRITE, WRITE_AS, CURATED = "memory:read", "memory:write", "write:as", "write:curated"
FORGET, MANAGE, AUDIT, DELETE = "memory:forget", "memory:manage", "audit:read", "delete:direct"
GRANTS = (READ, WRITE, WRITE_AS, CURATED, FORGET, MANAGE, AUDIT, DELETE)
READING = frozenset({READ, AUDIT})  # all that a token with a pinned instant may hold
PREFIX = "pal_"
RATE = 200  # requests a second
MOST_RATE = 1_000_000

# every request asks this, and the ORM takes ten times as long to ask it
CARRIED = ("id", "name", "grants", "scope", "as_of", "expires_at", "rate", "owner_id", "created_at", "hash")
BY_HASH = f"SELECT {', '.join(CARRIED)} FROM agent_token WHERE hash = %s AND revoked_at IS NULL"

log = logging.getLogger(__name__)


def issue(
    name: str,
    *,
    grants: Iterable[str],
    scope: str = "/",
    as_of: int | None = None,
    expires_at: int | None = None,
    owner: User | None = None,
    rate: int = RATE,
) -> tuple[AgentToken, str]:
    """A new token and its text, which is not kept. Instants are epoch milliseconds. Raises Invalid, naming every bad
    field, and Conflict where the name is a user's, a writer's or another token's."""
    name, held, scope = _name(name), frozenset(grants), saying.scope(scope)
    check(held, as_of=as_of, expires_at=expires_at, rate=rate)
    plain = _new_text()
    with turn():
        _refuse_taken(name)
        token = AgentToken.objects.create(
            name=name,
            hash=_hash(plain),
            owner=owner,
            grants=[grant for grant in GRANTS if grant in held],
            scope=scope,
            as_of=as_of,
            expires_at=expires_at,
            rate=rate,
            created_at=clock(),
        )
    log.info("token %r issued with %s in %s", name, ", ".join(token.grants), scope)
    return token, plain


def check(grants: Iterable[str], *, as_of: int | None, expires_at: int | None, rate: int) -> None:
    """Raises Invalid naming every bad field of a token to be."""
    if errors := [*_bad_grants(frozenset(grants), as_of), *_bad_terms(as_of, expires_at, rate)]:
        raise Invalid("; ".join(f"{field}: {message}" for field, message in errors), errors)


def authenticate(plain: str) -> AgentToken | None:
    """The token with this text, unless it is unknown, revoked or has expired."""
    with connection.cursor() as cursor:
        cursor.execute(BY_HASH, [_hash(plain)])
        row = cursor.fetchone()
    token = None if row is None else _carried(row)
    return None if token is None or (token.expires_at is not None and token.expires_at <= clock()) else token


@lru_cache(maxsize=1024)
def _carried(row: tuple[Any, ...]) -> AgentToken:
    """The token of a row; as long as the row stays the same, so does the object."""
    return AgentToken(**dict(zip(CARRIED, row, strict=True)) | {"grants": json.loads(row[2])})


def tokens(reader: Reader) -> QuerySet[AgentToken]:
    """The tokens whose scope lies in the reader's subtree, by name, revoked ones included."""
    return AgentToken.objects.filter(under(reader.scope, "scope")).select_related("owner").order_by("name")


def revoke(name: str, *, reader: Reader) -> AgentToken:
    """From now on the token opens nothing; its name stays taken. Done already: nothing changes. Raises NotFound."""
    with turn():
        token = _existing(name, reader)
        if token.revoked_at is None:
            token.revoked_at = clock()
            token.save(update_fields=["revoked_at"])
            log.info("token %r revoked", name)
    return token


def rotate(name: str, *, reader: Reader) -> str:
    """A new text for a token; the old one opens nothing any more. Raises NotFound, or Conflict when it is revoked."""
    plain = _new_text()
    with turn():
        token = _existing(name, reader)
        if token.revoked_at is not None:
            raise Conflict(f"the token {name} is revoked")
        token.hash = _hash(plain)
        token.save(update_fields=["hash"])
    log.info("token %r rotated", name)
    return plain


def _existing(name: str, reader: Reader) -> AgentToken:
    token = tokens(reader).filter(name=name).first()
    if token is None:
        raise NotFound(f"there is no token {name!r}")
    return token


def _new_text() -> str:
    return PREFIX + secrets.token_urlsafe(32)


def _hash(plain: str) -> str:
    return hashlib.sha256(plain.encode(errors="surrogatepass")).hexdigest()


def _name(raw: str) -> str:
    try:
        return saying.text("written_by", raw)
    except Invalid as refusal:
        raise Invalid.field("name", refusal.errors[0][1]) from None


def _refuse_taken(name: str) -> None:
    user = get_user_model()
    if user.objects.filter(**{f"{user.USERNAME_FIELD}__iexact": name}).exists():
        raise Conflict(f"{name!r} is the name of a user")
    if AgentToken.objects.filter(name=name).exists():
        raise Conflict(f"{name!r} is the name of another token")
    if Fact.objects.filter(written_by=name).exists():
        raise Conflict(f"{name!r} is the name of another writer")


def _bad_grants(grants: frozenset[str], as_of: int | None) -> list[tuple[str, str]]:
    if not grants:
        return [("grants", "must name at least one grant")]
    if unknown := sorted(grants.difference(GRANTS)):
        return [("grants", f"unknown: {', '.join(unknown)}; there are {', '.join(GRANTS)}")]
    if as_of is not None and not grants <= READING:
        return [("grants", f"with a pinned as_of only {READ} and {AUDIT} may be given")]
    return []


def _bad_terms(as_of: int | None, expires_at: int | None, rate: int) -> list[tuple[str, str]]:
    errors = []
    if as_of is not None and not in_range(as_of):
        errors.append(("as_of", "must lie in 2000-01-01 to 9999-12-31"))
    if expires_at is not None and not (in_range(expires_at) and expires_at > clock()):
        errors.append(("expires_at", "must lie after now"))
    if not 0 <= rate <= MOST_RATE:
        errors.append(("rate", f"must lie in 0 (no limit) to {MOST_RATE:,} requests a second"))
    return errors
