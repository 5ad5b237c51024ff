"""Sending a file to a challenge in parts; the same command goes on where another was stopped."""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from foveate.cli._challenge_http import RefusedError, Server
from foveate.errors import InputError, UnavailableError, reason_of
from foveate.sources.home import home

_CHUNK = 1 << 20


@dataclass(frozen=True)
class Target:
    """Where an entry goes: the challenge and the phase, by their short names."""

    challenge: str
    phase: str

    @property
    def path(self) -> str:
        """The phase's place in the API."""
        return f"/challenges/{quote(self.challenge, safe='')}/phases/{quote(self.phase, safe='')}"


class Remembered:
    """What is remembered of an unfinished sending: upload and key of the entry, by what is sent where."""

    def __init__(self, server: Server, target: Target, sha256: str, name: str) -> None:
        said = json.dumps([server.url, target.path, sha256, name, hashlib.sha256(server.token.encode()).hexdigest()])
        self._path = home() / "uploads" / f"{hashlib.sha256(said.encode()).hexdigest()}.json"
        self.upload: str | None = None
        self.key = str(uuid.uuid4())
        with suppress(OSError, ValueError, KeyError, TypeError):
            found = json.loads(self._path.read_text(encoding="utf-8"))
            self.upload, self.key = found["upload"], str(uuid.UUID(found["key"]))

    def keep(self) -> None:
        """Writes it down; where that is not possible, an interrupted sending begins anew."""
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            part = self._path.with_suffix(f".{os.getpid()}")
            part.write_text(json.dumps({"upload": self.upload, "key": self.key}), encoding="utf-8")
            part.replace(self._path)

    def forget(self) -> None:
        """Removes it: the entry is there."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


@dataclass(frozen=True)
class Bar:
    """How far it is: `begin(what, total, done)` and `advance()`, counted in parts."""

    begin: Callable[[str, int, int], None]
    advance: Callable[[], None]


def send(server: Server, target: Target, file: Path, words: dict[str, Any], bar: Bar) -> dict[str, Any]:
    """Sends a file and makes an entry of it; returns the entry as the server tells it.

    Raises:
        InputError: The file cannot be read, is empty, or changes while it is sent.
        RefusedError: The server refuses it.
        UnavailableError: Nothing answers, again and again.
    """
    size, sha256 = _measured(file)
    kept = Remembered(server, target, sha256, file.name)
    wanted = {"name": file.name, "size": size, "sha256": sha256}
    while True:
        try:
            kept.upload = _uploaded(server, target, file, wanted, kept, bar)
            sent = server.ask("POST", f"{target.path}/entries", {**words, "key": kept.key, "upload": kept.upload})
        except RefusedError as error:
            if error.code == "no_upload" and kept.upload is not None:
                # It lay too long, or was given up elsewhere; unless it is the entry already.
                kept.upload = None
                if (made := _made(server, target, kept.key, words)) is None:
                    continue
                sent = made
            else:
                raise
        kept.forget()
        return dict(sent)


def _made(server: Server, target: Target, key: str, words: dict[str, Any]) -> Any:
    """Returns the entry of a key that was sent before; None where there is none."""
    nothing = "00000000-0000-4000-8000-000000000000"
    try:
        return server.ask("POST", f"{target.path}/entries", {**words, "key": key, "upload": nothing})
    except RefusedError as error:
        if error.code != "no_upload":
            raise
        return None


def _uploaded(server: Server, target: Target, file: Path, wanted: dict[str, Any], kept: Remembered, bar: Bar) -> str:
    """Sends what the server does not have yet; returns the upload's number."""
    if kept.upload is None:
        upload = server.ask("POST", f"{target.path}/uploads", wanted)
        kept.upload = str(upload["id"])
        kept.keep()
    else:
        upload = server.ask("GET", f"{target.path}/uploads/{kept.upload}")
    at, part, size = int(upload["received"]), int(upload["part"]), int(upload["size"])
    bar.begin(f"sending {file.name}, parts of {part // 1024:,} KiB", -(-size // part), at // part)
    turn = 0
    while at < size:
        try:
            at = int(
                server.ask_once("PUT", f"{target.path}/uploads/{kept.upload}?offset={at}", _part(file, at, part))[
                    "received"
                ]
            )
            turn = 0
            bar.advance()
        except (RefusedError, UnavailableError) as error:
            turn += 1
            if not _passes(error) or turn >= server.tries:
                raise
            server.wait(turn - 1, error.fault)
            at = int(server.ask("GET", f"{target.path}/uploads/{kept.upload}")["received"])
    return kept.upload


def _passes(error: RefusedError | UnavailableError) -> bool:
    if isinstance(error, UnavailableError):
        return True
    return error.code in {"busy", "wrong_offset"} or error.status in {429, 502, 503, 504}


def _measured(file: Path) -> tuple[int, str]:
    digest, size = hashlib.sha256(), 0
    try:
        with file.open("rb") as opened:
            while chunk := opened.read(_CHUNK):
                digest.update(chunk)
                size += len(chunk)
    except OSError as error:
        raise _unreadable(file, error) from error
    if not size:
        raise InputError(str(file), "the file is empty", "Write the entry first; nothing was sent.")
    return size, digest.hexdigest()


def _part(file: Path, at: int, part: int) -> bytes:
    try:
        with file.open("rb") as opened:
            opened.seek(at)
            found = opened.read(part)
    except OSError as error:
        raise _unreadable(file, error) from error
    if not found:
        raise InputError(str(file), "it became shorter while it was sent", "Send it again once it is finished.")
    return found


def _unreadable(file: Path, error: OSError) -> InputError:
    remedy = "A folder of masks goes as a .zip of it." if file.is_dir() else "Look at its name and its permissions."
    return InputError(str(file), f"it cannot be read ({reason_of(error)})", remedy)
