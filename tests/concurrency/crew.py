"""Processes that work on one brain at once: `python -m tests.concurrency.crew TASK …`, a line for each answer."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import django
from django.conf import settings

if TYPE_CHECKING:
    from brain.saying import Saying

KEYS = [f"product {number}" for number in range(10)]
DAY = 86_400_000
BEGIN = 1_704_067_200_000  # 2024-01-01
LEAK = "leaked-sheet"


def start(task: str, *arguments: object) -> subprocess.Popen[str]:
    """A process of the crew over the database that the test runs on."""
    command = [sys.executable, "-m", "tests.concurrency.crew", task, *map(str, arguments)]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "dashboard.settings"}
    return subprocess.Popen(command, cwd=settings.BASE_DIR, env=environment, stdout=subprocess.PIPE, text=True)


def acknowledged(process: subprocess.Popen[str]) -> list[int]:
    """The facts that a process was told were stored, once it is done."""
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    return [int(line) for line in out.splitlines()]


def write(name: str, number: str) -> None:
    """Writes values that nobody else writes, to the shared keys, into past, present and future of both tracks."""
    from brain.remember import remember

    dice = random.Random(name)
    for n in range(int(number)):
        done = patiently(partial(remember, _saying(dice, name, n), actor=name))
        print(done.fact.origin_id, flush=True)


def _saying(dice: random.Random, name: str, n: int) -> Saying:
    from brain.saying import Saying

    learned_at = dice.choice([None, BEGIN + dice.randrange(1000) * DAY, BEGIN + dice.randrange(40_000, 41_000) * DAY])
    temporary = dice.random() < 0.3
    expires_at = BEGIN + 42_000 * DAY if temporary else None
    return Saying(dice.choice(KEYS), "price", f"{name}-{n}", "sheet", name, learned_at, expires_at, temporary)


def retain(times: str) -> None:
    """Retention of what was superseded before the writers' first day, again and again."""
    from brain.forget import retain as take
    from brain.reader import EVERYTHING

    for _ in range(int(times)):
        patiently(partial(take, BEGIN, actor="operator 1", reason="90 days", reader=EVERYTHING))


def purge(times: str) -> None:
    """Purges what came from the leak, and teaches it again."""
    from brain.forget import forget
    from brain.reader import EVERYTHING
    from brain.remember import remember
    from brain.saying import Saying
    from brain.selectors import Selector

    who, leaked = "operator 2", Selector(source=LEAK)
    for n in range(int(times)):
        saying = Saying(KEYS[n % 10], "price", f"leak {n}", LEAK, who, BEGIN + n * DAY)
        patiently(partial(remember, saying, actor=who))
        patiently(partial(forget, leaked, actor=who, reason="leak", reader=EVERYTHING, purge=True))


def patiently[Done](act: Callable[[], Done]) -> Done:
    """Busy is safe to repeat."""
    from brain.errors import Busy

    while True:
        try:
            return act()
        except Busy:
            continue


if __name__ == "__main__":
    django.setup()
    {"write": write, "retain": retain, "purge": purge}[sys.argv[1]](*sys.argv[2:])
