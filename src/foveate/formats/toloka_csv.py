"""The official CSV of the Toloka VQA challenge: `image, width, height, left, top, right, bottom, question`.

The data splits have all eight columns; an answer file needs `image, left, top, right, bottom`, and may have `score`.

References:
    WSDM Cup 2023: Toloka Visual Question Answering Challenge, data format of the train and test files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Self

from pydantic import model_validator

from foveate.core.boxes import box_problem
from foveate.core.regions import Box
from foveate.errors import InputError
from foveate.formats.fields import NonBlank, PixelRow, Pixels, Text
from foveate.formats.photo_names import image_name
from foveate.formats.tables import OnInvalid, Row, read_rows, refuse, typed_once

ANSWER_COLUMNS = ("image", "left", "top", "right", "bottom")
QUESTION_COLUMNS = ("image", "width", "height", "question")


class TolokaRow(PixelRow):
    """One row of the official CSV; columns that a file does not have are None."""

    image: str
    question: NonBlank | None = None
    id: Text = None
    score: Pixels = None

    @model_validator(mode="after")
    def _names_a_file(self) -> Self:
        if not self.image_name.strip():
            raise ValueError(f"image is {self.image!r}, which names no file")
        return self

    @property
    def image_name(self) -> str:
        """The photo's file name."""
        return image_name(self.image)

    @property
    def sample_id(self) -> str:
        """The id of the sample: the column `id` where a file has one, else the photo's file name."""
        return self.id or self.image_name

    @property
    def has_box(self) -> bool:
        """Whether any side of a box is there."""
        return self.sides != (None, None, None, None)

    def box(self) -> Box:
        """Returns the row's box.

        Raises:
            ValueError: A side is missing, or the box is not usable, or lies outside the image.
        """
        xyxy = tuple(side for side in self.sides if side is not None)
        if len(xyxy) < 4:
            raise ValueError("the box has fewer than four sides")
        problem = box_problem(xyxy, self.size_hw)
        if problem:
            raise ValueError(problem)
        return Box((xyxy[0], xyxy[1], xyxy[2], xyxy[3]))


def read_toloka(path: Path, required: Sequence[str], on_invalid: OnInvalid = refuse) -> Iterator[tuple[TolokaRow, Row]]:
    """Yields the rows of an official CSV, each with the row it was read from; ids are unique.

    Raises:
        InputError: The file is not of this form, or `on_invalid` raises for a row (the default).
    """
    rows = read_rows(path, required, on_invalid, tuple(TolokaRow.model_fields))
    yield from typed_once(rows, TolokaRow, lambda row: row.sample_id, on_invalid)


def row_error(row: Row, image_name: str, problem: str, **details: str) -> InputError:
    """Returns the error of one row of this file."""
    return InputError(f"{row.where}, {image_name}", problem, "Fix the row, or pass --skip-invalid.", **details)
