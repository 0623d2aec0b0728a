"""`manage.py create_token`: a token for an agent, printed once, alone on the last line."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import CommandError

from brain import tokens
from brain.management.base import BrainCommand, instant


class Command(BrainCommand):
    help = "Issue an agent's token. It is printed once, alone on the last line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="its name, never a user's or another writer's")
        parser.add_argument(
            "--grant",
            nargs="+",
            action="extend",
            required=True,
            dest="grants",
            metavar="G",
            help=", ".join(tokens.GRANTS),
        )
        parser.add_argument("--scope", default="/", help="the subtree that exists for it (default: /)")
        parser.add_argument("--as-of", type=instant, metavar="T", help="pins its reads to an instant")
        parser.add_argument("--expires", type=instant, metavar="T", dest="expires_at")
        parser.add_argument("--owner", metavar="U", help="the user who answers for it")
        parser.add_argument(
            "--rate", type=int, default=tokens.RATE, metavar="N", help="requests a second, 0 = no limit"
        )

    def handle(self, *args: Any, name: str, owner: str | None, **options: Any) -> None:
        terms = {key: options[key] for key in ("grants", "scope", "as_of", "expires_at", "rate")}
        token, plain = tokens.issue(name, owner=self._user(owner), **terms)
        self.stdout.write(
            f"Token {token.name} for {token.scope} with {', '.join(token.grants)}; it is shown only here:"
        )
        self.stdout.write(plain)

    def _user(self, name: str | None) -> Any:
        if name is None:
            return None
        model = get_user_model()
        found = model.objects.filter(**{model.USERNAME_FIELD: name}).first()
        if found is None:
            raise CommandError(f"There is no user {name!r}.")
        return found
