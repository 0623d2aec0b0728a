"""`manage.py demo`: a sample brain in data/demo.db, a user and a token for it, served on loopback."""

from __future__ import annotations

import os
import secrets
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from brain.management.tables import make_tables
from dashboard.demo import USER, Keys, prepare
from dashboard.serving import address, serve

HOST = "127.0.0.1"
WELCOME = """
Palimpsest serves its sample brain, data/demo.db. Stop with Ctrl+C.

  open      {url}
  user      {user}
  password  {password}
  token     {token}

  curl -H "Authorization: Bearer {token}" \\
    "{url}api/v1/recall?subject=Tier+2+renewal&as_of=2026-02-09"
"""


class Command(BaseCommand):
    help = "Serve a sample brain, with a user and a token for it, on loopback."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, port: int, **options: Any) -> None:
        url = f"sqlite:///{settings.BASE_DIR / 'data' / 'demo.db'}"
        if os.environ.get("DATABASE_URL") != url:
            _start_over(url)
        try:
            address(HOST, port)
        except OSError as error:
            raise CommandError(
                f"Cannot listen on port {port}: {error.strerror}. Choose another with --port."
            ) from error
        make_tables()
        keys = prepare()
        serve(host=HOST, port=port, workers=1, ready=lambda: self._welcome(port, keys))

    def _welcome(self, port: int, keys: Keys) -> None:
        shown = {"url": f"http://{HOST}:{port}/", "user": USER, "password": keys.password, "token": keys.token}
        self.stdout.write(WELCOME.format(**shown))
        self.stdout.flush()


def _start_over(url: str) -> None:
    """Settings are read once, at the start: the same command begins again over the sample's database."""
    kept = {name: value for name, value in os.environ.items() if name not in {"DEBUG", "BRAIN_HTTPS", "ALLOWED_HOSTS"}}
    environment = kept | {"DATABASE_URL": url, "SECRET_KEY": secrets.token_urlsafe(48)}
    sys.stdout.flush()
    os.execve(sys.executable, [sys.executable, *sys.argv], environment)
