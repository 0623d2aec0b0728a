"""Instants in templates: words in the zone that the request activated, UTC for attributes and links."""

from __future__ import annotations

from django import template
from django.utils import timezone

from brain import time as instants
from dashboard import chips, when

register = template.Library()


@register.filter
def day(instant: int) -> str:
    return when.day(instant, timezone.get_current_timezone())


@register.filter
def moment(instant: int) -> str:
    return when.moment(instant, timezone.get_current_timezone())


@register.filter
def full(instant: int) -> str:
    return when.full(instant, timezone.get_current_timezone())


@register.filter
def until(instant: int) -> str:
    return chips.until(instant, timezone.get_current_timezone())


@register.filter
def utc(instant: int) -> str:
    return instants.to_text(instant)


@register.filter
def zone_name(zone: object) -> str:
    return when.zone_name(zone)  # type: ignore[arg-type]


@register.filter
def days_after(later: int, earlier: int) -> str:
    days = (later - earlier) // instants.DAY
    return f"{days:,} day{'s' * (days != 1)}"
