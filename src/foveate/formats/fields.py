"""Types of table cells that several forms share."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, PositiveInt

from foveate.core.boxes import SizeHW

# With nan and inf, so that the judgement of the box can name them.
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?|[+-]?(nan|inf|infinity)", re.IGNORECASE)


def _not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("a text is needed here")
    return value


def _number(value: object) -> object:
    """Lets only what everybody reads as a number through; pydantic would take `true` for 1 and `1_0` for 10."""
    if isinstance(value, str) and not value.strip():
        return None
    if isinstance(value, bool) or (isinstance(value, str) and not _NUMBER.fullmatch(value.strip())):
        raise ValueError("a number is needed here")
    return value


def _empty_is_absent(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


def size_of(width: int | None, height: int | None) -> SizeHW | None:
    """Returns ``(height, width)``, or None where both are absent.

    Raises:
        ValueError: Only one of them is there.
    """
    if (width is None) != (height is None):
        raise ValueError("width and height come together; one of them is missing")
    return None if width is None or height is None else (height, width)


NonBlank = Annotated[str, AfterValidator(_not_blank)]
Text = Annotated[str | None, BeforeValidator(_empty_is_absent)]
Pixels = Annotated[float | None, BeforeValidator(_number)]
Side = Annotated[PositiveInt | None, BeforeValidator(_number)]
