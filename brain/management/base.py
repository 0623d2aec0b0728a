"""What the brain's commands share: tables that are there, an actor with a name, refusals as sentences."""

from __future__ import annotations

import getpass
from argparse import ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from brain import time
from brain.errors import BrainError
from brain.management.tables import require_tables


def actor() -> str:
    """Who the journal says has acted: the user of the operating system, through a command."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = "somebody"
    return f"{name} (manage.py)"


def instant(text: str) -> int:
    """An instant given on the command line."""
    try:
        return time.parse(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error


def point(text: str) -> int | str:
    """An instant, or an operation like op:17, given on the command line."""
    return text if text.startswith("op:") else instant(text)


class BrainCommand(BaseCommand):
    """A command over the brain: a refusal ends it with exit code 1 and its sentence."""

    requires_system_checks = []

    def execute(self, *args: Any, **options: Any) -> str | None:
        require_tables()
        try:
            return super().execute(*args, **options)
        except BrainError as refusal:
            raise CommandError(refusal.detail) from refusal
