"""Messages between the desk and its processes: pickles over pipes, the pixels of a photo beside them, copied once."""

from __future__ import annotations

import pickle
import struct
from dataclasses import dataclass
from typing import Any, BinaryIO

from foveate.assist.desk.works import Work
from foveate.assist.photos import Photo

_LENGTH = struct.Struct("<Q")


@dataclass(frozen=True, slots=True)
class Take:
    """To a process: a photo, and the number by which it will be called."""

    number: int
    photo: Photo


@dataclass(frozen=True, slots=True)
class Forget:
    """To a process: a photo that it will not be asked about again."""

    number: int


@dataclass(frozen=True, slots=True)
class Do:
    """To a process: a work about a photo that it has."""

    number: int
    work: Work


@dataclass(frozen=True, slots=True)
class Ready:
    """From a process: it has begun."""


@dataclass(frozen=True, slots=True)
class Did:
    """From a process: what a work returned."""

    result: Any


@dataclass(frozen=True, slots=True)
class Refused:
    """From a process: a work said that it cannot be done, and what to do."""

    where: str
    problem: str
    remedy: str
    unavailable: bool


@dataclass(frozen=True, slots=True)
class Broke:
    """From a process: a work raised what was not foreseen; only the error's name, since its words may hold anything."""

    error: str


def write(stream: BinaryIO, message: object) -> None:
    """Sends a message.

    Raises:
        OSError: Nobody reads.
    """
    buffers: list[pickle.PickleBuffer] = []
    head = pickle.dumps(message, protocol=5, buffer_callback=buffers.append)
    parts = [memoryview(head), *(buffer.raw() for buffer in buffers)]
    stream.write(_LENGTH.pack(len(parts)))
    for part in parts:
        stream.write(_LENGTH.pack(part.nbytes))
        stream.write(part)
    stream.flush()


def read(stream: BinaryIO) -> Any:
    """Returns the next message; its arrays cannot be written to.

    Raises:
        EOFError: Nobody writes any more.
    """
    head, *buffers = [_exactly(stream, _length(stream)) for _ in range(_length(stream))]
    return pickle.loads(head, buffers=[memoryview(buffer).toreadonly() for buffer in buffers])


def _length(stream: BinaryIO) -> int:
    return int(_LENGTH.unpack(_exactly(stream, _LENGTH.size))[0])


def _exactly(stream: BinaryIO, length: int) -> bytearray:
    content = bytearray(length)
    view, done = memoryview(content), 0
    while done < length:
        count = stream.readinto(view[done:])  # type: ignore[attr-defined]
        if not count:
            raise EOFError
        done += count
    return content
