"""A rewind of many rows is a job: whoever runs the jobs carries it out, in one transaction with the job's end, so that
a death of the process leaves nothing of it, and it begins again, or all of it.

What was asked stands in the job until its end only: from then on the journal has it, and erases it.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from brain.errors import BrainError, Busy
from brain.journal import clock
from brain.models import Job
from brain.reader import Reader
from brain.rewind import Part, Rewound, rewind
from brain.seen import as_seen
from brain.turns import turn

AT_ONCE = 10_000  # rows; a rewind that moves more becomes a job
KIND = "rewind"


def start(
    to: int | None, *, actor: str, reason: str, reader: Reader, part: Part, seen: dict[str, Any], rows: int, took: float
) -> Job:
    """Notes what `rewind` is to be called with. `seen` is what `as_seen` compares with, `rows` how many will move, as
    the preview counted them in `took` seconds."""
    now = clock()
    asked = {"to": to, "part": part.named(), "reason": reason, "reader": asdict(reader), "seen": seen, "took": took}
    scope = part.scope or reader.scope
    times = {"created_at": now, "updated_at": now}
    with turn():
        return Job.objects.create(kind=KIND, actor=actor, scope=scope, total=rows, request=asked, **times)


def carry_out(job: Job) -> None:
    """Rewinds as was seen, once, whoever else tries too; stops the job, with the reason, where that is refused or
    would do something else by now. Raises Busy."""
    with turn():
        Job.objects.filter(pk=job.pk, state=Job.RUNNING).update(updated_at=clock())  # from here on its time is taken
    with turn():
        if not Job.objects.filter(pk=job.pk, state=Job.RUNNING).exists():
            return
        try:
            done = as_seen(lambda: _rewind(job), job.request["seen"])
        except Busy:  # it runs again
            raise
        except BrainError as refusal:
            _end(job, Job.STOPPED, {"reason": refusal.detail})
            return
        job.operation, job.done = done.operation, job.total
        counts = {"retracted": done.retracted, "restored": done.restored, "kept_forgotten": done.kept_forgotten}
        _end(job, Job.DONE, counts)


def _rewind(job: Job) -> Rewound:
    asked = job.request
    part, reader = Part.of(asked["part"]), Reader(**asked["reader"])
    return rewind(asked["to"], actor=job.actor, reason=asked["reason"], reader=reader, part=part)


def _end(job: Job, state: str, result: dict[str, Any]) -> None:
    job.state, job.result, job.request, job.updated_at = state, result, {}, clock()
    job.save(update_fields=["state", "result", "request", "operation", "done", "updated_at"])
