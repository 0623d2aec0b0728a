"""`manage.py import_facts`: a file of facts is taught as one operation, or with the times at which it was recorded."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from tqdm import tqdm

from brain.importing import Imported, Terms, import_file
from brain.lines import Defaults
from brain.management.base import BrainCommand, actor
from brain.tabular import Problem
from brain.time import to_text


class Command(BrainCommand):
    help = "Import facts from a .csv, .xlsx or .ndjson file. Nothing is stored unless every line is good."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--dry-run", action="store_true", help="say what would happen, store nothing")
        parser.add_argument("--source", help="the source of lines that name none")
        parser.add_argument("--skip-bad", action="store_true", help="store the good lines even when some are bad")
        parser.add_argument("--again", action="store_true", help="import a file that was imported before")
        parser.add_argument("--keep-recorded", action="store_true", help="one operation per recorded_at, kept as given")

    def handle(self, *args: Any, file: Path, source: str | None, **options: Any) -> None:
        who = actor()
        chosen = {name: options[name] for name in ("dry_run", "skip_bad", "again", "keep_recorded")}
        terms = Terms(Defaults(source=source, written_by=who), **chosen)
        sheet = file.suffix.lower() == ".xlsx"
        size = None if sheet or not file.is_file() else os.path.getsize(file)
        with tqdm(total=size, unit="row" if sheet else "B", unit_scale=not sheet, disable=None, leave=False) as bar:

            def report(problem: Problem) -> None:
                bar.clear()
                self.stderr.write(str(problem))

            imported = import_file(file, actor=who, terms=terms, heard=bar.update, report=report)
        self._conclude(imported, file, terms)

    def _conclude(self, imported: Imported, file: Path, terms: Terms) -> None:
        if imported.before is not None:
            made = imported.before.imported_in
            self.stdout.write(
                f"{file.name} was imported before, in operation {made.pk} on {to_text(made.at)}; "
                "nothing was done (--again imports it once more)."
            )
            return
        outcomes = ", ".join(f"{number:,} {name}" for name, number in sorted(imported.outcomes.items()))
        self.stdout.write(f"{imported.outcomes.total():,} lines: {outcomes}")
        if imported.bad:
            self.stdout.write(f"{imported.bad:,} bad lines left out")
        if terms.dry_run:
            self.stdout.write("A dry run: nothing was stored.")
        else:
            self.stdout.write(f"{len(imported.operations):,} operations, the last is {imported.operations[-1]}")
