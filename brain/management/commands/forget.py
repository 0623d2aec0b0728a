"""`manage.py forget`: withhold, erase by selector, erase what is superseded, or erase a scope; previewed first."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from typing import Any

from django.core.management.base import CommandError

from brain import jobs, selectors
from brain.forget import Forgotten, forget, forget_scope, retain
from brain.management.base import BrainCommand, actor, instant
from brain.management.consent import agreed
from brain.reader import EVERYTHING
from brain.taken import BASES

FIELDS = ("ids", "subject", "predicate", "source", "written_by", "scope", "q")
Form = Callable[..., Forgotten]


class Command(BrainCommand):
    help = "Forget facts: softly, or with --purge for good; what is superseded; or a whole scope."

    def add_arguments(self, parser: ArgumentParser) -> None:
        for field in FIELDS[1:]:
            parser.add_argument(f"--{field.replace('_', '-')}")
        parser.add_argument("--ids", type=int, nargs="+")
        parser.add_argument("--purge", action="store_true", help="erase instead of withholding")
        parser.add_argument("--block-relearning", action="store_true", help="refuse the same values from now on")
        parser.add_argument("--superseded-before", type=instant, metavar="T", help="erase what was superseded")
        parser.add_argument("--basis", choices=BASES, default=BASES[0])
        parser.add_argument("--recursive", action="store_true", help="with --scope alone: erase all that is under it")
        parser.add_argument("--reason", required=True)
        parser.add_argument("--dry-run", action="store_true", help="say what would go, change nothing")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *args: Any, dry_run: bool, yes: bool, **options: Any) -> None:
        form = _form(options)
        seen = form(dry_run=True)
        self._show(seen)
        if dry_run:
            return
        agreed(seen.matched, yes=yes)
        done = form()
        if done.job is not None:
            jobs.run(done.job)
        operation = done.operation.pk if done.operation else "none"
        self.stdout.write(f"Operation {operation}: forgotten {done.forgotten:,}, purged {done.purged:,}.")

    def _show(self, seen: Forgotten) -> None:
        for fact in seen.sample:
            self.stdout.write(f"  {fact.scope}  {fact.subject}  {fact.predicate}  {fact.value}")
        more = f"; {seen.receipts_affected:,} receipts lose their explanation" if seen.receipts_affected else ""
        self.stdout.write(f"Matched {seen.matched:,}, on hold {seen.held:,}{more}.")


def _form(options: dict[str, Any]) -> Form:
    """The verb that the options ask for. Raises CommandError where they mix its forms, Invalid for bad fields."""
    given = {field: options[field] for field in FIELDS if options[field] is not None}
    common = {"actor": actor(), "reason": options["reason"], "reader": EVERYTHING}
    before, recursive = options["superseded_before"], options["recursive"]
    takes = {"superseded_before": {"scope"}, "recursive": {"scope"}}
    chosen = "superseded_before" if before is not None else "recursive" if recursive else "selector"
    if chosen != "selector" and (
        not takes[chosen].issuperset(given) or options["purge"] or options["block_relearning"]
    ):
        raise CommandError(f"--{chosen.replace('_', '-')} goes with --scope only.")
    scope = selectors.parse({"scope": given.get("scope", "/")}).scope or "/"
    if before is not None:
        return partial(retain, before, basis=options["basis"], scope=scope, **common)
    if recursive:
        if "scope" not in given:
            raise CommandError("--recursive needs --scope.")
        return partial(forget_scope, scope, **common)
    terms = {"purge": options["purge"], "block_relearning": options["block_relearning"]}
    return partial(forget, selectors.parse(given), **terms, **common)
