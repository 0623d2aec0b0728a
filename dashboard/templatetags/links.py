"""Links to this very page with some parameters changed."""

from __future__ import annotations

from django import template
from django.template import Context

from dashboard.reading import address

register = template.Library()


@register.simple_tag(takes_context=True)
def here(context: Context, **changed: object) -> str:
    """This page's address with the given parameters; an empty or None one is dropped."""
    return address(context["request"], **{name: "" if text is None else str(text) for name, text in changed.items()})


@register.simple_tag(takes_context=True)
def without(context: Context, name: str) -> str:
    """This page's address with one filter taken away."""
    return address(context["request"], cursor="", **{name: ""})
