"""A page answers htmx with the partial named like its root element, everything else with the whole page."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers


def wants_partial(request: HttpRequest) -> bool:
    asked = request.htmx  # type: ignore[attr-defined]
    return bool(asked) and not asked.boosted and not asked.history_restore_request


def render(
    request: HttpRequest,
    page: str,
    context: dict[str, Any],
    *,
    partial: str,
    beside: tuple[str, ...] = (),
    status: int = 200,
    address: str = "",
) -> HttpResponse:
    """`beside` names partials elsewhere on the page that change with this one (swapped out of band); `address` is
    the URL that the browser shall show for what it now displays."""
    if wants_partial(request):
        context = context | {"out_of_band": True}
        parts = [f"{page}#{partial}", *beside]
        response = HttpResponse("\n".join(render_to_string(part, context, request) for part in parts), status=status)
        if address:
            response["HX-Replace-Url"] = address
    else:
        response = HttpResponse(render_to_string(page, context, request), status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response
