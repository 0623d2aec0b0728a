"""`manage.py expire`: the expiry pass, for cron where no server runs."""

from __future__ import annotations

from brain import lifecycle
from brain.management.passing import PassCommand


class Command(PassCommand):
    help = "Note in the journal how many facts ran out since the last pass. Reads need no pass."
    verb = staticmethod(lifecycle.expire)
    said = "ran out"
