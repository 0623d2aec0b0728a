"""A command meets a database with all its tables, or says in a sentence what is missing."""

from __future__ import annotations

from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from django.db.migrations.executor import MigrationExecutor


def pending() -> list[str]:
    """Names of the migrations that the database lacks. Raises CommandError when it does not answer."""
    try:
        executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
    except OperationalError as error:
        raise CommandError(f"The database does not answer: {error}") from error
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _ in plan]


def require_tables() -> None:
    if pending():
        raise CommandError("The database lacks tables of this version: run manage.py migrate first.")


def make_tables() -> None:
    """Applies the migrations that the database lacks."""
    if pending():
        call_command("migrate", interactive=False, verbosity=0)
