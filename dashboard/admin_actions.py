"""Actions of the admin's lists: each only leads to the preview page of its verb, where the rules and the reason are."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from brain.models import Fact, Operation
from dashboard.fields import runs
from dashboard.reading import encode

MOST = 400  # facts whose numbers fit into an address


@admin.action(description="Forget selected (withhold)…", permissions=["view"])
def forget_selected(owner: Any, request: HttpRequest, rows: QuerySet[Fact]) -> HttpResponse | None:
    ids = _ids(request, rows)
    return ids and _preview(reverse("forget-form", args=["withhold"]), ids=runs(ids))


@admin.action(description="Retract selected (written by mistake)…", permissions=["view"])
def retract_selected(owner: Any, request: HttpRequest, rows: QuerySet[Fact]) -> HttpResponse | None:
    ids = _ids(request, rows)
    return ids and _preview(reverse("retract-facts"), ids=runs(ids))


@admin.action(description="Rewind to before selected…", permissions=["view"])
def rewind_facts(owner: Any, request: HttpRequest, rows: QuerySet[Fact]) -> HttpResponse | None:
    """Only the selected facts, to before the first of them was said."""
    ids = _ids(request, rows)
    first = min(rows.values_list("recorded_in", flat=True), default=1)
    return ids and _preview(reverse("rewind"), to=f"op:{first - 1}", ids=runs(ids))


@admin.action(description="Rewind to before selected…", permissions=["view"])
def rewind_operations(owner: Any, request: HttpRequest, rows: QuerySet[Operation]) -> HttpResponse:
    """The whole brain, to before the first of the selected operations."""
    first = min(rows.values_list("pk", flat=True))
    return _preview(reverse("rewind"), to=f"op:{first - 1}")


@admin.action(description="Undo selected…", permissions=["view"])
def undo_operations(owner: Any, request: HttpRequest, rows: QuerySet[Operation]) -> HttpResponse | None:
    ids = _ids(request, rows, column="pk")
    return ids and _preview(reverse("rewind"), operations=runs(ids))


FACT_ACTIONS = [forget_selected, retract_selected, rewind_facts]
OPERATION_ACTIONS = [undo_operations, rewind_operations]


def _ids(request: HttpRequest, rows: QuerySet[Any], *, column: str = "origin_id") -> Any:
    """The numbers selected; None, and a message, where they are too many for an address."""
    ids = tuple(sorted(set(rows.order_by().values_list(column, flat=True)[: MOST + 1])))
    if len(ids) <= MOST:
        return ids
    messages.error(request, f"Select at most {MOST} at a time, or say which on the Forget or Rewind page.")
    return None


def _preview(address: str, **asked: str) -> HttpResponse:
    return redirect(f"{address}?{encode(asked)}")
