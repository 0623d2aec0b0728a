"""Long work, running and finished: it goes on when the page is closed, and can be found again."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render as render_page

from brain import jobs, rewind_later
from brain.journal import clock
from brain.models import Job
from brain.tokens import FORGET, MANAGE
from dashboard import roles
from dashboard.allowed import needs
from dashboard.htmx import render
from dashboard.leftovers import STORAGE

MOST = 100


@needs(FORGET, MANAGE)
def jobs_page(request: HttpRequest) -> HttpResponse:
    found = jobs.jobs(roles.reader(request)).select_related("operation")[:MOST]
    return render_page(request, "jobs/page.html", {"jobs": list(found), "most": MOST})


@needs(FORGET, MANAGE)
def job_page(request: HttpRequest, number: int) -> HttpResponse:
    job = jobs.jobs(roles.reader(request)).select_related("operation").filter(pk=number).first()
    if job is None:
        raise Http404
    storage = STORAGE.get(job.result.get("storage", ""), "")
    context = {"job": job, "running": job.state == Job.RUNNING, "storage": storage}
    if job.kind == rewind_later.KIND:
        context |= _by_time(job)
    return render(request, "jobs/job.html", context, partial="job")


def _by_time(job: Job) -> dict[str, float]:
    """Nobody sees into a transaction under way: how far it is, in seconds, of as many as its preview took."""
    about = max(1.0, job.request.get("took", 0.0))
    return {"about": about, "elapsed": min(about, (clock() - job.updated_at) / 1000)}
