"""The site map."""

from django.urls import URLPattern, URLResolver, path

from dashboard.api.rest import api

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", api.urls),
]
