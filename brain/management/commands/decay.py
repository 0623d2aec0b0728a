"""`manage.py decay`: one step of fading, for cron where no server runs."""

from __future__ import annotations

from brain import lifecycle
from brain.management.passing import PassCommand


class Command(PassCommand):
    help = "Let the importance of facts fade by one step. Nothing ends."
    verb = staticmethod(lifecycle.decay)
    said = "faded"
