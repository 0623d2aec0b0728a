"""`manage.py export_facts`: the facts of an instant, or the whole history, as a file that import_facts reads."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from tqdm import tqdm

from brain import exporting, journal
from brain.management.base import BrainCommand, instant
from brain.time import LATEST


class Command(BrainCommand):
    help = "Export facts to a .csv or .ndjson file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--as-of", type=instant, help="the facts that hold then (default: now)")
        parser.add_argument(
            "--history", action="store_true", help="every saying and unsaying, for import_facts --keep-recorded"
        )

    def handle(self, *args: Any, file: Path, as_of: int | None, history: bool, **options: Any) -> None:
        at = journal.resolve(LATEST if history and as_of is None else as_of)  # a history holds what is scheduled too
        lines = exporting.history(at) if history else exporting.current(at)
        columns = exporting.HISTORY_COLUMNS if history else exporting.COLUMNS
        with tqdm(unit="row", disable=None, leave=False) as bar:
            number = exporting.write(file, lines, columns, bar.update)
        self.stdout.write(f"{number:,} lines in {file}")
