"""A data set's target as a work, so that people's works can be compared with it: the answer of a gold question."""

from __future__ import annotations

from pydantic import ValidationError

from foveate.annotation.clipped import clipped
from foveate.annotation.kinds import Stage
from foveate.annotation.work import BoxWork, GroundingWork, PolygonWork, Work
from foveate.core.boxes import SizeHW
from foveate.core.masks import outlines
from foveate.core.regions import Box, Mask, Polygon
from foveate.core.truths import Target, Truth
from foveate.errors import InputError

_CHOOSE = "Choose other samples, or adjudicate the task on its page."
# Why a sample has no target, as our own exports say it (`foveate.annotation.targets`).
_STEPS = ("several_questions", "several_regions")


def given_work(truth: Truth, stage: Stage, size_hw: SizeHW) -> Work:
    """Returns what somebody would have sent who answers as a data set's truth does.

    Args:
        truth: With one target; or with none, where its facts say that this is because of several questions or regions,
            or because nothing can be drawn.
        stage: Of the task: `grounding`, `box` or `polygon`.
        size_hw: Height and width of the task's photo.

    Raises:
        InputError: It has several targets, or none and does not say why; its target has several parts or holes; or it
            is of a photo of another size.
    """
    if truth.size_hw is not None and truth.size_hw != size_hw:
        problem = f"its target is on a photo of {_told(truth.size_hw)}, the task's has {_told(size_hw)}"
        raise InputError(truth.id, problem, "Take the data set that the project was made of.")
    if not truth.targets:
        return _nothing(truth, stage)
    if len(truth.targets) > 1:
        raise InputError(truth.id, f"it has {len(truth.targets)} targets, and a gold question has one answer", _CHOOSE)
    target = truth.targets[0]
    if stage == "box":
        return clipped(BoxWork(outcome="box", box=_box(truth.id, target)), size_hw)
    try:
        if stage == "polygon":
            drawn: Work = PolygonWork(outcome="polygon", polygon=_points(truth.id, target), closed=True)
        else:
            points = _points(truth.id, target)
            steps = {"several_questions": False, "several_regions": False}
            drawn = GroundingWork(outcome="polygon", polygon=points, closed=True, **steps)
    except ValidationError as error:
        raise InputError(truth.id, str(error.errors()[0]["msg"]).removeprefix("Value error, "), _CHOOSE) from error
    return clipped(drawn, size_hw)


def _nothing(truth: Truth, stage: Stage) -> Work:
    why = truth.facts.get("no_target")
    if stage == "grounding" and why in _STEPS:
        second = None if why == "several_questions" else True
        return GroundingWork(several_questions=why == "several_questions", several_regions=second)
    if why != "cannot_draw":
        raise InputError(truth.id, "it has no target, and does not say why", _CHOOSE)
    reason = {"outcome": "cannot_draw", "reason": "other", "reason_text": "The data set has no target."}
    if stage == "grounding":
        return GroundingWork.model_validate({**reason, "several_questions": False, "several_regions": False})
    return BoxWork.model_validate(reason) if stage == "box" else PolygonWork.model_validate(reason)


def _box(name: str, target: Target) -> tuple[float, float, float, float]:
    if isinstance(target.shape, Box | Polygon | Mask):
        return target.shape.xyxy
    raise InputError(name, "its target is a soft map, which has no outline", _CHOOSE)


def _points(name: str, target: Target) -> list[tuple[float, float]]:
    shape = target.outline or target.shape
    if isinstance(shape, Box):
        x0, y0, x1, y1 = shape.xyxy
        return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    if isinstance(shape, Polygon):
        parts = [list(part) for part in shape.parts]
    elif isinstance(shape, Mask):
        parts = [[(x, y) for x, y in corners.tolist()] for corners in outlines(shape.encoded)]
    else:
        raise InputError(name, "its target is a soft map, which has no outline", _CHOOSE)
    if len(parts) != 1:
        raise InputError(name, f"its target has {len(parts)} outlines, and a work has one", _CHOOSE)
    return parts[0]


def _told(size_hw: SizeHW) -> str:
    return f"{size_hw[1]} x {size_hw[0]} pixels"
