"""The site map."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, register_converter

from dashboard.api import mcp
from dashboard.api.rest import api
from dashboard.paths import Subject
from dashboard.views import facts, health, session, subjects

register_converter(Subject, "subject")

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", api.urls),
    path("", facts.facts, name="facts"),
    path("", include("dashboard.editing_urls")),
    path("subjects/<subject:name>", subjects.subject, name="subject"),
    path("", include("dashboard.operations_urls")),
    path("sign-in", session.SignIn.as_view(), name="sign-in"),
    path("sign-out", session.SignOut.as_view(), name="sign-out"),
    path("admin/", admin.site.urls),
    path("mcp", mcp.endpoint, name="mcp"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
]
