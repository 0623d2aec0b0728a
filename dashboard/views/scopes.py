"""Scopes: made, closed to new writes, frozen and thawed; none of it touches a fact."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from brain import scopes
from brain.errors import BrainError
from brain.tokens import MANAGE
from dashboard import fields, roles
from dashboard.allowed import actor, needs
from dashboard.confirming import Reason

ACTS = {
    "freeze": (scopes.freeze, "is frozen: nothing is written, ended or forgotten there. Reads go on."),
    "unfreeze": (scopes.unfreeze, "is thawed: it can be written to again."),
    "tombstone": (scopes.tombstone, "is closed: it takes no new writes. Its facts stay as they are."),
    "register": (scopes.register, "is open for writing."),
}
MOST = 500


class ScopeForm(Reason):
    scope = fields.Text("scope", label="Scope", required=True)
    act = forms.ChoiceField(choices=[(name, name) for name in ACTS])


@needs(MANAGE)
def scopes_page(request: HttpRequest) -> HttpResponse:
    form = ScopeForm(request.POST) if request.method == "POST" else None
    problem = ""
    if form is not None and form.is_valid():
        scope, verb = form.cleaned_data["scope"], form.cleaned_data["act"]
        change, said = ACTS[verb]
        try:
            done = change(scope, actor=actor(request), reason=form.cleaned_data["reason"])
        except BrainError as refusal:
            problem = refusal.detail
        else:
            messages.success(request, f"{'The whole brain' if scope == '/' else scope} {said} Operation {done.pk}.")
            return redirect("scopes")
    elif form is not None:
        problem = " ".join(str(error) for errors in form.errors.values() for error in errors)
    found = scopes.scopes(roles.reader(request)).select_related("frozen_in", "tombstoned_in", "registered_in")[:MOST]
    context = {"scopes": list(found), "problem": problem, "form": form, "most": MOST}
    return render(request, "scopes/page.html", context, status=409 if problem else 200)
