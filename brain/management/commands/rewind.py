"""`manage.py rewind`: what the brain said at a point holds again, or named operations are undone; previewed first."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from brain import journal, saying
from brain.management.base import BrainCommand, actor, point
from brain.management.consent import agreed
from brain.reader import EVERYTHING
from brain.rewind import Part, Rewound, rewind


class Command(BrainCommand):
    help = "Let hold again what the brain said at a point, or undo operations. It can be rewound in turn."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--to", type=point, metavar="T", help="an instant, or an operation like op:17")
        parser.add_argument("--operations", type=int, nargs="+", help="undo just these")
        for field in ("scope", "subject", "written-by", "source", "actor"):
            parser.add_argument(f"--{field}")
        parser.add_argument("--ids", type=int, nargs="+")
        parser.add_argument("--reason", required=True)
        parser.add_argument("--dry-run", action="store_true", help="say what would change, change nothing")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *args: Any, to: int | str | None, dry_run: bool, yes: bool, **options: Any) -> None:
        part, point = _part(options), None if to is None else journal.resolve(known_at=to).known_at
        common = {"actor": actor(), "reason": options["reason"], "reader": EVERYTHING, "part": part}
        seen = rewind(point, dry_run=True, **common)
        self._show(seen)
        if dry_run:
            return
        agreed(seen.retracted + seen.restored, yes=yes)
        done = rewind(point, **common)
        self.stdout.write(f"Operation {done.operation.pk if done.operation else 'none'}.")

    def _show(self, seen: Rewound) -> None:
        for moved in seen.changes:
            before, after = (fact.value if fact else "nothing" for fact in (moved.before, moved.after))
            self.stdout.write(f"  {moved.scope}  {moved.subject}  {moved.predicate}  {before} → {after}")
        self.stdout.write(
            f"Retracted {seen.retracted:,}, said again {seen.restored:,}, of these withheld {seen.kept_forgotten:,}; "
            f"{seen.changed:,} current values change."
        )


def _part(options: dict[str, Any]) -> Part:
    texts = [name for name in ("subject", "written_by", "source") if options[name] is not None]
    clean: dict[str, Any] = {name: saying.text(name, options[name]) for name in texts}
    if options["scope"] is not None:
        clean["scope"] = saying.scope(options["scope"])
    clean |= {name: tuple(options[name]) for name in ("ids", "operations") if options[name] is not None}
    return Part(actor=options["actor"], **clean)
