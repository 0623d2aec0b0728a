"""`manage.py import_brain`: an existing brain's SQLite file, its chains rebuilt and its links checked."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from tqdm import tqdm

from brain.import_brain import import_brain
from brain.management.base import BrainCommand, actor
from brain.tabular import Problem


class Command(BrainCommand):
    help = "Import the fact table of an existing brain's SQLite file. Nothing is stored unless every row is good."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        with tqdm(unit="row", disable=None, leave=False) as bar:

            def report(problem: Problem) -> None:
                bar.clear()
                self.stderr.write(f"fact {problem.line}, {problem.column}: {problem.rule}")

            brought = import_brain(file, actor=actor(), heard=bar.update, report=report)
        for difference in brought.differences:
            self.stdout.write(str(difference))
        outcomes = ", ".join(f"{number:,} {name}" for name, number in sorted(brought.outcomes.items()))
        self.stdout.write(
            f"{brought.outcomes.total():,} facts in operation {brought.operation}: {outcomes or 'none'}; "
            f"{len(brought.differences):,} differ in superseded_by"
        )
