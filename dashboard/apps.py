"""The web project and every other way in."""

from django.apps import AppConfig


class DashboardConfig(AppConfig):
    name = "dashboard"
