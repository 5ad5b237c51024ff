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
