"""The sample brain of `manage.py demo`: the Tier 2 renewal story as it was, and enough around it to look alive."""

from __future__ import annotations

USER = "demo"
