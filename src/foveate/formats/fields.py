"""Types of table cells that several forms share."""

from __future__ import annotations

import re
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, PositiveInt, model_validator

from foveate.core.boxes import SizeHW, size_problem

# With nan and inf, so that the judgement of the box can name them.
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?|[+-]?(nan|inf|infinity)", re.IGNORECASE)


def _not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("a text is needed here")
    return value


def _number(value: object) -> object:
    """Lets only what everybody reads as a number through; pydantic would take `true` for 1 and `1_0` for 10."""
    if isinstance(value, str):
        if value.isascii() and value.isdigit():
            return value  # Most are so, of a million rows.
        if not value.strip():
            return None
    if isinstance(value, bool) or (isinstance(value, str) and not _NUMBER.fullmatch(value.strip())):
        raise ValueError("a number is needed here")
    return value


def _empty_is_absent(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


# The columns of a box, in the order of its numbers.
SIDES = ("left", "top", "right", "bottom")
NonBlank = Annotated[str, AfterValidator(_not_blank)]
Text = Annotated[str | None, BeforeValidator(_empty_is_absent)]
Pixels = Annotated[float | None, BeforeValidator(_number)]
Side = Annotated[PositiveInt | None, BeforeValidator(_number)]


class PixelRow(BaseModel):
    """The columns that tables of pixels share: the photo's size and a box, each there or not."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)

    width: Side = None
    height: Side = None
    left: Pixels = None
    top: Pixels = None
    right: Pixels = None
    bottom: Pixels = None

    @model_validator(mode="after")
    def _whole_size(self) -> Self:
        if (self.width is None) != (self.height is None):
            raise ValueError("width and height come together; one of them is missing")
        problem = size_problem(self.size_hw) if self.size_hw else None
        if problem:
            raise ValueError(problem)
        return self

    @property
    def size_hw(self) -> SizeHW | None:
        """Height and width, where the row states them."""
        return None if self.width is None or self.height is None else (self.height, self.width)

    @property
    def sides(self) -> tuple[float | None, float | None, float | None, float | None]:
        """Left, top, right and bottom as they are written."""
        return self.left, self.top, self.right, self.bottom
