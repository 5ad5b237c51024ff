"""Why two people's answers differ, in the words of the pages; what differs is for `foveate.quality` to say."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from foveate.core.boxes import SizeHW
from foveate.quality.judgements import Said
from foveate.quality.pairs import compared
from foveate.quality.steps import first_difference

WHY: dict[str, Promise] = {
    "several_questions": _("they differ in whether more than one question is asked"),
    "several_regions": _("they differ in whether more than one region is needed"),
    "drawn": _("one could draw, the other could not"),
    "whole_image": _("one drew a part, the other chose the whole image"),
    "disjoint": _("they drew different places"),
    "contains": _("the second is a part of the first"),
    "inside": _("the first is a part of the second"),
    "partial": _("what they drew overlaps in part"),
    "same": _("the same, but for edges"),
    "neither": _("neither drew"),
}


def why(one: Said, other: Said, size_hw: SizeHW) -> str:
    """Returns why two people's answers differ, by a name of `WHY`: a step, or a relation of their regions.

    Args:
        one: What somebody said.
        other: What somebody else said.
        size_hw: Height and width of the upright photo.
    """
    step = first_difference([one, other])
    if step:
        return step
    if one.shape is None or other.shape is None:
        return "neither"
    if (one.outcome == "whole_image") != (other.outcome == "whole_image"):
        return "whole_image"
    return compared(one.shape, other.shape, size_hw)[1]
