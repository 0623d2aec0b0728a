"""A selector names facts; it takes a fact with all its versions when any of them matches every field given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from brain import saying
from brain.errors import Invalid
from brain.models import Fact
from brain.querysets import FactQuerySet, under

MOST_IDS = 100_000


@dataclass(frozen=True, slots=True)
class Selector:
    """`ids` are facts, `scope` a subtree, `q` a part of any text (case-folded); the other texts match whole."""

    ids: tuple[int, ...] | None = None
    subject: str | None = None
    predicate: str | None = None
    source: str | None = None
    written_by: str | None = None
    scope: str | None = None
    q: str | None = None

    def matches(self, within: str = "/") -> FactQuerySet:
        """The sayings that match, holes left out, in the subtree `within`."""
        found = Fact.objects.content().filter(under(within))
        if self.ids is not None:
            found = found.filter(origin__in=self.ids)
        if self.scope is not None:
            found = found.filter(under(self.scope))
        exact = {"key__subject": self.subject, "key__predicate": self.predicate}
        exact |= {"source": self.source, "written_by": self.written_by}
        found = found.filter(**{field: text for field, text in exact.items() if text is not None})
        return found if self.q is None else found.matching(self.q)

    def facts(self, within: str = "/") -> FactQuerySet:
        """Every version, holes left out, of every fact that matches in the subtree `within`."""
        origins = self.matches(within).order_by().values("origin_id")
        return Fact.objects.content().filter(under(within), origin__in=origins)

    def given(self) -> dict[str, Any]:
        """The fields that narrow, as JSON."""
        chosen = {field: value for field, value in asdict(self).items() if value is not None}
        return chosen | ({"ids": list(self.ids)} if self.ids is not None else {})


def parse(raw: Mapping[str, Any], field: str = "selector") -> Selector:
    """A selector from its JSON. Raises Invalid: an unknown field, a bad value, or nothing that narrows."""
    known = {one.name for one in fields(Selector)}
    errors = [(f"{field}.{name}", "is no field of a selector") for name in raw if name not in known]
    clean: dict[str, Any] = {}
    for name, value in raw.items():
        if name in known and value is not None:
            try:
                clean[name] = _clean(name, value)
            except Invalid as refusal:
                errors += [(f"{field}.{name}", message) for _, message in refusal.errors]
    if not clean and not errors:
        errors.append((field, "must name something: an empty selector would take everything"))
    if errors:
        raise Invalid("; ".join(f"{name}: {message}" for name, message in errors), errors)
    return Selector(**clean)


def _clean(name: str, value: object) -> object:
    if name == "ids":
        return _ids(value)
    if name == "scope":
        return saying.scope(value)
    return saying.text("value" if name == "q" else name, value)


def _ids(value: object) -> tuple[int, ...]:
    if not isinstance(value, list | tuple) or not value:
        raise Invalid.field("ids", "must be a list of fact ids, not empty")
    if len(value) > MOST_IDS or not all(type(one) is int and 0 < one < 2**63 for one in value):
        raise Invalid.field("ids", f"must hold whole numbers above 0, at most {MOST_IDS:,}")
    return tuple(sorted(set(value)))
