"""Review: what waits for a person, each with its evidence and its decision in place; empty is a good state."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.shortcuts import render as render_page
from django.views.decorators.http import require_POST

from brain import approvals, dispute, journal, lookalikes
from brain.describe import describe
from brain.errors import BrainError, NotFound
from brain.models import Approval
from brain.tokens import AUDIT, FORGET
from dashboard import roles
from dashboard.allowed import CLAIMS, actor, may, needs
from dashboard.confirming import Reason
from dashboard.htmx import render, wants_partial
from dashboard.waiting import asked_for, claims, ending, own_names

MOST_ALIKE = 100


@needs(CLAIMS, FORGET, AUDIT)
def review_page(request: HttpRequest) -> HttpResponse:
    reader = roles.reader(request)
    at, names = journal.resolve(reader=reader), own_names(request)
    context: dict[str, Any] = {"claims": claims(reader, at, names), "ending": ending(request, reader, at)}
    sees_asked = may(request, FORGET) or may(request, AUDIT)
    context |= {"asked": asked_for(reader, at, names) if sees_asked else [], "sees_asked": sees_asked}
    context["total"] = len(context["asked"]) + len(context["claims"])
    context |= {"may_settle": may(request, CLAIMS), "may_decide": may(request, FORGET)}
    return render_page(request, "review/page.html", context)


@needs(CLAIMS, FORGET, AUDIT)
def alike(request: HttpRequest) -> HttpResponse:
    """Look-alike keys: looked for when asked, since it reads every key."""
    reader = roles.reader(request)
    at = journal.resolve(reader=reader)
    found = lookalikes.groups(reader, at, most=MOST_ALIKE)
    groups = [describe(rows, at, reader) for rows in found]
    return render(request, "review/alike.html", {"groups": groups}, partial="alike")


@require_POST
@needs(CLAIMS)
def settle_claim(request: HttpRequest, number: int) -> HttpResponse:
    """Accepts or rejects a claim, with a reason."""
    act = {"accept": dispute.accept, "reject": dispute.reject}.get(request.POST.get("act", ""))
    reason = Reason(request.POST)
    if act is None or not reason.is_valid():
        return _answer(request, f"claim-{number}", "Say why: the reason is kept in the journal.", status=422)
    given = {"actor": actor(request), "reason": reason.cleaned_data["reason"], "own_names": own_names(request)}
    try:
        done = act(number, reader=roles.reader(request), **given)
    except NotFound as missing:
        raise Http404(missing.detail) from missing
    except BrainError as refusal:
        return _answer(request, f"claim-{number}", f"Not done: {refusal.detail}.", status=422)
    said = "Accepted: it holds now" if done.outcome == "accepted" else "Rejected: what held goes on holding"
    return _answer(request, f"claim-{number}", said, operation=done.operation_id)


@require_POST
@needs(FORGET)
def decide(request: HttpRequest, number: int) -> HttpResponse:
    """Approves or rejects a delete that an agent asked for, with a reason."""
    act = {"accept": approvals.approve, "reject": approvals.reject}.get(request.POST.get("act", ""))
    reason, card = Reason(request.POST), f"approval-{number}"
    if act is None or not reason.is_valid():
        return _answer(request, card, "Say why: the reason is kept.", status=422)
    try:
        asked = act(number, by=actor(request), reason=reason.cleaned_data["reason"], reader=roles.reader(request))
    except NotFound as missing:
        raise Http404(missing.detail) from missing
    except BrainError as refusal:
        return _answer(request, card, f"Not done: {refusal.detail}.", status=422)
    return _answer(
        request, card, STATES.get(asked.state, asked.state).format(asked.detail), operation=asked.operation_id
    )


STATES = {
    Approval.EXECUTED: "Approved: the fact is withheld from every agent",
    Approval.REJECTED: "Rejected: the fact stays, and the agent is told",
    Approval.STALE: "Too late: the fact has changed since it was asked for, so nothing was done",
    Approval.FAILED: "Not done: {}",
    Approval.EXPIRED: "Too late: nobody decided in time",
}


def _answer(
    request: HttpRequest, card: str, said: str, *, operation: int | None = None, status: int = 200
) -> HttpResponse:
    """What became of the decision: in the card's place, or as a message on the page."""
    if wants_partial(request):
        context = {"card": card, "said": said, "operation": operation, "refused": status >= 400, "out_of_band": True}
        answer = render_page(request, "review/decided.html", context)
        if status >= 400:  # the card stays, and says what is missing
            answer["HX-Retarget"], answer["HX-Reswap"] = f"#{card}-said", "innerHTML"
        return answer
    (messages.error if status >= 400 else messages.success)(request, said)
    return redirect("review")
