"""What was likely meant by boxes that do not fit their photos: columns swapped, widths for sides, shares for pixels.

A guess is told and never followed. It is made of the boxes and of the photos' sizes alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from foveate.core.boxes import SizeHW, box_problem
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Sides
from foveate.errors import InputError

# So few do not make a habit.
_LEAST = 2
# Of all boxes so many must fit by what was meant, and of those that fit as they are at most so many may not need it.
_MOST_AT_ODDS = 0.01
_PER_MILLE = 1000.0
# Of boxes in thousandths some reach nearly to the end.
_NEARLY_ALL = 900.0


@dataclass(frozen=True)
class Given:
    """A box as it was written, and whether it could be taken so.

    Attributes:
        sides: Left, top, right, bottom, or left, top, width, height.
        size_hw: Of its photo.
        taken: Whether it fits as it is.
    """

    sides: Sides
    size_hw: SizeHW
    taken: bool


Meaning = Callable[[Sides, SizeHW], Sides | None]
# What may be written as left, top, right, bottom: what it is, and the box it then means.
_FOR_SIDES: Sequence[tuple[str, Meaning]] = (
    ("right, top, left, bottom (left and right swapped)", lambda b, _: (b[2], b[1], b[0], b[3])),
    ("left, bottom, right, top (top and bottom swapped)", lambda b, _: (b[0], b[3], b[2], b[1])),
    ("right, bottom, left, top (the two corners swapped)", lambda b, _: (b[2], b[3], b[0], b[1])),
    ("shares of the photo's width and height, from 0 to 1", lambda b, hw: _scaled(b, hw, 1.0)),
    ("top, left, bottom, right (x and y swapped)", lambda b, _: (b[1], b[0], b[3], b[2])),
    ("left, top, width, height", lambda b, _: (b[0], b[1], b[0] + b[2], b[1] + b[3])),
    ("thousandths of the photo's width and height", lambda b, hw: _scaled(b, hw, _PER_MILLE)),
)
_FOR_WIDTHS: Sequence[tuple[str, Meaning]] = (
    ("shares of the photo's width and height, from 0 to 1", lambda b, hw: _scaled(_corners(b), hw, 1.0)),
    ("top, left, height, width (x and y swapped)", lambda b, _: _corners((b[1], b[0], b[3], b[2]))),
    ("left, top, right, bottom", lambda b, _: b),
    ("thousandths of the photo's width and height", lambda b, hw: _scaled(_corners(b), hw, _PER_MILLE)),
)


class Boxes:
    """The boxes of a file, as predictions and errors tell them."""

    def __init__(self) -> None:
        self._faulty: dict[str, tuple[str, Sides]] = {}
        self._given: list[Given] = []
        self._field = ""

    def note_error(self, error: InputError) -> None:
        """Notes an error that is about a box; whose it is, its prediction tells."""
        sides: tuple[float, ...] = ()
        with suppress(ValueError, KeyError):
            sides = tuple(float(part) for part in error.details["got"].split(","))
        if len(sides) == 4:
            self._faulty[error.fault] = error.details["field"], (sides[0], sides[1], sides[2], sides[3])

    def note(self, prediction: Prediction, size_hw: SizeHW | None) -> None:
        """Notes the box of a prediction, or the one that was written in its place."""
        if size_hw is None:
            return
        found = self._faulty.pop(prediction.reason or "", None)
        if found:
            self._field = found[0]
            self._given.append(Given(found[1], size_hw, taken=False))
        elif prediction.final and isinstance(prediction.final.shape, Box):
            self._given.append(Given(prediction.final.shape.xyxy, size_hw, taken=True))

    def likely(self) -> InputError | None:
        """Returns what to say of all boxes together, where many do not fit and one reading explains them."""
        faulty = sum(not one.taken for one in self._given)
        meant = likely_meaning(self._given, widths=self._field in {"bbox", "xywh"})
        if meant is None:
            return None
        expected = "left, top, width, height" if self._field in {"bbox", "xywh"} else "left, top, right, bottom"
        return InputError(
            "",
            f"{faulty:,} of {len(self._given):,} boxes do not fit their photos; read as {meant}, they would",
            f"Write boxes as {expected}, in pixels of the upright photo.",
            field=self._field,
            expected=expected,
            got=meant,
        )


def likely_meaning(given: Sequence[Given], *, widths: bool = False) -> str | None:
    """Returns what boxes seem to be in truth, or None where they are what they should be, or nothing explains them.

    Args:
        given: All boxes of a file.
        widths: Whether the form has left, top, width, height; what was taken is given by its sides all the same.
    """
    faulty = [one for one in given if not one.taken]
    if len(faulty) < _LEAST:
        return None
    raw = [(_widths(one.sides) if widths and one.taken else one.sides, one.size_hw) for one in given]
    at_odds = _MOST_AT_ODDS * len(raw)
    if max(max(sides) for sides, _ in raw) < _NEARLY_ALL:
        meanings = [(what, meaning) for what, meaning in _meanings(widths) if "thousandths" not in what]
    else:
        meanings = list(_meanings(widths))
    for what, meaning in meanings:
        if sum(not _fits(meaning(sides, size_hw), size_hw) for sides, size_hw in raw) <= at_odds:
            return what
    return None


def _meanings(widths: bool) -> Sequence[tuple[str, Meaning]]:
    return _FOR_WIDTHS if widths else _FOR_SIDES


def _fits(sides: Sides | None, size_hw: SizeHW) -> bool:
    return sides is not None and box_problem(sides, size_hw) is None


def _scaled(sides: Sides, size_hw: SizeHW, whole: float) -> Sides | None:
    if max(sides) > whole:
        return None
    height, width = size_hw
    x0, y0, x1, y1 = (side / whole for side in sides)
    return x0 * width, y0 * height, x1 * width, y1 * height


def _corners(xywh: Sides) -> Sides:
    return xywh[0], xywh[1], xywh[0] + xywh[2], xywh[1] + xywh[3]


def _widths(xyxy: Sides) -> Sides:
    return xyxy[0], xyxy[1], xyxy[2] - xyxy[0], xyxy[3] - xyxy[1]
