"""What a process that serves agents does on the side: receipts reach the database, facts get their vectors."""

from __future__ import annotations

from brain import drainer, vectors
from dashboard.api.embedding import backend


def start() -> None:
    """Once a process, after any fork."""
    drainer.start(store_vectors)


def store_vectors() -> None:
    """For as long as this process is searched by meaning; before that no model is loaded."""
    embedding = backend()
    if embedding is not None and vectors.in_use(embedding):
        vectors.store_missing(embedding)
