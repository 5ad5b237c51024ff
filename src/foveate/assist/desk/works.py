"""The works that a desk does. A new one is a class of this shape in a module that is quick to import; nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from foveate.assist.answers import Answered
from foveate.assist.asking import DEFAULT_GROUNDER, check_question
from foveate.assist.photos import Photo
from foveate.core.regions import Region
from foveate.core.rle import decode
from foveate.perception.text_lines import TextLine

if TYPE_CHECKING:
    from foveate.assist.desk.warm import Warm

# What is read around a region, in shares of its longer side, at least so many pixels: letters at its edge stay whole.
_AROUND, _LEAST_AROUND = 0.05, 8


class Work(Protocol):
    """Something to be done with a photo, in a process of the desk.

    A frozen dataclass of what it needs to know, small, sent by pickle; its module is imported in the process, where
    heavy imports wait for `do`. What it returns is sent back by pickle. A `FoveateError` is told to the asker as it is.
    """

    @property
    def kind(self) -> str:
        """What sort of work it is, for estimates and logs: never a part of what was asked."""

    def do(self, photo: Photo, warm: Warm) -> Any:
        """Returns what came of it.

        Args:
            photo: The photo; its pixels cannot be written to.
            warm: What the process keeps: methods, and what was seen of this photo before.
        """


@dataclass(frozen=True, slots=True)
class AskWork:
    """Asks a method a question.

    Raises:
        UsageError: The question is empty or too long.
    """

    question: str
    grounder: str = DEFAULT_GROUNDER

    def __post_init__(self) -> None:
        check_question(self.question)

    @property
    def kind(self) -> str:
        """The method."""
        return f"ask {self.grounder}"

    def do(self, photo: Photo, warm: Warm) -> Answered:
        """Returns what the method says."""
        return warm.asker(self.grounder, photo).ask(self.question)


@dataclass(frozen=True, slots=True)
class ReadText:
    """Reads the text in the photo, or in a region of it."""

    region: Region | None = None

    @property
    def kind(self) -> str:
        """Reading."""
        return "read text"

    def do(self, photo: Photo, warm: Warm) -> tuple[TextLine, ...]:
        """Returns the lines in the order in which they are read, in pixels of the photo.

        A region is read by itself, so that the reader sees small letters larger than in the whole photo. A scrap by
        itself, such as a price, it may not see as text at all; then it is looked for among the photo's lines.
        """
        from foveate.perception.read_text import read_text

        region = self.region
        if region is None:
            return warm.once(photo, "text", lambda: read_text(photo.pixels))
        found = warm.once(photo, f"text {region!r}", lambda: _text_in(region, photo))
        return found or _inside(ReadText().do(photo, warm), region, photo)


def _text_in(region: Region, photo: Photo) -> tuple[TextLine, ...]:
    from foveate.perception.read_text import read_text

    height, width = photo.size_hw
    x0, y0, x1, y1 = region.shape.xyxy
    around = max(_LEAST_AROUND, _AROUND * max(x1 - x0, y1 - y0))
    left, top = max(0, int(x0 - around)), max(0, int(y0 - around))
    crop = photo.pixels[top : min(height, int(y1 + around) + 1), left : min(width, int(x1 + around) + 1)]
    lines = [_moved(line, left, top) for line in read_text(np.ascontiguousarray(crop))]
    return _inside(lines, region, photo)


def _inside(lines: Iterable[TextLine], region: Region, photo: Photo) -> tuple[TextLine, ...]:
    """Returns the lines whose middle lies in a region."""
    inside = decode(region.shape.rle(photo.size_hw))
    return tuple(line for line in lines if inside[_middle(line, photo)])


def _moved(line: TextLine, x: int, y: int) -> TextLine:
    a, b, c, d = ((px + x, py + y) for px, py in line.quad)
    x0, y0, x1, y1 = line.xyxy
    return replace(line, quad=(a, b, c, d), xyxy=(x0 + x, y0 + y, x1 + x, y1 + y))


def _middle(line: TextLine, photo: Photo) -> tuple[int, int]:
    """Returns the row and the column of the pixel in the middle of a line."""
    x0, y0, x1, y1 = line.xyxy
    height, width = photo.size_hw
    return min(height - 1, int((y0 + y1) / 2)), min(width - 1, int((x0 + x1) / 2))
