"""The admin shows what the brain stores and changes none of it: writing goes through the brain's verbs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from brain import tokens
from brain.models import AgentToken, Approval, Fact, ImportedFile, Job, Key, LegalHold, Operation, Receipt, Scope
from brain.time import to_text
from dashboard import roles
from dashboard.admin_actions import FACT_ACTIONS, OPERATION_ACTIONS

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]
else:
    _ModelAdmin = admin.ModelAdmin


def instant(field: str) -> Callable[[Any], str]:
    """A column of epoch milliseconds, in words that sort."""

    @admin.display(description=field.replace("_", " "), ordering=field)
    def show(row: Any) -> str:
        number = getattr(row, field)
        return "" if number is None else to_text(number)

    return show


class ReadOnly(_ModelAdmin):
    """Lists and shows; pages stay cheap on large tables."""

    show_full_result_count = False
    list_per_page = 50
    list_max_show_all = 200

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Key)
class KeyAdmin(ReadOnly):
    list_display = ["subject", "predicate", "scope"]
    search_fields = ["subject__startswith"]


@admin.register(Fact)
class FactAdmin(ReadOnly):
    list_display = ["id", "key", "value", "source", "written_by", instant("learned_at"), instant("expires_at")]
    list_select_related = ["key"]
    search_fields = ["key__subject__startswith", "=origin__id"]
    ordering = ["-id"]
    exclude = ["salt", "digest", "folded"]
    raw_id_fields = ["key", "origin", "superseded_by"]
    actions = FACT_ACTIONS


@admin.register(Operation)
class OperationAdmin(ReadOnly):
    list_display = ["id", instant("at"), "kind", "actor", "scope", "reason"]
    search_fields = ["actor__startswith", "=kind"]
    ordering = ["-id"]
    exclude = ["reason_salt", "details_salt"]
    actions = OPERATION_ACTIONS


@admin.register(Scope)
class ScopeAdmin(ReadOnly):
    list_display = ["name", "registered_in", "frozen_in", "tombstoned_in"]
    list_select_related = ["registered_in", "frozen_in", "tombstoned_in"]


@admin.register(LegalHold)
class HoldAdmin(ReadOnly):
    list_display = ["id", "scope", "reason", "placed_by", "lifted_in"]
    list_select_related = ["lifted_in"]


@admin.register(Receipt)
class ReceiptAdmin(ReadOnly):
    list_display = ["id", instant("at"), "agent", "scope", instant("as_of")]
    search_fields = ["agent__startswith"]


@admin.register(Approval)
class ApprovalAdmin(ReadOnly):
    list_display = ["id", "fact", "agent", "state", instant("asked_at"), "decided_by"]


@admin.register(Job)
class JobAdmin(ReadOnly):
    list_display = ["id", "kind", "state", "actor", "done", "total"]


@admin.register(ImportedFile)
class ImportedFileAdmin(ReadOnly):
    list_display = ["name", "rows", "imported_in"]
    list_select_related = ["imported_in"]


@admin.register(AgentToken)
class TokenAdmin(ReadOnly):
    """Tokens are made on the Agents page or by `create_token`, where the secret is shown once; here they end."""

    list_display = ["name", "owner", "scope", "grants", instant("as_of"), instant("expires_at"), instant("revoked_at")]
    list_select_related = ["owner"]
    exclude = ["hash"]
    actions = ["revoke"]

    @admin.action(description="Revoke the selected tokens", permissions=["view"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[AgentToken]) -> None:
        for name in queryset.values_list("name", flat=True):
            tokens.revoke(name, reader=roles.reader(request))
            messages.success(request, f"{name} opens nothing any more.")
