"""Parts of a photo that look alike throughout, whatever they are; and the one thing that stands out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import Boxes, SizeHW
from foveate.core.overlap import box_iou
from foveate.core.rle import MaskArray
from foveate.core.soft_maps import HALF
from foveate.perception._grids import Window, read
from foveate.perception.embed_image import ImageTokens

# Into how many sorts the tokens are told: a photo's large parts, then its small ones.
SORTS = (2, 4, 8, 16, 24)
MOST_SEGMENTS = 60
LEAST_TOKENS = 3
SAME_PLACE = 0.8
_ROUNDS = 8
# In cells of the saliency map; without it the edge of what stands out is speckled.
_SMOOTH = 5


@dataclass(frozen=True, eq=False)
class Segments:
    """Parts of a photo, best first; they overlap, and small ones lie in large ones.

    Attributes:
        masks: ``bool (N, h, w)`` on the grid of the tokens, each one piece.
        xyxy: ``float64 (N, 4)``, pixels of the upright photo, half-open: the boxes around their cells.
        score: ``float64 (N,)``, 0 to 1, falling: the mean saliency, times the share of the photo to the power 1/4.
        size_hw: Of the upright photo.
    """

    masks: MaskArray
    xyxy: Boxes
    score: NDArray[np.float64]
    size_hw: SizeHW

    def __len__(self) -> int:
        return len(self.score)

    def mask(self, row: int) -> MaskArray:
        """Returns one segment's pixels, ``bool (H, W)``, its steps rounded."""
        height, width = self.size_hw
        return read(self.masks[row].astype(np.float64), self.size_hw, Window(0, 0, width, height)) > HALF


class SalientThing(NamedTuple):
    """What stands out most: its box, upright pixels, and its pixels, ``bool (H, W)``."""

    xyxy: tuple[float, float, float, float]
    mask: MaskArray


def segments(tokens: ImageTokens) -> Segments:
    """Returns at most 60 parts of a photo, of three tokens at least.

    The tokens are told into 2, 4, 8, 16 and 24 sorts by k-means on their angles; each piece that hangs together is a
    segment. Of pieces whose boxes overlap by an IoU of 0.8 the largest stays, of too many the smallest go.

    References:
        Dhillon, Modha: Concept decompositions for large sparse text data using clustering, 2001 (spherical k-means).
    """
    masks, boxes = _parts(tokens)
    saliency = _saliency(tokens)
    score = np.array([saliency[mask].mean() * mask.mean() ** 0.25 for mask in masks], dtype=np.float64)
    order = np.argsort(-score, kind="stable")
    return Segments(masks[order], boxes[order], score[order], tokens.size_hw)


def segment_boxes(tokens: ImageTokens) -> Boxes:
    """Returns the boxes of `segments`, the largest first, without their saliency, which takes longer than all else."""
    return _parts(tokens)[1]


def salient_thing(tokens: ImageTokens) -> SalientThing | None:
    """Returns the largest piece of the photo whose saliency is at least one half, or None where nothing stands out."""
    import cv2

    saliency = tokens.saliency
    smooth = np.asarray(cv2.blur(saliency.values, (_SMOOTH, _SMOOTH)))
    _, labels, stats, _ = cv2.connectedComponentsWithStats((smooth >= HALF).astype(np.uint8), connectivity=4)
    if len(stats) < 2:
        return None
    # The first row is what does not stand out.
    largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    piece = (labels == largest).astype(np.float32)
    left, top, width, height = (int(side) for side in stats[largest][:4])
    scale_x, scale_y, _, _ = saliency.affine
    size_hw = tokens.size_hw
    mask = np.asarray(cv2.resize(piece, (size_hw[1], size_hw[0]), interpolation=cv2.INTER_LINEAR)) >= HALF
    box = (left * scale_x, top * scale_y, (left + width) * scale_x, (top + height) * scale_y)
    return SalientThing(box, mask) if mask.any() else None


def _parts(tokens: ImageTokens) -> tuple[MaskArray, Boxes]:
    """Returns the segments' cells ``(N, h, w)`` and their boxes in pixels, the largest first."""
    unit = _unit(tokens.tokens.reshape(-1, tokens.tokens.shape[2]))
    unit = _unit(unit - unit.mean(axis=0))
    grid_hw = (tokens.tokens.shape[0], tokens.tokens.shape[1])
    pieces = [piece for sorts in SORTS for piece in _pieces(_sorted_into(unit, sorts).reshape(grid_hw))]
    masks = np.array(pieces, dtype=bool).reshape(-1, *grid_hw)
    masks = masks[np.argsort(-masks.sum(axis=(1, 2)), kind="stable")]
    boxes = np.array([_box(mask) for mask in masks], dtype=np.float64).reshape(-1, 4)
    rows = _one_a_place(boxes)[:MOST_SEGMENTS]
    scale = np.array([tokens.size_hw[1] / grid_hw[1], tokens.size_hw[0] / grid_hw[0]] * 2)
    return masks[rows], boxes[rows] * scale


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9), dtype=np.float32)


def _sorted_into(unit: NDArray[np.float32], sorts: int) -> NDArray[np.int64]:
    """Returns the sort of each vector ``(N,)``; it begins with those farthest from all before, so nothing is drawn."""
    centres = [unit[np.argmin(unit @ unit.mean(axis=0))]]
    nearest = unit @ centres[0]
    for _ in range(min(sorts, len(unit)) - 1):
        centres.append(unit[np.argmin(nearest)])
        nearest = np.maximum(nearest, unit @ centres[-1])
    middles = np.array(centres)
    for _ in range(_ROUNDS):
        member = np.eye(len(middles), dtype=np.float32)[(unit @ middles.T).argmax(axis=1)]
        # A sort that nobody belongs to keeps its place.
        middles = _unit(member.T @ unit + 1e-6 * middles)
    return np.asarray((unit @ middles.T).argmax(axis=1), dtype=np.int64)


def _pieces(sort: NDArray[np.int64]) -> list[MaskArray]:
    """Returns each piece of one sort that hangs together by its sides, of three cells at least."""
    import cv2

    found = []
    for one in range(int(sort.max()) + 1):
        count, labels, stats, _ = cv2.connectedComponentsWithStats((sort == one).astype(np.uint8), connectivity=4)
        found += [labels == at for at in range(1, count) if stats[at, cv2.CC_STAT_AREA] >= LEAST_TOKENS]
    return found


def _box(mask: MaskArray) -> tuple[int, int, int, int]:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def _one_a_place(boxes: Boxes) -> list[int]:
    """Returns the rows of boxes that no kept box before them overlaps by nearly all."""
    kept: list[int] = []
    for row, box in enumerate(boxes):
        if not kept or box_iou(boxes[kept], box, empty=0.0).max() < SAME_PLACE:
            kept.append(row)
    return kept


def _saliency(tokens: ImageTokens) -> NDArray[np.float64]:
    """Returns the mean saliency of each token's cell."""
    rows, columns = tokens.tokens.shape[:2]
    fine = tokens.saliency.values
    return np.asarray(
        fine.reshape(rows, fine.shape[0] // rows, columns, fine.shape[1] // columns).mean(axis=(1, 3)), dtype=np.float64
    )
