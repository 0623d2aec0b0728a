"""A command that takes facts away says first what it would do, and does it only when that was agreed to."""

from __future__ import annotations

import sys

from django.core.management.base import CommandError


def agreed(number: int, *, yes: bool) -> None:
    """Returns when `number` rows or facts may go: by --yes, or by typing that number. Raises CommandError."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise CommandError("Nothing was changed: add --yes to do it, or --dry-run to only see it.")
    if input(f"Type {number} to go on: ").strip() != str(number):
        raise CommandError("Nothing was changed.")
