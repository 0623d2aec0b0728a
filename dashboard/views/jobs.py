"""Long work, running and finished: it goes on when the page is closed, and can be found again."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render as render_page

from brain import jobs
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
    return render(request, "jobs/job.html", context, partial="job")
