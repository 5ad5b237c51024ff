"""What people draw in the journey: outlines of the demo's photos, the hand targets that they are scored against."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from shutil import copyfile

import numpy as np
import shapely
from numpy.typing import NDArray
from pycocotools import mask as coco_masks

from foveate.core.regions import Polygon
from foveate.datasets import photos
from foveate.datasets._open import open_dataset
from foveate.sources.pinned import cache_path, is_cached

Corners = list[tuple[float, float]]
APART = 14
# A question of each of ten photos, with one target of one simple outline that is wide enough to be drawn by mouse.
IDS = (
    *("coffee#empty", "chelsea#pet", "astronaut#patch", "motorcycle#tank", "camera#film"),
    *("clock#what", "coins#largest", "page#title", "flower#what", "hopper#see"),
)


def targets() -> dict[str, tuple[tuple[int, int], Corners]]:
    """Returns height and width of the photo and the hand's outline, by the question's id."""
    found = {}
    for query, truth in open_dataset("photos").pairs(with_images=False):
        if query.id in IDS:
            (target,) = truth.targets
            assert query.size_hw is not None
            assert isinstance(target.shape, Polygon)
            (ring,) = target.shape.parts
            found[query.id] = (query.size_hw, [(float(x), float(y)) for x, y in ring])
    assert sorted(found) == sorted(IDS)
    return found


def coarser(corners: Corners, tolerance: float) -> Corners:
    """Returns an outline of fewer points in whole pixels, as somebody draws who has less time."""
    ring = shapely.Polygon(corners).simplify(tolerance)
    points: Corners = []
    for x, y in shapely.get_coordinates(ring)[:-1].tolist():
        # A click beside a point that is there chooses that point.
        if all(abs(x - at[0]) + abs(y - at[1]) > APART for at in points):
            points.append((float(round(x)), float(round(y))))
    assert shapely.Polygon(points).is_valid
    return points


def write_photos(root: Path) -> None:
    """Writes the demo's photos, where the cache has them all; else plain pictures of their names and sizes."""
    if not all(map(is_cached, photos.members())):
        photos.write_tiny(root)
        return
    root.mkdir()
    for member in photos.members():
        copyfile(cache_path(member), root / member.name)


def pixels_inside(corners: Sequence[Sequence[float]], size_hw: tuple[int, int]) -> NDArray[np.bool_]:
    """A witness of masks: which pixels' middles lie inside, asked of shapely."""
    y, x = np.mgrid[: size_hw[0], : size_hw[1]] + 0.5
    inside: NDArray[np.bool_] = shapely.contains_xy(shapely.Polygon(corners), x, y)
    return inside


def coco_pixels(corners: Sequence[Sequence[float]], size_hw: tuple[int, int]) -> NDArray[np.bool_]:
    """Another: pycocotools."""
    flat = np.asarray(corners, dtype=float).ravel().tolist()
    with warnings.catch_warnings():
        # Of NumPy, about pycocotools' own arrays.
        warnings.simplefilter("ignore", DeprecationWarning)
        decoded: NDArray[np.uint8] = coco_masks.decode(coco_masks.frPyObjects([flat], *size_hw))
    return decoded[:, :, 0] > 0


def overlap(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> float:
    """Intersection over union of masks."""
    return float((one & other).sum() / (one | other).sum())
