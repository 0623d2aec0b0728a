"""`manage.py serve`: the production server, which starts only over a database and a configuration fit for it."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from brain.management.tables import make_tables
from dashboard.demo import USER
from dashboard.serving import address, serve


class Command(BaseCommand):
    help = "Serve the dashboard and the API over the configured database."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (default: one a core)")

    def handle(self, *args: Any, host: str, port: int, workers: int, **options: Any) -> None:
        if not settings.DEBUG and not os.environ.get("SECRET_KEY"):
            raise CommandError("SECRET_KEY is not set: set it to a long random text before serving.")
        if workers < 1:
            raise CommandError("--workers must be at least 1")
        make_tables()
        if not settings.DEBUG and get_user_model().objects.filter(username=USER).exists():
            raise CommandError(
                f"This database holds the sample's user {USER!r}, so it is not served: "
                "point DATABASE_URL at another, or set DEBUG=1 to look at it."
            )
        try:
            place = address(host, port)
        except OSError as error:
            raise CommandError(f"Cannot listen on {host}, port {port}: {error.strerror}") from error
        line = f"Serving on http://{host}:{port}/ with {workers} workers. Stop with Ctrl+C."
        serve(host=place, port=port, workers=workers, ready=lambda: self.stderr.write(line))
