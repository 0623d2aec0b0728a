"""Who calls: a bearer token or a signed-in person, never one in place of the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.http import HttpRequest
from ninja.utils import check_csrf

from brain import tokens
from brain.models import AgentToken
from brain.reader import Reader
from brain.tokens import AUDIT
from dashboard import roles
from dashboard.api.errors import Refusal
from dashboard.api.grants import CLAIMS

SAFE = ("GET", "HEAD", "OPTIONS")
SETTLING = frozenset({"pricing"})  # roles whose people settle claims without managing the brain


@dataclass(frozen=True, slots=True)
class Caller:
    """`name` is the actor and the default writer of what the caller does; `identity` is what cursors and idempotency
    keys are bound to. One of `token` and `person` is set."""

    name: str
    identity: str
    grants: frozenset[str]
    scope: str = "/"
    pin: int | None = None
    token: AgentToken | None = None
    person: Any = None

    @property
    def reader(self) -> Reader:
        return Reader(self.scope, AUDIT in self.grants, self.pin)

    @property
    def owner(self) -> Any:
        """The person behind the call, or None."""
        if self.token is None:
            return self.person
        return get_user_model().objects.filter(pk=self.token.owner_id).first() if self.token.owner_id else None

    def holds(self, grant: str) -> bool:
        return grant in self.grants

    def within(self, scope: str | None) -> str:
        """The scope that a call is about, the caller's own by default. Raises Refusal outside the caller's subtree."""
        if scope is None:
            return self.scope
        if not self.reader.reaches(scope):
            raise Refusal("forbidden", f"the scope {scope} lies outside {self.scope}", [("scope", "is not yours")])
        return scope

    def require(self, grant: str, why: str) -> None:
        if grant not in self.grants:
            raise Refusal("forbidden", f"{why} takes the grant {grant}")


def caller_of(request: HttpRequest) -> Caller:
    """The caller, by the bearer where there is an Authorization header, else by the session. Raises Refusal."""
    header = request.META.get("HTTP_AUTHORIZATION")
    if header is not None:
        return by_bearer(header)
    person = request.user
    if not person.is_authenticated or not person.is_active:
        raise Refusal("unauthenticated", "send Authorization: Bearer <token>, or sign in")
    return by_person(person)


def by_bearer(header: str) -> Caller:
    scheme, _, plain = header.partition(" ")
    token = tokens.authenticate(plain.strip()) if scheme.lower() == "bearer" else None
    if token is None:
        raise Refusal("unauthenticated", "the bearer token is unknown, revoked or has expired")
    return by_token(token)


def by_token(token: AgentToken) -> Caller:
    return Caller(token.name, f"token:{token.pk}", frozenset(token.grants), token.scope, token.as_of, token=token)


def by_person(person: Any) -> Caller:
    grants = roles.grants(person)
    if SETTLING & roles.roles(person):
        grants |= {CLAIMS}
    return Caller(person.get_username(), f"user:{person.pk}", grants, person=person)


def refuse_forgery(request: HttpRequest, caller: Caller) -> None:
    """A browser's session comes along by itself, so its writes need Django's CSRF token. Raises Refusal."""
    if caller.token is None and request.method not in SAFE and check_csrf(request) is not None:
        raise Refusal("forbidden", "a write with a browser session needs a CSRF token")
