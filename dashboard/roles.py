"""What a person may do follows from the groups they are in, and from nothing else."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.http import HttpRequest

from brain.reader import Reader

READ, AUDIT = "memory:read", "audit:read"
EVERYTHING = frozenset(
    {
        READ,
        "memory:write",
        "write:as",
        "write:curated",
        "memory:forget",
        "memory:manage",
        AUDIT,
        "delete:direct",
    }
)
GRANTS: dict[str, frozenset[str]] = {
    "reader": frozenset({READ}),
    "pricing": frozenset({READ, "memory:write", "write:curated"}),
    "auditor": frozenset({READ, AUDIT}),
    "operator": EVERYTHING,
    "administrator": EVERYTHING,
}
ADMINISTRATOR = "administrator"


def roles(user: AbstractBaseUser | AnonymousUser) -> frozenset[str]:
    """The names of the user's groups that are roles; a superuser is an administrator. Asked once a request."""
    if not user.is_active or not isinstance(user, AbstractBaseUser):
        return frozenset()
    known: frozenset[str] | None = getattr(user, "_roles", None)
    if known is None:
        names = set(user.groups.values_list("name", flat=True)) & GRANTS.keys()  # type: ignore[attr-defined]
        known = frozenset(names | {ADMINISTRATOR}) if user.is_superuser else frozenset(names)  # type: ignore[attr-defined]
        user._roles = known  # type: ignore[attr-defined]
    return known


def grants(user: AbstractBaseUser | AnonymousUser) -> frozenset[str]:
    return frozenset().union(*(GRANTS[role] for role in roles(user)))


def reader(request: HttpRequest) -> Reader:
    return Reader(audit=AUDIT in grants(request.user))


class AdministratorBackend(BaseBackend):
    """Lets administrators use the whole of /admin/ without permissions given one by one."""

    def has_perm(self, user_obj: Any, perm: str, obj: object = None) -> bool:
        return ADMINISTRATOR in roles(user_obj)

    def has_module_perms(self, user_obj: Any, app_label: str) -> bool:
        return ADMINISTRATOR in roles(user_obj)
