"""A submission drawn on its photo, as organisers look at it."""

from __future__ import annotations

import io

import PIL.Image
from django.utils.translation import gettext as _

from foveate.annotation.submissions import Submission as Record
from foveate.annotation.targets import flag_of, shape_of
from foveate.app.annotate import words
from foveate.app.annotate.models import Assignment, Submission
from foveate.app.annotate.records import record_of
from foveate.app.annotate.services.photos import pixels_of
from foveate.app.annotate.services.shown import box_to_verify
from foveate.assist._outlines import draw_outlines, outline
from foveate.assist.overlay import YELLOW, overlay
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Region

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
    answer = task.answer or None
    if shape is None:
        seen = Prediction(task.key, "no_region", answer=answer, size_hw=size_hw, reason=_why(record))
    else:
        seen = Prediction(task.key, "ok", answer=answer, final=Region(shape, None), size_hw=size_hw)
    picture = overlay(pixels_of(task), seen, task.question)
    if small:
        picture.thumbnail((SMALL, SMALL))
    return as_png(picture)


def picture_to_judge(assignment: Assignment) -> bytes:
    """Returns a PNG of a photo with the box outlined that is to be verified.

    Raises:
        RefusedError: The photo is not there any more, is another, or cannot be read.
    """
    task = assignment.task
    picture = PIL.Image.fromarray(pixels_of(task))
    picture.thumbnail((LARGE, LARGE))
    box = box_to_verify(task)
    if box:
        factor = picture.width / task.width
        sides = [side * factor for side in box]
        shape = Box((sides[0], sides[1], sides[2], sides[3]))
        draw_outlines(picture, [outline(shape, (picture.height, picture.width), 1, YELLOW)], [])
    return as_png(picture)


def as_png(picture: PIL.Image.Image) -> bytes:
    """Returns a picture as the bytes of a PNG."""
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def _why(record: Record) -> str:
    said = words.OUTCOMES.get(flag_of(record) or getattr(record.work, "outcome", None) or "", _("Nothing was drawn"))
    return f"{said}."
