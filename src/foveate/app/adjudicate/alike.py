"""How alike two regions are, and why two people's answers differ."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from foveate.core.boxes import SizeHW
from foveate.core.overlap import box_iou, mask_iou
from foveate.core.regions import Box
from foveate.core.rle import areas, merge
from foveate.core.truths import TargetShape
from foveate.quality.judgements import Said

# So much of the smaller one inside the larger one is "inside", whatever the pixels at its edge do.
_INSIDE = 0.95
# A region that is so many times as large as one inside it holds more than that one.
_LARGER = 1.25
STEPS = ("several_questions", "several_regions", "outcome")

WHY: dict[str, Promise] = {
    "several_questions": _("they differ in whether more than one question is asked"),
    "several_regions": _("they differ in whether more than one region is needed"),
    "cannot_draw": _("one could draw, the other could not"),
    "whole_image": _("one drew a part, the other chose the whole image"),
    "apart": _("they drew different places"),
    "inside": _("one drew a part of what the other drew"),
    "partly": _("what they drew overlaps in part"),
    "edge": _("the same thing, with another edge"),
    "same": _("the same"),
}


def likeness(one: TargetShape, other: TargetShape, size_hw: SizeHW) -> float:
    """Returns the IoU of two regions of a photo: of boxes their own, else of the pixels.

    Args:
        one: A region.
        other: Another one.
        size_hw: Height and width of the upright photo.
    """
    if isinstance(one, Box) and isinstance(other, Box):
        return float(box_iou(one.xyxy, other.xyxy, empty=1.0))
    return float(mask_iou([one.rle(size_hw)], [other.rle(size_hw)], empty=1.0)[0])


def first_difference(said: Sequence[Said]) -> str:
    """Returns the first step in which people do not say the same, one of `STEPS`; empty where they all do."""
    for step in STEPS:
        answers = {_drew(one) if step == "outcome" else getattr(one, step) for one in said}
        if len(answers) > 1:
            return step
    return ""


def why(one: Said, other: Said, size_hw: SizeHW) -> str:
    """Returns why two people's answers differ, by a name of `WHY`.

    Args:
        one: What somebody said.
        other: What somebody else said.
        size_hw: Height and width of the upright photo.
    """
    step = first_difference([one, other])
    if step:
        return "cannot_draw" if step == "outcome" else step
    if one.shape is None or other.shape is None:
        return "same"
    if (one.outcome == "whole_image") != (other.outcome == "whole_image"):
        return "whole_image"
    return _of_shapes(one.shape, other.shape, size_hw)


def _of_shapes(one: TargetShape, other: TargetShape, size_hw: SizeHW) -> str:
    alike = likeness(one, other, size_hw)
    if alike in (0.0, 1.0):
        return "same" if alike else "apart"
    masks = [one.rle(size_hw), other.rle(size_hw)]
    smaller, larger = sorted(areas(masks).tolist())
    shared = float(areas([merge(masks, intersect=True)])[0])
    if smaller and shared >= _INSIDE * smaller and larger > _LARGER * smaller:
        return "inside"
    return "edge" if alike > 1 / _LARGER else "partly"


def _drew(said: Said) -> bool | None:
    """Returns whether somebody drew or chose a region; None where a step before had ended it."""
    return None if said.outcome is None else said.outcome != "cannot_draw"
