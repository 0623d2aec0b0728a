"""The memory as a Django application: models, verbs and reads, no request, template or page."""

from django.apps import AppConfig


class BrainConfig(AppConfig):
    name = "brain"
    default_auto_field = "django.db.models.BigAutoField"
