"""`manage.py verify`: exit code 1 and a list where the journal, a fact or a law is broken."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from brain import verify
from brain.management.base import BrainCommand


class Command(BrainCommand):
    help = "Check the journal's hash chain, the facts' digests and chains, and every law that SQL can state."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--head", action="store_true", help="print the last operation and its hash, to be kept elsewhere"
        )

    def handle(self, *args: Any, head: bool, **options: Any) -> None:
        problems = verify.check()
        for problem in problems:
            self.stdout.write(problem)
        if problems:
            raise CommandError("The brain is broken.")
        number, digest = verify.head()
        self.stdout.write(f"{number} {digest}" if head else f"{number:,} operations: every law holds.")
