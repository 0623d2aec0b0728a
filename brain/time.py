"""Instants are integers, epoch milliseconds in UTC, from 2000-01-01 to 9999-12-31; periods are half-open."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

EARLIEST = 946_684_800_000  # 2000-01-01T00:00:00.000Z
LATEST = 253_402_300_799_999  # 9999-12-31T23:59:59.999Z
SECOND = 1_000
DAY = 86_400_000


@dataclass(frozen=True, slots=True)
class AsOf:
    """The two clocks of one read.

    `as_of` (T) is an instant: which value held then. `known_at` (K) is the id of an operation: what the brain had
    been told right after it; 0 is the empty brain. `latest` says that K is the last operation, so that the links
    stored in the rows may be used.
    """

    as_of: int
    known_at: int
    latest: bool

    def pinned(self) -> AsOf:
        """The same read, safe against operations that commit while it runs."""
        return AsOf(self.as_of, self.known_at, latest=False)


def in_range(instant: int) -> bool:
    return EARLIEST <= instant <= LATEST


def to_datetime(instant: int) -> datetime:
    seconds, millis = divmod(instant, SECOND)
    return datetime.fromtimestamp(seconds, UTC).replace(microsecond=millis * 1000)


def from_datetime(moment: datetime) -> int:
    """Epoch milliseconds of an aware datetime, cut (not rounded) to the millisecond."""
    if moment.tzinfo is None:
        raise ValueError("an instant needs an offset")
    moment = moment.astimezone(UTC)
    whole = int((moment.replace(microsecond=0) - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds())
    return whole * SECOND + moment.microsecond // 1000


def to_text(instant: int) -> str:
    """RFC 3339 in UTC with milliseconds, as every answer shows instants: 2026-02-09T00:00:00.000Z."""
    moment = to_datetime(instant)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def parse(value: object) -> int:
    """Epoch milliseconds of an RFC 3339 instant with an offset, a date (its first millisecond in UTC), or epoch
    milliseconds as a number or digits. Raises ValueError with the rule that was broken."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError("must be an instant: RFC 3339 with an offset, a date, or epoch milliseconds")
    instant = _parse_text(value.strip()) if isinstance(value, str) else value
    if not in_range(instant):
        raise ValueError("must lie in 2000-01-01 to 9999-12-31 (as epoch milliseconds, not seconds or microseconds)")
    return instant


def _parse_text(text: str) -> int:
    if len(text) <= 20 and text.isascii() and text.lstrip("-").isdigit():
        return int(text)
    if len(text) < 10 or not text.isascii():
        raise ValueError("must be an instant: RFC 3339 with an offset, a date, or epoch milliseconds")
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("must be an instant: RFC 3339 with an offset, a date, or epoch milliseconds") from None
    if len(text) == 10:
        return from_datetime(moment.replace(tzinfo=UTC))
    if moment.tzinfo is None:
        raise ValueError("an instant with a time needs an offset, for example Z or +01:00")
    try:
        return from_datetime(moment)
    except OverflowError:
        raise ValueError("must lie in 2000-01-01 to 9999-12-31") from None
