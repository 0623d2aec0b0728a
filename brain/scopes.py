"""Scopes are made by the first write; registering, freezing and tombstoning them are operations of their own."""

from __future__ import annotations

from django.db.models import QuerySet

from brain import guard, saying
from brain.errors import Conflict, NotFound
from brain.journal import operation
from brain.models import Operation, Scope
from brain.querysets import under
from brain.reader import Reader


def scopes(reader: Reader) -> QuerySet[Scope]:
    """The scopes that exist for this reader, by name."""
    found = Scope.objects.filter(under(reader.scope, "name"))
    return found if reader.pin is None else found.filter(registered_in__at__lte=reader.pin)


def register_on_write(name: str, operation_id: int) -> None:
    """Makes the scope of a fact that is being written. Called within an operation."""
    if not Scope.objects.filter(name=name).exists():
        Scope.objects.create(name=name, registered_in_id=operation_id)


def _change(kind: str, name: str, actor: str, reason: str, column: str, *, on: bool) -> Operation:
    name, reason = saying.scope(name), saying.reason(reason, required=True)
    with operation(kind, actor=actor, reason=reason, scope=name, details={"scope": name}) as entry:
        register_on_write(name, entry.id)
        Scope.objects.filter(name=name).update(**{column: entry.id if on else None})
        entry.count(scopes=1)
    return entry.row


def freeze(name: str, *, actor: str, reason: str) -> Operation:
    """From now on every operation on facts in this scope, or below it, is refused with Frozen."""
    return _change("freeze", name, actor, reason, "frozen_in", on=True)


def unfreeze(name: str, *, actor: str, reason: str) -> Operation:
    return _change("unfreeze", name, actor, reason, "frozen_in", on=False)


def register(name: str, *, actor: str, reason: str = "") -> Operation:
    """Makes a scope before anything is written to it. Raises Conflict when it exists."""
    name = saying.scope(name)
    with operation("register_scope", actor=actor, reason=saying.reason(reason), scope=name) as entry:
        if Scope.objects.filter(name=name, tombstoned_in__isnull=True).exists():
            raise Conflict(f"the scope {name} exists")
        guard.refuse_frozen([name])
        Scope.objects.update_or_create(
            name=name, defaults={"tombstoned_in": None}, create_defaults={"registered_in_id": entry.id}
        )
        entry.count(scopes=1)
    return entry.row


def tombstone(name: str, *, actor: str, reason: str = "") -> Operation:
    """The scope, and all below it, takes no new writes; its facts stay as they are."""
    name = saying.scope(name)
    with operation("tombstone_scope", actor=actor, reason=saying.reason(reason), scope=name) as entry:
        if not Scope.objects.filter(name=name).exists():
            raise NotFound(f"there is no scope {name}")
        guard.refuse_frozen([name])
        Scope.objects.filter(name=name).update(tombstoned_in=entry.id)
        entry.count(scopes=1)
    return entry.row
