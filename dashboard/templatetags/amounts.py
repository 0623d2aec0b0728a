"""Differences of money in words: +$600 is never guessed at, only the number and its share are said."""

from __future__ import annotations

from decimal import Decimal

from django import template

from dashboard.drawing import Drawn
from dashboard.lanes import Lane, stretches
from dashboard.money import Step
from dashboard.step_chart import Steps, Stretch, steps

register = template.Library()


@register.filter
def signed(step: Step) -> str:
    """+600 (+16.7%), −14.3% of one currency; the sign is a word's, not a colour's."""
    share = "" if step.percent is None else f" ({_signed(step.percent, 1)}%)"
    return f"{_signed(step.difference, None)}{share}"


def _signed(number: Decimal, places: int | None) -> str:
    size = abs(number)
    text = f"{size:,.{places}f}" if places is not None else f"{size.normalize():,f}"
    return f"{'−' if number < 0 else '+' if number > 0 else '±'}{text}"


@register.simple_tag
def amounts_of(lane: Lane, on: Drawn) -> Steps | None:
    """The lane's values as steps, where they are amounts of one currency."""
    now, read = on.scale.at(on.now), on.scale.at(on.at)
    drawn = [
        Stretch(
            one.start,
            one.end,
            one.version.fact.value,
            ahead=one.start > now,
            held=one.version is lane.held and one.start <= read <= one.end,
        )
        for one in stretches(lane.chain, on.scale)
        if not one.version.withheld
    ]
    return steps(drawn)
