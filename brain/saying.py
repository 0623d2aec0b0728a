"""What a writer says, checked and normalised before it meets the brain; each refusal names its field and rule."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final

from brain.errors import Invalid
from brain.time import in_range


class Unset(Enum):
    UNSET = "unset"


UNSET: Final = Unset.UNSET

LIMITS = {"subject": 512, "predicate": 256, "value": 65_536, "source": 256, "written_by": 256, "reason": 4_096}
COLLAPSED = {"subject", "predicate"}
CATEGORIES = ("identity", "knowledge", "context")
CURATED = ("upsert", "document")
EXPERIENTIAL = ("turn", "reflect", "elaboration", "consolidation")
SCOPE_NAME = re.compile(r"[a-z0-9._-]{1,64}")
SCOPE_DEPTH = 8
# Unicode's White_Space; str.split() would also eat the separators U+001C to U+001F
WHITE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # Unicode's Cc
CONTROL_BUT_LINES = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
WHITE_RUN = re.compile(f"[{WHITE}]+")


@dataclass(frozen=True, slots=True)
class Saying:
    """SOURCE, through WRITER, says that PREDICATE of SUBJECT is VALUE, from `learned_at` on. Instants are epoch
    milliseconds. `expected_current` is the id that must hold at `learned_at`, None for nothing, or UNSET."""

    subject: str
    predicate: str
    value: str
    source: str
    written_by: str
    learned_at: int | None = None
    expires_at: int | None = None
    temporary: bool = False
    category: str = "knowledge"
    source_kind: str = "upsert"
    confidence: float = 1.0
    scope: str = "/"
    expected_current: int | Unset | None = UNSET

    @property
    def curated(self) -> bool:
        return self.source_kind in CURATED


def text(field: str, raw: object) -> str:
    """The stored form of a text: NFC, trimmed; subject and predicate also collapsed. Raises Invalid."""
    if not isinstance(raw, str):
        raise Invalid.field(field, "must be text")
    try:
        raw.encode()
    except UnicodeEncodeError:
        raise Invalid.field(field, "holds a lone surrogate, which is no text") from None
    clean = unicodedata.normalize("NFC", raw)
    clean = (WHITE_RUN.sub(" ", clean) if field in COLLAPSED else clean).strip(WHITE)
    if field != "reason" and not clean:
        raise Invalid.field(field, "must not be empty")
    if (CONTROL_BUT_LINES if field in {"value", "reason"} else CONTROL).search(clean):
        raise Invalid.field(field, "holds a control character")
    if len(clean.encode()) > LIMITS[field]:
        raise Invalid.field(field, f"is longer than {LIMITS[field]:,} bytes")
    return clean


def scope(raw: object, field: str = "scope") -> str:
    """A canonical scope: "/" or "/"-joined names of [a-z0-9._-]{1,64}, at most eight. Raises Invalid."""
    if raw == "/":
        return "/"
    names = raw[1:].split("/") if isinstance(raw, str) and raw.startswith("/") else [""]
    if len(names) > SCOPE_DEPTH or not all(SCOPE_NAME.fullmatch(name) for name in names):
        raise Invalid.field(field, 'must be "/" or up to eight "/"-joined names of a-z, 0-9, ".", "_" and "-"')
    return "/" + "/".join(names)


def reason(raw: object, *, required: bool = False) -> str:
    clean = text("reason", raw)
    if required and not clean:
        raise Invalid.field("reason", "must not be empty")
    return clean


def check(saying: Saying) -> Saying:
    """The saying in its stored form. Raises Invalid naming every bad field."""
    errors: list[tuple[str, str]] = []
    clean: dict[str, Any] = {}
    for field in ("subject", "predicate", "value", "source", "written_by"):
        try:
            clean[field] = text(field, getattr(saying, field))
        except Invalid as refusal:
            errors += refusal.errors
    try:
        clean["scope"] = scope(saying.scope)
    except Invalid as refusal:
        errors += refusal.errors
    errors += [*_bad_choices(saying), *_bad_instants(saying)]
    if errors:
        raise Invalid("; ".join(f"{field}: {message}" for field, message in errors), errors)
    return replace(saying, **clean)


def _bad_choices(saying: Saying) -> list[tuple[str, str]]:
    errors = []
    if saying.category not in CATEGORIES:
        errors.append(("category", f"must be one of {', '.join(CATEGORIES)}"))
    if saying.source_kind not in CURATED + EXPERIENTIAL:
        errors.append(("source_kind", f"must be one of {', '.join(CURATED + EXPERIENTIAL)}"))
    if not isinstance(saying.confidence, int | float) or not 0 <= saying.confidence <= 1:
        errors.append(("confidence", "must lie in 0 to 1"))
    return errors


def _bad_instants(saying: Saying) -> list[tuple[str, str]]:
    errors = [
        (field, "must lie in 2000-01-01 to 9999-12-31 (epoch milliseconds)")
        for field in ("learned_at", "expires_at")
        if getattr(saying, field) is not None and not in_range(getattr(saying, field))
    ]
    if saying.temporary and saying.expires_at is None and saying.category != "context":
        errors.append(("expires_at", "a temporary value needs an end"))
    if not errors and saying.expires_at is not None and saying.learned_at is not None:
        errors += too_early(saying.expires_at, saying.learned_at)
    return errors


def too_early(expires_at: int, learned_at: int) -> list[tuple[str, str]]:
    return [] if expires_at > learned_at else [("expires_at", "must be later than learned_at")]
