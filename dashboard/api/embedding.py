"""The embedding backend that the settings name: a model that ships with its package, an endpoint, or none."""

from __future__ import annotations

from functools import cache

from django.conf import settings

from brain.embedding import Embedding, Endpoint, WordLlama


@cache
def backend() -> Embedding | None:
    """BRAIN_EMBEDDING: "wordllama", the address of an OpenAI-compatible endpoint, or empty for search by text alone."""
    named: str = settings.BRAIN_EMBEDDING
    if not named:
        return None
    if named == "wordllama":
        return WordLlama()
    return Endpoint(named, settings.BRAIN_EMBEDDING_MODEL, settings.BRAIN_EMBEDDING_KEY)
