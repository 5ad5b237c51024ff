"""How alike two people's annotations of one sample are.

Two targets are compared when different annotators drew them, both named, for the same answer. What one annotator drew
in several pieces is taken together. Boxes are compared as boxes where the data set is scored by boxes, else all as
masks.

References:
    Chen, Anjum, Gurari: Grounding Answers for Visual Questions Asked by Visually Impaired People. CVPR 2022: about 60 %
    of pairs between 0.8 and 1, about 20 % between 0.6 and 0.8, just over 10 % between 0 and 0.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from foveate.analysis._regions import size_of
from foveate.analysis.columns import Analysis
from foveate.core.boxes import SizeHW
from foveate.core.overlap import box_iou, mask_iou
from foveate.core.regions import Box
from foveate.core.rle import merge
from foveate.core.truths import Target, Truth
from foveate.datasets._open import Dataset

EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True, eq=False)
class Agreement:
    """Pairs of annotations.

    Attributes:
        ids: The sample of each pair.
        annotators: Who drew each pair.
        values: ``float64 (P,)``, their intersection over union.
    """

    ids: Sequence[str]
    annotators: Sequence[tuple[str, str]]
    values: NDArray[np.float64]

    def histogram(self, edges: Sequence[float] = EDGES) -> NDArray[np.int64]:
        """Returns how many pairs are from one edge to below the next; the last bin has its upper edge too."""
        return np.asarray(np.histogram(self.values, bins=np.asarray(edges))[0], dtype=np.int64)


def agreement(data: Dataset, analysis: Analysis) -> Agreement:
    """Returns all pairs of annotations of one sample; none where no sample has two annotators."""
    rows = {name: row for row, name in enumerate(analysis.columns.ids)}
    as_boxes = data.card.evaluate_as == "box"
    ids: list[str] = []
    pairs: list[tuple[str, str]] = []
    values: list[float] = []
    for truth in data.truths() if rows else ():
        if truth.id not in rows:
            continue
        size_hw = size_of(analysis.columns, rows[truth.id])
        for first, second, value in _compared(truth, size_hw, as_boxes):
            ids.append(truth.id)
            pairs.append((first, second))
            values.append(value)
    return Agreement(ids, pairs, np.array(values, dtype=np.float64))


def _compared(truth: Truth, size_hw: SizeHW, as_boxes: bool) -> Iterator[tuple[str, str, float]]:
    for drawn in by_person(truth.targets).values():
        for (first, ours), (second, theirs) in combinations(drawn.items(), 2):
            yield first, second, _overlap(ours, theirs, size_hw, as_boxes)


def by_person(targets: Sequence[Target]) -> Mapping[str | None, Mapping[str, list[Target]]]:
    """Returns what each named annotator drew, by the answer that it was drawn for."""
    found: dict[str | None, dict[str, list[Target]]] = {}
    for target in targets:
        if target.annotator is not None:
            found.setdefault(target.answer, {}).setdefault(target.annotator, []).append(target)
    return found


def _overlap(ours: Sequence[Target], theirs: Sequence[Target], size_hw: SizeHW, as_boxes: bool) -> float:
    if as_boxes and len(ours) == len(theirs) == 1:
        first, second = ours[0].shape, theirs[0].shape
        if isinstance(first, Box) and isinstance(second, Box):
            return float(box_iou(first.xyxy, second.xyxy, empty=1.0))
    masks = [merge([target.shape.rle(size_hw) for target in drawn]) for drawn in (ours, theirs)]
    return float(mask_iou(masks[:1], masks[1:], empty=1.0)[0])
