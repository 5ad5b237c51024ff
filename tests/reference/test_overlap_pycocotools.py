"""The one IoU against two that others wrote."""

from __future__ import annotations

import numpy as np
import pytest

from foveate.core.boxes import xyxy_to_xywh
from foveate.core.overlap import box_iou

pytestmark = pytest.mark.reference


def random_boxes(rng: np.random.Generator, count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    corner = rng.uniform(0, 500, (count, 2))
    return np.concatenate([corner, corner + rng.uniform(0.5, 300, (count, 2))], axis=1)


def test_pycocotools_gives_the_same() -> None:
    from pycocotools import mask

    rng = np.random.default_rng(7)
    a, b = random_boxes(rng, 300), random_boxes(rng, 200)
    theirs = mask.iou(xyxy_to_xywh(a), xyxy_to_xywh(b), [0] * len(b))
    np.testing.assert_allclose(box_iou(a[:, None], b, empty=0.0), theirs, rtol=0, atol=1e-12)


def test_shapely_gives_the_same() -> None:
    import shapely

    rng = np.random.default_rng(8)
    a, b = random_boxes(rng, 2000), random_boxes(rng, 2000)
    one, two = shapely.box(*a.T), shapely.box(*b.T)
    theirs = shapely.area(shapely.intersection(one, two)) / shapely.area(shapely.union(one, two))
    np.testing.assert_allclose(box_iou(a, b, empty=0.0), theirs, rtol=0, atol=1e-9)
