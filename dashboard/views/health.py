"""What a load balancer and Prometheus ask: is the process alive, can it serve, how does it fare."""

from __future__ import annotations

from ipaddress import ip_address

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest

from dashboard.api.auth import by_bearer
from dashboard.api.errors import Refusal, refused


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "alive"}, headers={"Cache-Control": "no-store"})


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """200 when the database answers and its migrations are applied, else 503 and the reason."""
    reason = _unready()
    answer = {"status": "ready"} if reason is None else {"status": "not ready", "reason": reason}
    return JsonResponse(answer, status=200 if reason is None else 503, headers={"Cache-Control": "no-store"})


def _unready() -> str | None:
    try:
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return "the database does not answer"
    return f"{len(waiting)} migrations are not applied" if waiting else None


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus's text format, of this worker process; to this machine, or to a token."""
    if not _from_here(request):
        try:
            by_bearer(request.META.get("HTTP_AUTHORIZATION", ""))
        except Refusal as refusal:
            return refused(request, refusal)
    return HttpResponse(
        generate_latest(REGISTRY), content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"}
    )


def _from_here(request: HttpRequest) -> bool:
    """True for a request from this machine that no proxy has passed on."""
    address = request.META.get("REMOTE_ADDR", "")
    forwarded = {"HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP"} & request.META.keys()
    return bool(address) and ip_address(address).is_loopback and not forwarded
