"""Long work survives the death of its process: what is left to do stands in the tables, and any runner goes on."""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import QuerySet

from brain import rewind_later
from brain.erasure import CHUNK, Words, drop_scope, erase_chunk, pending
from brain.journal import clock
from brain.models import Job, Operation
from brain.querysets import under
from brain.reader import Reader
from brain.storage import wipe


def jobs(reader: Reader) -> QuerySet[Job]:
    """The jobs of this reader's subtree, newest first."""
    return Job.objects.filter(under(reader.scope, "scope"))


def start_erasing(operation: Operation, kind: str, scope: str, total: int) -> Job:
    """Notes, within the operation's turn, that its rows are waiting to be erased."""
    now = clock()
    return Job.objects.create(
        kind=kind,
        actor=operation.actor,
        scope=scope,
        total=total,
        request={"scope": scope},
        operation=operation,
        created_at=now,
        updated_at=now,
    )


def run_waiting(progress: Callable[[Job], None] = lambda job: None) -> int:
    """Carries on with every running job to its end; returns how many there were. Runners that meet do no harm: each
    chunk, and each rewind, is a turn of its own."""
    waiting = list(Job.objects.filter(state=Job.RUNNING).order_by("id"))
    for job in waiting:
        run(job, progress)
    return len(waiting)


def run(job: Job, progress: Callable[[Job], None] = lambda job: None) -> None:
    if job.kind == rewind_later.KIND:
        rewind_later.carry_out(job)
    else:
        _erase(job, progress)
    progress(job)


def _erase(job: Job, progress: Callable[[Job], None]) -> None:
    words = Words()
    while erase_chunk(words, CHUNK):
        _note(job, done=max(0, job.total - pending().count()))
        progress(job)
    if job.kind == "forget_scope":
        drop_scope(job.request["scope"])
    _note(job, done=job.total, state=Job.DONE, result={"storage": wipe()})


def _note(job: Job, **changes: object) -> None:
    for name, value in changes.items():
        setattr(job, name, value)
    job.updated_at = clock()
    job.save(update_fields=[*changes, "updated_at"])
