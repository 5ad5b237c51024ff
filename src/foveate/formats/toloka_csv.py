"""The official CSV of the Toloka VQA challenge: `image, width, height, left, top, right, bottom, question`.

The data splits have all eight columns; an answer file needs `image, left, top, right, bottom` only.

References:
    WSDM Cup 2023: Toloka Visual Question Answering Challenge, data format of the train and test files.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, PositiveInt

from foveate.core.boxes import SizeHW, box_problem
from foveate.core.regions import Box
from foveate.errors import InputError
from foveate.formats.fields import NonBlank
from foveate.formats.tables import OnInvalid, Row, read_rows, refuse, typed

ANSWER_COLUMNS = ("image", "left", "top", "right", "bottom")
QUESTION_COLUMNS = ("image", "width", "height", "question")


class TolokaRow(BaseModel):
    """One row of the official CSV; columns that a file does not have are None."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    image: NonBlank
    width: PositiveInt | None = None
    height: PositiveInt | None = None
    left: float | None = None
    top: float | None = None
    right: float | None = None
    bottom: float | None = None
    question: NonBlank | None = None

    @property
    def image_name(self) -> str:
        """The photo's file name, the last part of its address; the id of the sample."""
        return posixpath.basename(self.image.partition("?")[0])

    @property
    def size_hw(self) -> SizeHW | None:
        """Height and width, where the file tells them."""
        return (self.height, self.width) if self.height and self.width else None

    def box(self) -> Box:
        """Returns the row's box.

        Raises:
            ValueError: A side is missing, or the box is not usable, or lies outside the image.
        """
        sides = (self.left, self.top, self.right, self.bottom)
        if None in sides:
            raise ValueError("the box has fewer than four sides")
        xyxy = tuple(side for side in sides if side is not None)
        problem = box_problem(xyxy, self.size_hw)
        if problem:
            raise ValueError(problem)
        return Box((xyxy[0], xyxy[1], xyxy[2], xyxy[3]))


def read_toloka(path: Path, required: Sequence[str], on_invalid: OnInvalid = refuse) -> Iterator[tuple[TolokaRow, Row]]:
    """Yields the rows of an official CSV, each with the row it was read from; image names are unique.

    Raises:
        InputError: The file is not of this form, or `on_invalid` raises for a row (the default).
    """
    seen: dict[str, str] = {}
    for row in read_rows(path, required, on_invalid):
        try:
            parsed = typed(row, TolokaRow)
            _refuse_repeated(parsed.image_name, row.where, seen)
        except InputError as error:
            on_invalid(error)
            continue
        seen[parsed.image_name] = row.where
        yield parsed, row


def row_error(row: Row, image_name: str, problem: str) -> InputError:
    """Returns the error of one row of this file."""
    return InputError(f"{row.where}, {image_name}", problem, "Fix the row, or pass --skip-invalid.")


def _refuse_repeated(name: str, where: str, seen: dict[str, str]) -> None:
    if name in seen:
        raise InputError(
            where,
            f"the image {name} is here a second time, first {seen[name].rpartition(', ')[2]}",
            "Keep one row an image, or pass --skip-invalid to keep the first.",
        )
