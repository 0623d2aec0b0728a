"""Tokens are handed out here, each shown once; and long work is looked at."""

from __future__ import annotations

from typing import Annotated, Any

from django.contrib.auth import get_user_model
from django.http import HttpResponse
from ninja import Body as BodyOf
from ninja import Query
from pydantic import Field

from brain import jobs, tokens
from brain.models import AgentToken, Job
from brain.time import AsOf
from dashboard.api import fields, write_shapes
from dashboard.api.answers import Keeping, WriteAnswer, encode, instant, read_json, write_answer
from dashboard.api.auth import Caller
from dashboard.api.errors import Refusal
from dashboard.api.fields import Body
from dashboard.api.gate import ApiRequest
from dashboard.api.paging import PagedAndTimed, Position, keyed, listed, page_of
from dashboard.api.reads import existing
from dashboard.api.routing import router

GRANT_SCHEMA = {"items": {"type": "string", "enum": list(tokens.GRANTS)}}


class TokenBody(Body):
    name: fields.Writer
    grants: Annotated[list[str], Field(min_length=1, max_length=len(tokens.GRANTS), json_schema_extra=GRANT_SCHEMA)]
    scope: fields.Scope | None = None
    as_of: fields.Instant | None = None
    expires_at: fields.Instant | None = None
    rate: Annotated[int, Field(ge=0, le=tokens.MOST_RATE)] = tokens.RATE
    owner: Annotated[str, Field(min_length=1, max_length=150)] | None = None

    def model_post_init(self, _: object) -> None:
        tokens.check(self.grants, as_of=self.as_of, expires_at=self.expires_at, rate=self.rate)


@router.get("/tokens", response=write_shapes.Tokens, operation_id="list_tokens")
def list_tokens(request: ApiRequest, given: Query[PagedAndTimed]) -> HttpResponse:
    """The tokens of the caller's subtree, revoked ones included; never their text."""
    rows = tokens.tokens(request.caller.reader)

    def fetch(at: AsOf, after: Position | None, limit: int) -> tuple[list[dict[str, Any]], Position | None]:
        found, following = keyed(rows, "name", after, limit)
        return [_token(token) for token in found], following

    return listed(request, given, page_of(request, given), fetch, lambda at: {"total": rows.count()})


def _token(token: AgentToken) -> dict[str, Any]:
    return {
        "name": token.name,
        "owner": token.owner.get_username() if token.owner else None,
        "grants": token.grants,
        "scope": token.scope,
        "as_of": instant(token.as_of),
        "expires_at": instant(token.expires_at),
        "rate": token.rate,
        "created_at": instant(token.created_at),
        "revoked_at": instant(token.revoked_at),
    }


@router.post("/tokens", response={201: write_shapes.NewToken}, operation_id="issue_token")
def post_token(request: ApiRequest, body: BodyOf[TokenBody]) -> WriteAnswer:
    """A new token, shown in this answer and never again: a repeated request gets null in its place."""
    caller = request.caller
    scope, owner = caller.within(body.scope), _owner(body.owner, caller)
    for grant in body.grants:
        caller.require(grant, f"giving {grant}")
    token, plain = tokens.issue(
        body.name,
        grants=body.grants,
        scope=scope,
        as_of=body.as_of,
        expires_at=body.expires_at,
        owner=owner,
        rate=body.rate,
    )
    answer = {"token": plain, "name": token.name}
    return WriteAnswer(answer, Keeping(stands_in=encode(answer | {"token": None})), status=201)


def _owner(name: str | None, caller: Caller) -> Any:
    """The person who answers for the token, by default the one behind the call."""
    if name is None:
        return caller.owner
    user = get_user_model()
    found = user.objects.filter(**{user.USERNAME_FIELD: name}, is_active=True).first()
    if found is None:
        raise Refusal.invalid([("owner", "is no user")])
    return found


@router.delete("/tokens/{path:name}", response=write_shapes.Revoked, operation_id="revoke_token")
def delete_token(request: ApiRequest, name: str) -> WriteAnswer:
    """From now on the token opens nothing; its name stays taken."""
    token = tokens.revoke(name, reader=request.caller.reader)
    return write_answer({"name": token.name, "revoked_at": instant(token.revoked_at)}, operation_id=None)


# -- long work


@router.get("/jobs", response=write_shapes.Jobs, operation_id="list_jobs")
def list_jobs(request: ApiRequest, given: Query[PagedAndTimed]) -> HttpResponse:
    """Long work and how far it is."""
    rows = jobs.jobs(request.caller.reader)

    def fetch(at: AsOf, after: Position | None, limit: int) -> tuple[list[dict[str, Any]], Position | None]:
        found, following = keyed(rows, "id", after, limit)
        return [_job(job) for job in found], following

    return listed(request, given, page_of(request, given), fetch, lambda at: {"total": rows.count()})


@router.get("/jobs/{int:job_id}", response=write_shapes.Job, operation_id="get_job")
def get_job(request: ApiRequest, job_id: int) -> HttpResponse:
    job = jobs.jobs(request.caller.reader).filter(id=existing(job_id)).first()
    if job is None:
        raise Refusal("not_found", f"there is no job {job_id}")
    return read_json(request, _job(job), _job(job))


def _job(job: Job) -> dict[str, Any]:
    return {
        "id": job.pk,
        "kind": job.kind,
        "state": job.state,
        "actor": job.actor,
        "scope": job.scope,
        "total": job.total,
        "done": job.done,
        "result": job.result,
        "operation": job.operation_id,
        "created_at": instant(job.created_at),
        "updated_at": instant(job.updated_at),
    }
