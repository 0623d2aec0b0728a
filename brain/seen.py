"""What was previewed is done as it was seen, or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from brain.describe import FactAt
from brain.errors import Conflict
from brain.journal import canonical
from brain.moved import Moved
from brain.rewind import Rewound
from brain.turns import turn

if TYPE_CHECKING:
    from brain.forget import Forgotten  # it starts jobs, and a job is done as it was seen


class MovedOn(Conflict):
    """What would happen now is not what was previewed; nothing was changed."""


def size(done: Forgotten | Rewound) -> int:
    """The count that is typed to confirm."""
    if isinstance(done, Rewound):
        return done.retracted or done.restored
    return done.forgotten or done.purged


def mark(done: Forgotten | Rewound) -> str:
    """A short digest of what a verb does, or would do, to the facts; answers left meanwhile do not count."""
    if isinstance(done, Rewound):
        counts = [done.retracted, done.restored, done.kept_forgotten, done.changed]
        moved = [(*_key(one), one.before and one.before.value, one.after and one.after.value) for one in done.changes]
    else:
        counts = [done.matched, done.forgotten, done.purged, done.held, done.changed]
        moved = [(*_key(one), one.value, None) for one in done.changes]
    return hashlib.sha256(canonical([counts, moved])).hexdigest()[:16]


def _key(one: Moved | FactAt) -> tuple[str, str, str]:
    return one.scope, one.subject, one.predicate


def as_seen[Done: (Forgotten, Rewound)](act: Callable[[], Done], confirmed: dict[str, Any]) -> Done:
    """Does it, unless it comes to something else than what was seen and typed: then it leaves no trace. Raises
    MovedOn."""
    with turn():
        done = act()
        if (mark(done), size(done)) != (confirmed["seen"], confirmed["expected"]):
            raise MovedOn("The brain has changed since you looked, and this would do something else now.")
    return done
