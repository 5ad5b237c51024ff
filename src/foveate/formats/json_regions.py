"""Regions as JSON files write them: numbers, boxes by left, top, width and height, COCO's RLE, lists of corners."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from foveate.core.boxes import SizeHW, format_box, size_difference, size_problem
from foveate.core.polygons import TOLERATED_PIXELS, as_corners, outside_by
from foveate.core.regions import Box, Mask, Point, Polygon, Sides
from foveate.core.rle import from_runs, parse

# Left and width, each rounded to two decimals, may add up to a hundredth more than the photo is wide.
_ROUNDED = 0.02
# Of a box beside a mask: whether a box of pixels begins at their edges or centres is no other region.
_AROUND = 1.0


def _from_0_to_1(value: float) -> float:
    if not 0.0 <= value <= 1.0:
        raise ValueError("a score goes from 0 to 1 (percents are divided by 100)")
    return value


def id_text(value: object) -> str:
    """Returns an id as text; whole numbers are taken as they are written.

    Raises:
        ValueError: It is neither text nor whole number, or a blank text.
    """
    if isinstance(value, bool) or not isinstance(value, int | str) or not str(value).strip():
        raise ValueError("a text or a whole number is needed here")
    return str(value)


def _counts(value: object) -> object:
    if not isinstance(value, str | list):
        raise ValueError("the runs of a mask are a text or a list of whole numbers")
    return value


def _list_of(length: int, what: str) -> BeforeValidator:
    """Speaks of lists, where pydantic would speak of tuples and their fields."""

    def check(value: object) -> object:
        if not isinstance(value, list | tuple) or len(value) != length:
            raise ValueError(f"{what} needed here")
        return value

    return BeforeValidator(check)


Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Whole = Annotated[int, Field(strict=True, gt=0)]
Four = Annotated[tuple[Number, Number, Number, Number], _list_of(4, "a list of four numbers is")]
Corner = Annotated[tuple[Number, Number], _list_of(2, "a point [x, y] is")]
Size = Annotated[tuple[Whole, Whole], _list_of(2, "[height, width] is")]
Score = Annotated[Number, AfterValidator(_from_0_to_1)]
SampleId = Annotated[str, BeforeValidator(id_text)]


class Sized(BaseModel):
    """What states the size of its photo; a width or height that is none is told before faults of further keys."""

    width: Whole
    height: Whole

    @model_validator(mode="after")
    def _has_a_size(self) -> Self:
        problem = size_problem(self.size_hw)
        if problem:
            raise ValueError(problem)
        return self

    @property
    def size_hw(self) -> SizeHW:
        """Height and width of the upright photo."""
        return self.height, self.width


class RleObject(BaseModel):
    """A mask as COCO writes it, its runs packed into a text or as a list."""

    model_config = ConfigDict(frozen=True)

    size: Size
    counts: Annotated[Any, BeforeValidator(_counts)]

    def mask(self, size_hw: SizeHW | None) -> Mask:
        """Returns the mask.

        Args:
            size_hw: Height and width of its photo, where known.

        Raises:
            ValueError: It is empty, of another size, or its runs do not fill its size.
        """
        difference = size_difference(self.size, size_hw) if size_hw else None
        if difference:
            raise ValueError(f"the mask is {difference}")
        read = parse if isinstance(self.counts, str) else from_runs
        return Mask(read(self.counts, self.size))


def box_from_xyxy(xyxy: Sides, size_hw: SizeHW | None) -> Box:
    """Returns the box.

    Raises:
        ValueError: It is inverted, has no area or lies outside the photo.
    """
    box = Box(xyxy)
    problem = box.problem(size_hw) if size_hw else None
    if problem:
        raise ValueError(problem)
    return box


def box_from_xywh(xywh: Sides, size_hw: SizeHW | None) -> Box:
    """Returns the box of left, top, width and height; what rounding puts outside the photo is moved onto its edge.

    Raises:
        ValueError: It has no area or lies outside the photo; the sentence says so where it looks like `xyxy`.
    """
    left, top, width, height = xywh
    given = f"left {left:.10g}, top {top:.10g}, width {width:.10g}, height {height:.10g}"
    if width <= 0 or height <= 0:
        raise ValueError(f"the box has no area; it is given as {given}")
    box = Box((left, top, left + width, top + height))
    if size_hw is None:
        return box
    x0, y0, x1, y1 = box.xyxy
    photo_height, photo_width = size_hw
    box = Box((_onto(x0, photo_width), _onto(y0, photo_height), _onto(x1, photo_width), _onto(y1, photo_height)))
    problem = box.problem(size_hw)
    if problem:
        as_xyxy = 0 <= left < width <= photo_width and 0 <= top < height <= photo_height
        hint = ": are the last two right and bottom?" if as_xyxy else ""
        # A question is not followed by anything.
        raise ValueError(problem if problem.endswith("?") else f"{problem}; it is given as {given}{hint}")
    return box


def polygon_from(parts: Sequence[Sequence[Point]], size_hw: SizeHW | None) -> tuple[Mask, Sides]:
    """Returns the mask of outlines, and the box around their corners; what is drawn a little outside is cut off.

    Raises:
        ValueError: An outline is none or lies outside the photo, they cover no pixel, or the size is not known.
    """
    polygon = outlines_from(parts, size_hw)
    assert size_hw is not None
    return Mask(polygon.rle(size_hw)), polygon.xyxy


def outlines_from(parts: Sequence[Sequence[Point]], size_hw: SizeHW | None) -> Polygon:
    """Returns outlines as they are drawn, looked at by their corners alone: their mask is what takes time.

    Raises:
        ValueError: As of `polygon_from`, but for outlines that cover no pixel.
    """
    polygon = Polygon(tuple(tuple(part) for part in parts))
    if size_hw is None:
        raise ValueError("a polygon becomes a mask by the size of its photo, which nothing tells")
    farthest = max(outside_by(as_corners(part), size_hw) for part in polygon.parts)
    if farthest > TOLERATED_PIXELS:
        raise ValueError(f"{polygon.problem(size_hw)}; up to {TOLERATED_PIXELS:g} pixels are cut off at its edge")
    return polygon


def check_around(given: Sides, around: Sides) -> None:
    """Refuses a box beside a mask that is another region.

    Raises:
        ValueError: A side is more than a pixel away from the box around the mask.
    """
    if any(abs(a - b) > _AROUND for a, b in zip(given, around, strict=True)):
        raise ValueError(f"its box {format_box(given)} is not the one around its mask, {format_box(around)}")


def _onto(side: float, length: int) -> float:
    """Returns a side that rounding puts outside on the edge, any other as it is."""
    if -_ROUNDED <= side < 0:
        return 0.0
    return float(length) if length < side <= length + _ROUNDED else side
