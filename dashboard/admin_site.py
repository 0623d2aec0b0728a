"""Django's admin, open to administrators only, who come in by the same door as everybody else."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url

from dashboard import roles


class Site(admin.AdminSite):
    site_header = "Palimpsest, behind the scenes"
    site_title = "Palimpsest"
    index_title = "People, tokens, and what the brain stores"

    def has_permission(self, request: HttpRequest) -> bool:
        return roles.ADMINISTRATOR in roles.roles(request.user)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if request.user.is_authenticated:
            raise PermissionDenied("This is for administrators.")
        return redirect_to_login(request.GET.get("next", request.path), resolve_url("sign-in"))
