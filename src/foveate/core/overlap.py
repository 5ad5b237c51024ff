"""THE IoU. Nothing else in Foveate computes an intersection over a union."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foveate.core.boxes import as_boxes, box_area
from foveate.core.rle import Rle, areas, merge

Areas = NDArray[np.float64]


def box_overlap(a: ArrayLike, b: ArrayLike) -> tuple[Areas, Areas]:
    """Returns intersection and union of boxes in square pixels: continuous, without the "+ 1" of old code.

    Args:
        a: ``xyxy: float (..., 4)``, upright pixels, half-open.
        b: The same; the shapes follow NumPy's broadcasting.

    Raises:
        ValueError: A coordinate is not finite; a NaN must not become a score.
    """
    first, second = as_boxes(a), as_boxes(b)
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("boxes are compared with finite coordinates only")
    low = np.maximum(first[..., :2], second[..., :2])
    high = np.minimum(first[..., 2:], second[..., 2:])
    intersection = box_area(np.concatenate([low, high], axis=-1))
    return intersection, box_area(first) + box_area(second) - intersection


def mask_overlap(a: Sequence[Rle], b: Sequence[Rle]) -> tuple[Areas, Areas]:
    """Returns intersection and union of pairs of masks ``(N,)``: counted pixels, on the encodings.

    Args:
        a: ``N`` masks.
        b: ``N`` masks, each of the size of its partner.

    Raises:
        ValueError: There are not as many of the one as of the other, or two of a pair differ in size.
    """
    if len(a) != len(b):
        raise ValueError(f"{len(a)} masks and {len(b)}; they come in pairs")
    shared = areas([merge(pair, intersect=True) for pair in zip(a, b, strict=True)])
    return shared, areas(a) + areas(b) - shared


def packed_overlap(a: NDArray[np.uint64], b: NDArray[np.uint64]) -> tuple[Areas, Areas]:
    """Returns intersection and union of masks on one grid, packed 64 cells a word: counted cells.

    Args:
        a: ``uint64 (..., words)``.
        b: The same; the shapes follow NumPy's broadcasting.
    """
    # Few grids have so many cells that 32 bits would not count them.
    first, second, shared = (
        np.bitwise_count(words).sum(axis=-1, dtype=np.uint32).astype(np.float64) for words in (a, b, a & b)
    )
    return shared, first + second - shared


def over_union(intersection: Areas, union: Areas, *, empty: float) -> NDArray[np.float64]:
    """Returns intersection over union; `empty` where the union is 0.

    The field has five answers to two empty shapes (1, 0, −1, an error, NaN); here each caller says its own.
    """
    ratio = np.divide(intersection, union, out=np.full(np.shape(union), float(empty)), where=np.asarray(union) > 0)
    # Clipped, because intersection and union are rounded apart and their ratio may exceed 1 by one unit.
    return np.asarray(np.minimum(ratio, max(1.0, float(empty))))


def box_iou(a: ArrayLike, b: ArrayLike, *, empty: float) -> NDArray[np.float64]:
    """Returns the intersection over union of boxes, in continuous coordinates.

    Shapes follow NumPy's broadcasting: ``(N, 4)`` with ``(N, 4)`` gives the ``(N,)`` IoUs of pairs, ``(N, 1, 4)``
    with ``(M, 4)`` the ``(N, M)`` table of all with all.

    Args:
        a: ``xyxy: float (..., 4)``, upright pixels, half-open.
        b: The same.
        empty: The value where both boxes have no area.

    Raises:
        ValueError: A coordinate is not finite.

    References:
        WSDM Cup 2023: Toloka Visual Question Answering Challenge, evaluation measure (IoU of continuous boxes).

    Example:
        >>> box_iou([0, 0, 2, 2], [1, 1, 3, 3], empty=0.0).round(4).item()
        0.1429
    """
    return over_union(*box_overlap(a, b), empty=empty)


def box_columns(xyxy: ArrayLike) -> Areas:
    """Returns boxes as `BoxTable` takes them, ``float64 (5, N)``: the four sides, then the areas.

    Raises:
        ValueError: A coordinate is not finite, or a box has no area.
    """
    boxes = as_boxes(xyxy).reshape(-1, 4)
    if not np.isfinite(boxes).all():
        raise ValueError("boxes are compared with finite coordinates only")
    areas_ = box_area(boxes)
    if not areas_.all():
        raise ValueError("a table is of boxes that have an area")
    return np.concatenate([boxes.T, areas_[None]])


class BoxTable:
    """Tables of all boxes with all: those of `box_iou`, digit for digit, in memory that is used again.

    Where billions of pairs are looked at, new arrays for each step cost more than the steps; a table that fits into the
    processor's cache never leaves it. One is for one thread.

    Args:
        most: How many pairs a table has at most.

    Example:
        >>> BoxTable(4)(box_columns([0, 0, 2, 2]), box_columns([1, 1, 3, 3])).round(4).item()
        0.1429
    """

    def __init__(self, most: int) -> None:
        self._held = np.empty((3, most))

    def __call__(self, a: Areas, b: Areas) -> NDArray[np.float64]:
        """Returns the table ``(N, M)``; the next call writes over it.

        Args:
            a: ``(5, N)``, of `box_columns`.
            b: ``(5, M)``, likewise.
        """
        count, others = a.shape[1], b.shape[1]
        shared, down, work = self._held[:, : count * others].reshape(3, count, others)
        rows = a[:, :, None]
        for out, low, high in ((shared, 0, 2), (down, 1, 3)):
            np.minimum(rows[high], b[high], out=out)
            np.maximum(rows[low], b[low], out=work)
            out -= work
            np.maximum(out, 0.0, out=out)
        shared *= down
        np.add(rows[4], b[4], out=work)
        work -= shared
        shared /= work
        return np.minimum(shared, 1.0, out=shared)


def mask_iou(a: Sequence[Rle], b: Sequence[Rle], *, empty: float) -> NDArray[np.float64]:
    """Returns the intersection over union of pairs of masks ``(N,)``.

    Args:
        a: ``N`` masks.
        b: ``N`` masks, each of the size of its partner.
        empty: The value where both masks are empty.

    Raises:
        ValueError: There are not as many of the one as of the other, or two of a pair differ in size.

    Example:
        >>> from foveate.core.masks import box_to_rle
        >>> mask_iou([box_to_rle((0, 0, 2, 2), (4, 4))], [box_to_rle((1, 1, 3, 3), (4, 4))], empty=0.0).round(4).item()
        0.1429
    """
    return over_union(*mask_overlap(a, b), empty=empty)
