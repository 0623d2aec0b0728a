"""Every refusal is one of these, carrying the code that all doors show; a refused call has changed nothing."""

from __future__ import annotations

from typing import ClassVar


class BrainError(Exception):
    """A refusal: `code` names it, `detail` says it in a sentence, `errors` holds (field, message) pairs."""

    code: ClassVar[str] = "invalid"

    def __init__(self, detail: str, errors: list[tuple[str, str]] | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.errors = errors or []


class Invalid(BrainError):
    """Bad input; every error names its field and the rule."""

    code = "invalid"

    @classmethod
    def field(cls, field: str, message: str) -> Invalid:
        return cls(f"{field}: {message}", [(field, message)])


class Forbidden(BrainError):
    code = "forbidden"


class SelfApproval(BrainError):
    code = "self_approval"


class NotFound(BrainError):
    code = "not_found"


class Conflict(BrainError):
    code = "conflict"


class BlockedByForget(BrainError):
    code = "blocked_by_forget"


class Held(BrainError):
    code = "held"


class Frozen(BrainError):
    code = "frozen"


class Busy(BrainError):
    """The writers' lock did not come in time; nothing was stored and the call is safe to repeat."""

    code = "busy"
