"""A data set's target as a work, so that people's works can be compared with it: the answer of a gold question.

This is the one place in which targets become works (`docs/annotate.md`).
"""

from __future__ import annotations

from pydantic import ValidationError

from foveate.annotation.clipped import clipped
from foveate.annotation.kinds import Stage
from foveate.annotation.problems import problems
from foveate.annotation.work import BoxWork, GroundingWork, PolygonWork, Work
from foveate.core.boxes import SizeHW
from foveate.core.masks import outlines
from foveate.core.regions import Box, Mask, Polygon
from foveate.core.soft_maps import SoftMap
from foveate.core.truths import TargetShape, Truth
from foveate.errors import InputError

_CHOOSE = "Choose other samples, or adjudicate the task on its page."
_REASON = {"outcome": "cannot_draw", "reason": "other", "reason_text": "The data set has no target."}
# Why a sample has no target, as our own exports say it (`foveate.annotation.targets`).
_STEPS = ("several_questions", "several_regions")
# What old data may lack or have: a reason, and an outline that crosses itself.
_MAY_BE = ("reason", "reason_text", "polygon")


def given_work(truth: Truth, stage: Stage, size_hw: SizeHW) -> Work:
    """Returns what somebody would have sent who answers as a data set's truth does.

    Args:
        truth: With one target; or with none, where its facts say that this is because of several questions or regions,
            or because nothing can be drawn, or where the data set says that it cannot be answered.
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
    return finished(truth.id, drawn_work(truth.id, target.outline or target.shape, stage, size_hw), size_hw)


def drawn_work(name: str, shape: TargetShape, stage: Stage, size_hw: SizeHW) -> Work:
    """Returns the work of somebody who draws a region: its box, or its one outline.

    Args:
        name: Of what it is, for messages.
        shape: The region.
        stage: Of the task: `grounding`, `box` or `polygon`.
        size_hw: Height and width of the photo.

    Raises:
        InputError: It is a soft map, or has several outlines, or more points than a work may have.
    """
    if isinstance(shape, SoftMap):
        raise InputError(name, "its target is a soft map, which nobody draws", _CHOOSE)
    if stage == "box":
        return BoxWork(outcome="box", box=shape.xyxy)
    drawn = {"outcome": "polygon", "polygon": _points(name, shape, size_hw), "closed": True}
    try:
        if stage == "polygon":
            return PolygonWork.model_validate(drawn)
        return GroundingWork.model_validate({**dict.fromkeys(_STEPS, False), **drawn})
    except ValidationError as error:
        raise InputError(name, str(error.errors()[0]["msg"]).removeprefix("Value error, "), _CHOOSE) from error


def finished(name: str, work: Work, size_hw: SizeHW) -> Work:
    """Returns a work that people could send, as it is stored; an outline of old data may cross itself.

    Raises:
        InputError: Nobody could send it.
    """
    found = [one for one in problems(work, size_hw) if one.field not in _MAY_BE]
    if found:
        raise InputError(name, f"its answer is none that could be sent: {found[0].problem}", _CHOOSE)
    return clipped(work, size_hw)


def _nothing(truth: Truth, stage: Stage) -> Work:
    why = truth.facts.get("no_target") or ("cannot_draw" if not truth.answerable else "")
    if why not in (*_STEPS, "cannot_draw"):
        raise InputError(truth.id, "it has no target, and nothing tells why", _CHOOSE)
    if stage != "grounding":
        if why != "cannot_draw":
            raise InputError(truth.id, f"it says {why}, which nobody is asked in this stage", _CHOOSE)
        return (BoxWork if stage == "box" else PolygonWork).model_validate(_REASON)
    if why == "several_questions":
        return GroundingWork(several_questions=True)
    if why == "several_regions":
        return GroundingWork(several_questions=False, several_regions=True)
    return GroundingWork.model_validate({**dict.fromkeys(_STEPS, False), **_REASON})


def _points(name: str, shape: Box | Polygon | Mask, size_hw: SizeHW) -> list[tuple[float, float]]:
    if isinstance(shape, Box):
        x0, y0, x1, y1 = shape.xyxy
        return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    parts = shape.parts if isinstance(shape, Polygon) else outlines(shape.rle(size_hw))
    if len(parts) != 1:
        raise InputError(name, f"its target has {len(parts)} outlines, and a work has one", _CHOOSE)
    return [(float(x), float(y)) for x, y in parts[0]]


def _told(size_hw: SizeHW) -> str:
    return f"{size_hw[1]} x {size_hw[0]} pixels"
