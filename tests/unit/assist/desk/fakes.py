"""Works that do what methods do at their worst."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from foveate.assist.desk.warm import Warm
from foveate.assist.photos import Photo
from foveate.errors import InputError


def a_photo(value: int = 0, size_hw: tuple[int, int] = (4, 6)) -> Photo:
    return Photo(f"{value}.jpg", np.full((*size_hw, 3), value, dtype=np.uint8))


@dataclass(frozen=True)
class Say:
    """Returns what it was told, the photo's first value, and in which process."""

    text: str = ""
    seconds: float = 0.0
    kind: str = "say"

    def do(self, photo: Photo, warm: Warm) -> tuple[str, int, int]:
        time.sleep(self.seconds)
        return self.text, int(photo.pixels[0, 0, 0]), os.getpid()


@dataclass(frozen=True)
class Break:
    """Breaks down in some way."""

    how: str

    @property
    def kind(self) -> str:
        return f"break {self.how}"

    def do(self, photo: Photo, warm: Warm) -> Any:
        getattr(self, self.how)(photo)

    def abort(self, photo: Photo) -> None:
        os.abort()

    def segfault(self, photo: Photo) -> None:
        ctypes.string_at(0)

    def leave(self, photo: Photo) -> None:
        os._exit(0)

    def hang(self, photo: Photo) -> None:
        """Hangs with the interpreter's lock, so that no other thread of it runs."""
        ctypes.PyDLL(None).sleep(600)

    def eat(self, photo: Photo) -> None:
        """Takes more and more."""
        taken = []
        while True:
            taken.append(np.ones(2 << 20, dtype=np.uint8))
            time.sleep(0.001)

    def devour(self, photo: Photo) -> None:
        """Takes more at once than the system would give."""
        np.ones((1 << 40,), dtype=np.uint8)

    def error(self, photo: Photo) -> None:
        raise ZeroDivisionError("a secret question")

    def refuse(self, photo: Photo) -> None:
        raise InputError(photo.name, "it is no good", "Take another.")


@dataclass(frozen=True)
class Odd:
    """Returns what cannot be sent."""

    kind: str = "odd"

    def do(self, photo: Photo, warm: Warm) -> Any:
        return lambda: photo


@dataclass(frozen=True)
class Chatter:
    """Prints, reads, draws on the photo, and starts a process that outlives its work."""

    kind: str = "chatter"

    def do(self, photo: Photo, warm: Warm) -> tuple[str, bool, int]:
        print("x" * 100_000, flush=True)  # noqa: T201
        os.write(1, b"y" * 100_000)
        print("z" * 100_000, file=sys.stderr, flush=True)  # noqa: T201
        other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        return sys.stdin.read(), photo.pixels.flags.writeable, other.pid


@dataclass(frozen=True)
class Has:
    """Returns which photos the process has, by their first values."""

    kind: str = "has"

    def do(self, photo: Photo, warm: Warm) -> list[int]:
        return [int(each.photo.pixels[0, 0, 0]) for each in warm._photos.values()]
