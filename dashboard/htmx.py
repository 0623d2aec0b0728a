"""A page answers htmx with the partial named like its root element, everything else with the whole page."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers

MOVING = "X-Moving"


def wants_partial(request: HttpRequest) -> bool:
    asked = request.htmx  # type: ignore[attr-defined]
    return bool(asked) and not asked.boosted and not asked.history_restore_request


def is_moving(request: HttpRequest) -> bool:
    """The slider is held: another answer follows, so that this one may leave out what can wait."""
    return MOVING in request.headers


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
    """`beside` names partials elsewhere on the page that change with this one (swapped out of band), of which all but
    the first can wait while a slider is held; `address` is the URL that the browser shall show for what it displays."""
    if wants_partial(request):
        context = context | {"out_of_band": True}
        parts = [f"{page}#{partial}", *(beside[:1] if is_moving(request) else beside)]
        response = HttpResponse("\n".join(render_to_string(part, context, request) for part in parts), status=status)
        if address:
            response["HX-Replace-Url"] = address
    else:
        response = HttpResponse(render_to_string(page, context, request), status=status)
    patch_vary_headers(response, ["HX-Request", MOVING])
    return response
