"""`manage.py scrub`: rewrites the tables, so that the bytes of what was erased are gone from the database's files."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.db import connection

from brain.management.base import BrainCommand
from brain.storage import scrub


class Command(BrainCommand):
    help = "Rewrite the tables, so that erased bytes leave the database's files. Each table is locked meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="name the tables, rewrite none")
        parser.add_argument("--yes", action="store_true", help="accepted for scripts; nothing is asked")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        tables = connection.introspection.table_names()
        if dry_run:
            self.stdout.write(f"{len(tables)} tables would be rewritten: {', '.join(tables)}")
            return
        self.stdout.write(f"{len(scrub())} tables rewritten.")
        if connection.vendor == "postgresql":
            self.stdout.write("PostgreSQL's write-ahead log, its archives and backups keep what they hold.")
