"""A pass over all facts is one row of the journal; as a dry run it leaves none."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, ClassVar

from brain.management.base import BrainCommand, actor
from brain.models import Operation
from brain.turns import rehearsal


class PassCommand(BrainCommand):
    verb: ClassVar[Callable[..., Operation]]
    said: ClassVar[str]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="count, and leave no trace")
        parser.add_argument("--yes", action="store_true", help="accepted for scripts; nothing is asked")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        with rehearsal() if dry_run else nullcontext():
            done = type(self).verb(actor=actor())
        told = "A dry run: nothing was stored" if dry_run else f"Operation {done.pk}"
        self.stdout.write(f"{told}. {done.counts['affected']:,} facts {self.said}.")
