"""Staging: a file that is to be imported waits here, between its upload and its import, in a folder of its own that one
person may open; whatever is erased from the brain is erased here with everything else that waits."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from brain import spool
from brain.errors import Invalid, NotFound

KEPT = 7 * 86_400  # seconds that an import waits for the person who began it
TOKEN = re.compile(r"[A-Za-z0-9_-]{16}")
STATE = "state.json"


def directory() -> Path:
    """Beside the spool: every process of this machine meets the same one."""
    place = spool.directory()
    return place.with_name(place.name.removesuffix(".spool") + ".staging")


@dataclass(frozen=True, slots=True)
class Staged:
    """One import that is not done yet."""

    token: str
    folder: Path

    def file(self, name: str) -> Path:
        return self.folder / name

    def state(self) -> dict[str, Any]:
        """Raises NotFound once it is gone."""
        try:
            found: dict[str, Any] = json.loads(self.file(STATE).read_bytes())
        except FileNotFoundError:
            raise NotFound("this import is gone: it was erased, or it waited too long") from None
        return found

    def note(self, **changes: Any) -> dict[str, Any]:
        """Changes the state; who reads meanwhile sees the old one or the new one. Raises NotFound once it is gone."""
        state = self.state() | changes | {"at": time.time()}
        fresh = self.file(f"{STATE}.{os.getpid()}-{secrets.token_hex(4)}")
        try:
            fresh.write_text(json.dumps(state), encoding="utf-8")
            fresh.replace(self.file(STATE))
        except FileNotFoundError:
            raise NotFound("this import is gone: it was erased") from None
        return state

    def drop(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def stage(name: str, content: Iterable[bytes], *, owner: str, most: int) -> Staged:
    """Keeps an upload of at most `most` bytes; the state has its `name`, and the `file` that it lies in. Raises Invalid
    for a larger one, and for an empty one."""
    drop_old()
    token = secrets.token_urlsafe(12)
    staged = Staged(token, directory() / token)
    staged.folder.mkdir(mode=0o700, parents=True)
    size, stored = 0, f"upload{PurePath(name).suffix.lower()}"
    with staged.file(stored).open("wb") as file:
        for piece in content:
            size += len(piece)
            if size > most:
                break
            file.write(piece)
    if not 0 < size <= most:
        staged.drop()
        raise Invalid.field("file", "is empty" if not size else f"is larger than {most // 1_000_000} MB")
    staged.file(STATE).write_text(
        json.dumps({"owner": owner, "name": name, "file": stored, "at": time.time(), "step": "columns"})
    )
    return staged


def find(token: str, *, owner: str) -> Staged:
    """Raises NotFound, the same for what is gone and for what somebody else began."""
    staged = Staged(token, directory() / token)
    if not TOKEN.fullmatch(token) or staged.state()["owner"] != owner:
        raise NotFound("this import is gone")
    return staged


def waiting(*, owner: str) -> list[tuple[Staged, dict[str, Any]]]:
    """What the person began and has not finished, the latest first."""
    found = []
    for staged in _all():
        with suppress(NotFound):
            state = staged.state()
            if state["owner"] == owner:
                found.append((staged, state))
    return sorted(found, key=lambda pair: -pair[1]["at"])


def _all() -> list[Staged]:
    with suppress(FileNotFoundError):
        return [Staged(folder.name, folder) for folder in directory().iterdir() if TOKEN.fullmatch(folder.name)]
    return []


def drop_old() -> None:
    for staged in _all():
        with suppress(NotFound):
            if time.time() - staged.state()["at"] > KEPT:
                staged.drop()


def erase_all() -> int:
    """Erases everything that waits; returns how many imports that were. A purge calls it: a file may hold what goes."""
    found = _all()
    for staged in found:
        staged.drop()
    return len(found)
