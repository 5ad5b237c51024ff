"""What checks need to know of one submission: numbers and answers, no shape and no photo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from foveate.core.overlap import box_iou, mask_iou
from foveate.core.regions import Box, Shape
from foveate.quality.judgements import Judgement, Said


@dataclass(frozen=True, slots=True)
class Done:
    """One submission of a person, as checks see it.

    Attributes:
        task: The key of its task.
        seconds: How long the task had the person's attention.
        several_questions: Whether step 1 was answered "yes".
        several_regions: Whether step 2 was.
        cannot_draw: Whether the person said that nothing can be drawn.
        points: Corners of the outline as drawn; None where none was.
        gold: IoU with the gold answer; None where the task is no gold question, or one of the two drew nothing.
        gold_same: Whether the answers to the steps are those of the gold answer; None where the task is none.
        peers: Mean IoU with the others who drew for the same task; None where this person or nobody else did.
    """

    task: str
    seconds: float = 0.0
    several_questions: bool = False
    several_regions: bool = False
    cannot_draw: bool = False
    points: int | None = None
    gold: float | None = None
    gold_same: bool | None = None
    peers: float | None = None

    def missed(self, threshold: float) -> bool:
        """Returns whether a gold question was missed: another answer, or an IoU that is not above the threshold."""
        return self.gold_same is not None and (not self.gold_same or (self.gold is not None and self.gold <= threshold))


def done_of(one: Judgement) -> Done:
    """Returns what checks need of a judgement, before it is compared with anybody's."""
    said = one.said
    return Done(
        one.task,
        one.seconds,
        said.several_questions is True,
        said.several_regions is True,
        said.outcome == "cannot_draw",
        one.points if said.outcome == "polygon" else None,
    )


def same_answers(said: Said, gold: Said) -> bool:
    """Returns whether two answer the steps alike: both questions, and whether there is something to draw."""
    return _steps(said) == _steps(gold)


def alike(one: Shape, other: Shape, size_hw: tuple[int, int]) -> float:
    """Returns the IoU of two regions of one photo: of two boxes as they are, of anything else pixel by pixel."""
    return _overlaps([one, other], [(0, 1)], size_hw)[0]


def gold_overlap(said: Said, gold: Said, size_hw: tuple[int, int]) -> float | None:
    """Returns the IoU of a region with that of a gold answer; None where one of the two has none."""
    return None if said.shape is None or gold.shape is None else alike(said.shape, gold.shape, size_hw)


def peer_means(shapes: Sequence[Shape | None], size_hw: tuple[int, int]) -> list[float | None]:
    """Returns, for each person of one task, the mean IoU with the others who drew.

    Args:
        shapes: What each drew; None for nothing.
        size_hw: Height and width of the photo.
    """
    drawn = [n for n, shape in enumerate(shapes) if shape is not None]
    found: list[float | None] = [None] * len(shapes)
    if len(drawn) < 2:
        return found
    pairs = list(combinations(drawn, 2))
    values = _overlaps(shapes, pairs, size_hw)
    for n in drawn:
        found[n] = fmean(value for pair, value in zip(pairs, values, strict=True) if n in pair)
    return found


def _overlaps(
    shapes: Sequence[Shape | None], pairs: Sequence[tuple[int, int]], size_hw: tuple[int, int]
) -> list[float]:
    boxes = {n: shape.xyxy for n, shape in enumerate(shapes) if isinstance(shape, Box)}
    if len(boxes) == sum(shape is not None for shape in shapes):
        return [float(box_iou(boxes[a], boxes[b], empty=0.0)) for a, b in pairs]
    # Each is painted once, however many it is compared with.
    masks = {n: shape.rle(size_hw) for n, shape in enumerate(shapes) if shape is not None}
    return [float(one) for one in mask_iou([masks[a] for a, _ in pairs], [masks[b] for _, b in pairs], empty=0.0)]


def _steps(said: Said) -> tuple[bool, bool, bool]:
    return said.several_questions is True, said.several_regions is True, said.outcome == "cannot_draw"
