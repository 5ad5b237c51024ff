"""A submission drawn on its photo, as organisers look at it."""

from __future__ import annotations

import io

import numpy as np
import PIL.Image
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from foveate.annotation.submissions import Submission as Record
from foveate.annotation.targets import flag_of, shape_of
from foveate.app.annotate import words
from foveate.app.annotate.models import Assignment, Submission, Task
from foveate.app.annotate.records import record_of
from foveate.app.annotate.services.photos import pixels_of
from foveate.app.annotate.services.shown import box_to_verify
from foveate.assist._outlines import draw_outlines, outline
from foveate.assist.overlay import YELLOW, overlay
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Polygon, Region

SMALL = 320
# Of a photo that is looked at without zooming.
LARGE = 1600


def picture_of(sent: Submission, *, small: bool = False) -> bytes:
    """Returns a PNG of the photo with the region that was sent outlined, and the question below.

    Raises:
        RefusedError: The photo is not there any more, is another, or cannot be read.
    """
    task, record = sent.assignment.task, record_of(sent)
    size_hw, shape = record.size_hw, shape_of(record)
    if small:
        return as_png(_shrunk(pixels_of(task), shape, SMALL))
    answer = task.answer or None
    if shape is None:
        seen = Prediction(task.key, "no_region", answer=answer, size_hw=size_hw, reason=_why(record))
    else:
        seen = Prediction(task.key, "ok", answer=answer, final=Region(shape, None), size_hw=size_hw)
    return as_png(overlay(pixels_of(task), seen, task.question))


def picture_to_judge(assignment: Assignment) -> bytes:
    """Returns a PNG of a photo with the box outlined that is to be verified.

    Raises:
        RefusedError: The photo is not there any more, is another, or cannot be read.
    """
    task = assignment.task
    box = box_to_verify(task)
    return as_png(_shrunk(pixels_of(task), Box((box[0], box[1], box[2], box[3])) if box else None, LARGE))


def picture_with(task: Task, shape: Box | Polygon) -> bytes:
    """Returns a PNG of a task's photo with a shape outlined.

    Raises:
        RefusedError: The photo is not there any more, is another, or cannot be read.
    """
    return as_png(_shrunk(pixels_of(task), shape, LARGE))


def _shrunk(photo: NDArray[np.uint8], shape: Box | Polygon | None, side: int) -> PIL.Image.Image:
    """Returns a photo no larger than a side, outlined after that: a line shrunk with it would be hard to see."""
    picture = PIL.Image.fromarray(photo)
    picture.thumbnail((side, side))
    if shape is not None:
        factors = (picture.width / photo.shape[1], picture.height / photo.shape[0])
        draw_outlines(picture, [outline(_scaled(shape, factors), (picture.height, picture.width), 1, YELLOW)], [])
    return picture


def _scaled(shape: Box | Polygon, factors: tuple[float, float]) -> Box | Polygon:
    x, y = factors
    if isinstance(shape, Box):
        x0, y0, x1, y1 = shape.xyxy
        return Box((x0 * x, y0 * y, x1 * x, y1 * y))
    return Polygon(tuple(tuple((px * x, py * y) for px, py in part) for part in shape.parts))


def as_png(picture: PIL.Image.Image) -> bytes:
    """Returns a picture as the bytes of a PNG."""
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def _why(record: Record) -> str:
    said = words.OUTCOMES.get(flag_of(record) or getattr(record.work, "outcome", None) or "", _("Nothing was drawn"))
    return f"{said}."
