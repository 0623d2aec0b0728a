"""The web project and every other way in."""

import json

from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin.apps import AdminConfig
from django.core.exceptions import ImproperlyConfigured

from brain.policy import set_fading


class DashboardConfig(AppConfig):
    name = "dashboard"

    def ready(self) -> None:
        try:
            set_fading(json.loads(settings.BRAIN_FADING))
        except (ValueError, AttributeError) as problem:
            raise ImproperlyConfigured(f"BRAIN_FADING: {problem}") from problem


class DashboardAdminConfig(AdminConfig):
    default_site = "dashboard.admin_site.Site"
