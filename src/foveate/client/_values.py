"""What the client gives: plain values, without a line to the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from foveate.errors import OutputError, reason_of
from foveate.replaced_files import replace_file


@dataclass(frozen=True, slots=True)
class Method:
    """A method of the server.

    Attributes:
        name: What `grounder` says.
        summary: What it does.
        limits: What it cannot do.
        speed: What a question costs; empty where nobody knows.
        licence: Of code and weights; empty where it is the package's own.
        where: Where the photo goes, in a sentence.
        sends_to: Where photos are sent; empty where they stay on the server.
        available: Whether it can be asked.
        missing: Why not, and what to do.
        is_default: Whether it is asked where none is named.
    """

    name: str
    summary: str
    limits: str
    speed: str
    licence: str
    where: str
    sends_to: str
    available: bool
    missing: str
    is_default: bool


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something that is not done yet.

    Attributes:
        turn: 1 is next; None once it has begun.
        about_seconds: About how long until it is done; None where that cannot be told.
    """

    turn: int | None
    about_seconds: float | None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text.

    Attributes:
        text: What it says.
        score: How sure the reader is of its letters, 0 to 1.
        box: x0, y0, x1, y1 in pixels of the upright photo.
    """

    text: str
    score: float
    box: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as a file.

    Attributes:
        content: The bytes of the file.
        media_type: What it is, as `image/png`.
        alt: What it shows, for who does not see it.
        notes: What was done, and what to know before it is shared.
    """

    content: bytes
    media_type: str
    alt: str
    notes: tuple[str, ...]

    def save(self, path: Path | str) -> Path:
        """Writes the file as it is over what is there, as a whole or not at all; returns its path.

        Raises:
            OutputError: It cannot be written.
        """
        path = Path(path)
        try:
            replace_file(path, self.content)
        except OSError as error:
            raise OutputError(
                str(path), f"it cannot be written ({reason_of(error)})", "Choose another place."
            ) from error
        return path


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer that the server keeps for whose token it is.

    Attributes:
        id: Its number.
        question: What was asked.
        reply: As it was given.
        kept_at: Since when.
        photo: Where on the server the photo is.
    """

    id: str
    question: str
    reply: Mapping[str, Any]
    kept_at: datetime
    photo: str
