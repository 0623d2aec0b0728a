"""Text that is compared and ordered by code point on both databases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

if TYPE_CHECKING:
    _Text = models.TextField[Any, str]
else:
    _Text = models.TextField


class ExactText(_Text):
    """Unbounded text in PostgreSQL's "C" collation; SQLite's default compares by bytes already."""

    def db_parameters(self, connection: BaseDatabaseWrapper) -> dict[str, Any]:
        collation = "C" if connection.vendor == "postgresql" else None
        return {**super().db_parameters(connection), "collation": collation}

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        return "text"

    def cast_db_type(self, connection: BaseDatabaseWrapper) -> str:
        return "text"
