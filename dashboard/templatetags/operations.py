"""What the pages of operators share: the row of tabs, and counts in words."""

from __future__ import annotations

from typing import Any

from django import template
from django.forms import BaseForm, BoundField
from django.template import Context

from brain.describe import FactAt
from brain.tokens import AUDIT, FORGET, MANAGE, WRITE
from dashboard.allowed import actor, may
from dashboard.journaling import number
from dashboard.periods import end_in_words

register = template.Library()

TABS = [
    ("journal", "Journal", (AUDIT,)),
    ("rewind", "Rewind", (MANAGE,)),
    ("forget", "Forget", (FORGET,)),
    ("withheld", "Withheld facts", (FORGET, AUDIT)),
    ("scopes", "Scopes", (MANAGE,)),
    ("holds", "Legal holds", (MANAGE,)),
    ("jobs", "Long work", (FORGET, MANAGE)),
]


@register.inclusion_tag("operations/tabs.html", takes_context=True)
def tabs(context: Context, current: str) -> dict[str, Any]:
    request = context["request"]
    shown = [(name, label) for name, label, grants in TABS if any(may(request, grant) for grant in grants)]
    return {"tabs": shown if len(shown) > 1 else [], "current": current}


@register.inclusion_tag("retire/links.html", takes_context=True)
def retire_links(context: Context, fact: FactAt) -> dict[str, Any]:
    """The ways to retire this fact that are open to the person; none while the past is read."""
    request = context["request"]
    now = getattr(context.get("time"), "tense", "now") == "now"
    anybodys = may(request, FORGET)
    own = may(request, WRITE) and fact.written_by == actor(request)
    withheld = fact.status == "forgotten"
    return {
        "fact": fact,
        "ends": now and (anybodys or own) and fact.status not in ("retracted", "claim", "forgotten"),
        "retracts": now and (anybodys or own) and fact.status not in ("retracted", "forgotten"),
        "forgets": now and anybodys and not withheld,
        "erases": now and anybodys,
        "restores": now and anybodys and withheld,
    }


@register.filter
def counted(count: int, words: str) -> str:
    """{{ 3000|counted:"fact" }} is 3,000 facts; the plural may follow a comma where it is irregular."""
    one, _, many = words.partition(",")
    return number(count, one, many)


@register.simple_tag(takes_context=True)
def allowed(context: Context, grant: str) -> bool:
    return may(context["request"], grant)


STATUS_WORDS = {
    "current": "holds now",
    "superseded": "replaced",
    "covered": "under a temporary value",
    "expired": "ran out",
    "retracted": "written by mistake",
    "forgotten": "withheld",
}


@register.filter
def status_word(status: str) -> str:
    return STATUS_WORDS.get(status, status)


@register.filter
def words(text: str) -> list[str]:
    return text.split()


@register.filter
def field(form: BaseForm, name: str) -> BoundField:
    return form[name]


@register.filter
def seconds(length: float) -> str:
    """0.3 seconds; below a tenth only that."""
    if length < 0.1:
        return "less than a tenth of a second"
    return f"{length:.1f} seconds" if length < 10 else f"{length:.0f} seconds"


@register.filter
def pluralize_unit(count: int, unit: str) -> str:
    return unit if count == 1 else f"{unit}s"


@register.filter
def kind_word(kind: str) -> str:
    return JOBS.get(kind, kind.replace("_", " "))


JOBS = {
    "purge": "erasing facts",
    "retention": "erasing old history",
    "forget_scope": "erasing a scope",
    "import": "importing a file",
    "rewind": "rewinding",
}


@register.filter
def card(number: int, kind: str) -> str:
    return f"{kind}-{number}"


@register.filter
def end_words(instant: int) -> str:
    return end_in_words(instant)
