"""THE IoU. Nothing else in Foveate computes an intersection over a union."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foveate.core.boxes import as_boxes, box_area
from foveate.core.rle import Rle, area, merge


def box_iou(a: ArrayLike, b: ArrayLike, *, empty: float) -> NDArray[np.float64]:
    """Returns the intersection over union of boxes, in continuous coordinates, without the "+ 1" of old code.

    Shapes follow NumPy's broadcasting: ``(N, 4)`` with ``(N, 4)`` gives the ``(N,)`` IoUs of pairs, ``(N, 1, 4)``
    with ``(M, 4)`` the ``(N, M)`` table of all with all.

    Args:
        a: ``xyxy: float (..., 4)``, upright pixels, half-open.
        b: The same.
        empty: The value where both boxes have no area, so that the union is 0. The field has five answers to this
            (1, 0, −1, an error, NaN); here each caller says its own.

    Raises:
        ValueError: A coordinate is not finite; a NaN must not become a score.

    References:
        WSDM Cup 2023: Toloka Visual Question Answering Challenge, evaluation measure (IoU of continuous boxes).

    Example:
        >>> box_iou([0, 0, 2, 2], [1, 1, 3, 3], empty=0.0).round(4).item()
        0.1429
    """
    first, second = as_boxes(a), as_boxes(b)
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("box_iou takes finite coordinates only")
    low = np.maximum(first[..., :2], second[..., :2])
    high = np.minimum(first[..., 2:], second[..., 2:])
    intersection = box_area(np.concatenate([low, high], axis=-1))
    union = box_area(first) + box_area(second) - intersection
    # The ratio is clipped because intersection and union are rounded apart and may exceed 1 by one unit.
    ratio = np.divide(intersection, union, out=np.full(union.shape, float(empty)), where=union > 0)
    return np.asarray(np.minimum(ratio, max(1.0, float(empty))))


def mask_iou(a: Sequence[Rle], b: Sequence[Rle], *, empty: float) -> NDArray[np.float64]:
    """Returns the intersection over union of pairs of masks ``(N,)``: counted pixels, on the encodings.

    Args:
        a: ``N`` masks.
        b: ``N`` masks, each of the size of its partner.
        empty: The value where both masks are empty, so that the union is 0.

    Raises:
        ValueError: There are not as many of the one as of the other, or two of a pair differ in size.

    Example:
        >>> from foveate.core.masks import box_to_rle
        >>> mask_iou([box_to_rle((0, 0, 2, 2), (4, 4))], [box_to_rle((1, 1, 3, 3), (4, 4))], empty=0.0).round(4).item()
        0.1429
    """
    if len(a) != len(b):
        raise ValueError(f"{len(a)} masks and {len(b)}; they come in pairs")
    values = np.empty(len(a))
    for row, (first, second) in enumerate(zip(a, b, strict=True)):
        shared = area(merge([first, second], intersect=True))
        union = area(first) + area(second) - shared
        values[row] = shared / union if union else empty
    return values
