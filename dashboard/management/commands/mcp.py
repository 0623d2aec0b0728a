"""`manage.py mcp`: the tools over stdio, for an agent that starts its own server."""

from __future__ import annotations

import os
from typing import Any

import anyio
from django.core.management.base import BaseCommand, CommandError
from mcp.server.stdio import stdio_server

from brain import tokens
from dashboard import background
from dashboard.api.mcp import server


class Command(BaseCommand):
    help = "Serve the tools of agents over stdio (Model Context Protocol). The token is read from BRAIN_TOKEN."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        bearer = os.environ.get("BRAIN_TOKEN", "")
        if not bearer:
            raise CommandError("BRAIN_TOKEN is not set: give it the text of a token from manage.py create_token")
        if tokens.authenticate(bearer) is None:
            raise CommandError("the token in BRAIN_TOKEN is unknown, revoked or has expired")
        background.start()
        anyio.run(_serve, bearer)


async def _serve(bearer: str) -> None:
    speaking = server(bearer)
    async with stdio_server() as (incoming, outgoing):
        await speaking.run(incoming, outgoing, speaking.create_initialization_options())
