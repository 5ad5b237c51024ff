"""What of a judgement differs from a gold answer: told in full to the organiser, in one neutral sentence to the person.

Nothing of what is told to the person depends on the gold answer, or on which fault there is: a step is a question of
yes or no, and whoever is told that it is wrong knows the answer. `design/admission.md` says what that leaves open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from foveate.core.boxes import SizeHW
from foveate.core.overlap import box_iou, mask_iou
from foveate.core.regions import Box, Polygon, Shape
from foveate.quality._marked import gettext_noop as _
from foveate.quality.judgements import Said

Code = Literal["several_questions", "several_regions", "outcome", "region"]
CODES: tuple[Code, ...] = get_args(Code)
# The first paper accepts a region "if IoU > 0.70".
THRESHOLD = 0.70
MESSAGE = _("This does not follow the instructions yet")
REMEDY = _("Read the instructions again, compare every step and the outline with them, and mend what differs.")


@dataclass(frozen=True, slots=True)
class Fault:
    """A difference from the gold answer.

    Attributes:
        code: In what, for the log.
        message: For the person: the same whatever differs.
    """

    code: Code
    message: str = MESSAGE


@dataclass(frozen=True, slots=True)
class Comparison:
    """A judgement beside the gold answer.

    Attributes:
        faults: The differences, in the order of the steps; none where it is accepted.
        iou: Intersection over union of the two regions, unrounded; None where one of them is none.
    """

    faults: tuple[Fault, ...]
    iou: float | None

    @property
    def accepted(self) -> bool:
        """Whether it follows the gold answer."""
        return not self.faults


def compared(said: Said, gold: Said, size_hw: SizeHW, threshold: float = THRESHOLD) -> Comparison:
    """Returns how a judgement differs from a gold answer.

    The two steps and whether there is a region must be the same; a region is accepted where its intersection over union
    with gold's is greater than the threshold. The whole photo is a region like any other. Of two boxes the continuous
    boxes are compared, of all else the masks on the photo.

    Everything is computed in every case, with the whole photo in the place of a region that is not there, so that the
    time tells nothing of which fault there is.

    Args:
        said: What a person said.
        gold: What is right.
        size_hw: Height and width of the upright photo.
        threshold: Of the intersection over union, 0 to 1.

    References:
        Chen, Anjum, Gurari: Grounding Answers for Visual Questions Asked by Visually Impaired People (2022), section 3:
        qualification by questions with known answers, IoU above 0.70.

    Example:
        >>> gold = Said(False, False, "polygon", Polygon((((0, 0), (10, 0), (10, 10), (0, 10)),)))
        >>> found = compared(Said(False, True), gold, (10, 20))
        >>> [fault.code for fault in found.faults], found.iou
        (['several_regions', 'outcome'], None)
    """
    overlap = _overlap(said.shape, gold.shape, size_hw)
    both = said.shape is not None and gold.shape is not None
    differs: dict[Code, bool] = {
        "several_questions": said.several_questions != gold.several_questions,
        "several_regions": said.several_regions != gold.several_regions,
        "outcome": (said.shape is None) != (gold.shape is None) or (not both and said.outcome != gold.outcome),
        "region": both and not overlap > threshold,
    }
    return Comparison(tuple(Fault(code) for code in CODES if differs[code]), overlap if both else None)


def faults(said: Said, gold: Said, size_hw: SizeHW, threshold: float = THRESHOLD) -> list[Fault]:
    """Returns the differences alone, as `compared` finds them."""
    return list(compared(said, gold, size_hw, threshold).faults)


def _overlap(said: Shape | None, gold: Shape | None, size_hw: SizeHW) -> float:
    first, second = said or _whole(size_hw, gold), gold or _whole(size_hw, said)
    if isinstance(first, Box) and isinstance(second, Box):
        return float(box_iou(first.xyxy, second.xyxy, empty=0.0))
    return float(mask_iou([first.rle(size_hw)], [second.rle(size_hw)], empty=0.0)[0])


def _whole(size_hw: SizeHW, like: Shape | None) -> Shape:
    height, width = map(float, size_hw)
    if isinstance(like, Box):
        return Box((0.0, 0.0, width, height))
    return Polygon((((0.0, 0.0), (width, 0.0), (width, height), (0.0, height)),))
