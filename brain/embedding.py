"""An embedding turns texts into vectors of length one, so that near meanings have a large product."""

from __future__ import annotations

import json
import logging
import threading
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
log = logging.getLogger(__name__)


class Embedding(Protocol):
    """`name` says which vectors can be compared: those of the same name."""

    @property
    def name(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> Vectors: ...


def unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths == 0, 1, lengths), dtype=np.float32)


@dataclass
class WordLlama:
    """A static model that its package ships whole: no download, no service, 0.05 ms a text."""

    name: str = "wordllama/l2_supercat/256"
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _model: Any = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        return unit(self._loaded().embed(list(texts)))

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                from wordllama import WordLlama as Model  # takes a second to import: only who asks for it pays

                self._model = Model.load(cache_dir=files("wordllama"), disable_download=True)
            return self._model


@dataclass
class Endpoint:
    """An OpenAI-compatible server: POST {url} with {model, input} answers {data: [{embedding}]}."""

    url: str
    model: str
    key: str = ""
    patience: float = 10.0

    @property
    def name(self) -> str:
        return f"{self.url} {self.model}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Raises OSError where the server cannot be reached or answers with an error."""
        request = urllib.request.Request(
            self.url,
            data=json.dumps({"model": self.model, "input": list(texts)}).encode(),
            headers={"Content-Type": "application/json"}
            | ({"Authorization": f"Bearer {self.key}"} if self.key else {}),
        )
        with urllib.request.urlopen(request, timeout=self.patience) as answer:
            raw = answer.read()
        try:
            entries = json.loads(raw)["data"]
            vectors = np.asarray([entries[n]["embedding"] for n in range(len(texts))], dtype=np.float32)
            return unit(vectors.reshape(len(texts), -1))
        except (LookupError, TypeError, ValueError) as error:
            raise OSError(f"{self.url} answered with something else than vectors") from error
