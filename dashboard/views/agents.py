"""Agents: who holds which token, what each reads and writes; tokens are handed out here and shown once."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from brain import journal, tokens
from brain.errors import BrainError, Conflict, NotFound
from brain.tokens import GRANTS, MANAGE
from dashboard import fields, roles
from dashboard.agents import DAYS, agents
from dashboard.allowed import needs
from dashboard.views.journal import lines

MOST, RECENT = 500, 20
OPENS = {
    "memory:read": "read facts, search, its own receipts",
    "memory:write": "write facts; take back its own",
    "write:as": "write in another’s name",
    "write:curated": "write with the authority of a price list",
    "memory:forget": "withhold and erase what anybody wrote",
    "memory:manage": "rewind, freeze, settle claims, hand out tokens",
    "audit:read": "see withheld facts, the journal, others’ receipts",
    "delete:direct": "delete without asking a person first",
}


class TokenForm(forms.Form):
    name = fields.Text("written_by", label="Name", required=True)
    grants = forms.MultipleChoiceField(
        label="It may",
        choices=[(grant, f"{OPENS[grant]} ({grant})") for grant in GRANTS],
        widget=forms.CheckboxSelectMultiple,
        initial=["memory:read"],
    )
    scope = fields.Text("scope", label="Scope", widget=forms.TextInput(attrs={"placeholder": "/ and below"}))
    as_of = fields.Instant(label="Pinned to", widget=forms.TextInput(attrs={"placeholder": "not pinned: it reads now"}))
    expires_at = fields.Through(label="Valid through", widget=forms.TextInput(attrs={"placeholder": "until revoked"}))
    rate = forms.IntegerField(label="Requests a second (0: no limit)", min_value=0, initial=tokens.RATE)
    owner = forms.CharField(label="Who answers for it", required=False)

    def clean_owner(self) -> User | None:
        name = self.cleaned_data["owner"].strip()
        users = get_user_model()
        found = users.objects.filter(**{users.USERNAME_FIELD: name}, is_active=True).first()
        if name and found is None:
            raise forms.ValidationError("There is no such user.")
        return found

    def refuse(self, refusal: BrainError) -> None:
        for field, message in refusal.errors or [("name", refusal.detail)]:
            self.add_error(field if field in self.fields else None, f"{message[:1].upper()}{message[1:]}.")


@needs(MANAGE)
def agents_page(request: HttpRequest) -> HttpResponse:
    found = agents(list(tokens.tokens(roles.reader(request))[:MOST]))
    live = [agent for agent in found if agent.state == "active"]
    gone = [agent for agent in found if agent.state != "active"]
    return render(request, "agents/page.html", {"agents": live, "gone": gone, "days": DAYS, "opens": OPENS})


@never_cache
@needs(MANAGE)
def new_agent(request: HttpRequest) -> HttpResponse:
    form = TokenForm(request.POST if request.method == "POST" else None, initial={"owner": request.user})
    if form.is_valid():
        given = dict(form.cleaned_data)
        name, scope, owner = given.pop("name"), given.pop("scope") or "/", given.pop("owner") or _me(request)
        try:
            token, plain = tokens.issue(name, scope=scope, owner=owner, **given)
        except BrainError as refusal:
            form.refuse(refusal)
        else:
            return _shown_once(request, token.name, plain)
    return render(request, "agents/new.html", {"form": form}, status=422 if form.errors else 200)


def _me(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _shown_once(request: HttpRequest, name: str, plain: str) -> HttpResponse:
    """The one answer that holds the token's text: it is nowhere else, so it is not redirected to."""
    address = request.build_absolute_uri("/")
    return render(request, "agents/token.html", {"name": name, "plain": plain, "address": address})


@needs(MANAGE)
def agent_page(request: HttpRequest, name: str) -> HttpResponse:
    reader = roles.reader(request)
    token = tokens.tokens(reader).filter(name=name).first()
    if token is None:
        raise Http404
    [agent] = agents([token])
    recent = list(journal.operations(reader, actor=name)[:RECENT])
    context: dict[str, Any] = {"agent": agent, "token": token, "days": DAYS, "recent": lines(recent, reader)}
    context["grants"] = [(grant, OPENS.get(grant, "")) for grant in token.grants]
    return render(request, "agents/agent.html", context)


@never_cache
@require_POST
@needs(MANAGE)
def rotate_agent(request: HttpRequest, name: str) -> HttpResponse:
    try:
        return _shown_once(request, name, tokens.rotate(name, reader=roles.reader(request)))
    except NotFound as missing:
        raise Http404(missing.detail) from missing
    except Conflict as refusal:
        messages.error(request, f"{refusal.detail}; nothing was changed.")
        return redirect("agent", name=name)


@require_POST
@needs(MANAGE)
def revoke_agent(request: HttpRequest, name: str) -> HttpResponse:
    try:
        tokens.revoke(name, reader=roles.reader(request))
    except NotFound as missing:
        raise Http404(missing.detail) from missing
    messages.success(request, f"{name} is revoked: its token opens nothing any more. What it wrote stays as it is.")
    return redirect("agent", name=name)
