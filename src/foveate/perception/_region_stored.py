"""Regions that were stored before, put into the upright photo's own pixels."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from foveate.core.boxes import Boxes, SizeHW, box_problem, clip_boxes
from foveate.core.queries import Image
from foveate.errors import InputError
from foveate.formats.region_files import StoredRegions, open_regions
from foveate.perception.region_features import RegionFeatures, check_most

# Detectors round, and count the last pixel of a photo in or out.
_OUTSIDE = 1.0


class StoredSource:
    """Finds stored regions by the photo's name; satisfies `foveate.perception.region_features.RegionSource`.

    Args:
        path: What `foveate.formats.region_files.open_regions` reads.
        most: Take the first so many of a photo; all where None.
        **settings: As `open_regions` takes them.
    """

    name = "stored"
    needs_image = False

    def __init__(self, path: str, most: int | None = None, **settings: str) -> None:
        self._file = open_regions(Path(path), settings)
        self.most = None if most is None else check_most(most)
        self.width = self._file.width
        self.config: Mapping[str, Any] = {"name": self.name, "path": str(path), "most": most, **settings}

    def regions(self, name: str, image: Image | None, size_hw: SizeHW) -> RegionFeatures:
        """Returns the regions of a photo, in the order in which they are stored.

        Raises:
            InputError: There are none of this name, or they do not fit the photo.
        """
        found = self._file.read(name)
        if found.features.shape[1] != self.width:
            problem = f"its features have {found.features.shape[1]} numbers, those of the first photo {self.width}"
            raise InputError(found.where, problem, "Store the photo again.")
        xyxy = upright(found, size_hw)[: self.most]
        labels = None if found.labels is None else found.labels[: self.most]
        return RegionFeatures(xyxy, found.features[: self.most].copy(), labels, size_hw)


def upright(found: StoredRegions, size_hw: SizeHW) -> Boxes:
    """Returns stored boxes in the upright photo's pixels ``float64 (R, 4)``.

    A photo that was made larger or smaller before is made up for. One that has another shape is refused: its boxes are
    of a photo that lies on its side, as detectors see it that ignore EXIF, or of another one.

    Raises:
        InputError: The shapes differ, or a box is no box or lies outside.
    """
    height, width = size_hw
    stored_h, stored_w = (1, 1) if found.shares else found.size_hw or size_hw
    if not found.shares:
        _check_shape(found.where, (stored_h, stored_w), size_hw)
    scale = np.array([width / stored_w, height / stored_h] * 2)
    xyxy = found.xyxy * scale
    near = clip_boxes(xyxy, size_hw)
    rounding = _OUTSIDE * np.maximum(scale[:2].max(), 1.0)
    far = np.abs(near - xyxy).max(axis=1) > rounding
    for row, box in enumerate(np.where(far[:, None], xyxy, near).tolist()):
        problem = box_problem(box, size_hw)
        if problem:
            told = f"region {row + 1}: {problem}{_of(found)}"
            raise InputError(found.where, told, "Store the photo's features again.")
    return near


def _check_shape(where: str, stored: SizeHW, size_hw: SizeHW) -> None:
    (stored_h, stored_w), (height, width) = stored, size_hw
    if min(stored) < 1:
        raise InputError(where, f"the stored photo is {stored_w} x {stored_h}", "Store the photo again.")
    if _fits((stored_h, stored_w), size_hw):
        return
    turned = _fits((stored_w, stored_h), size_hw)
    why = "; it was stored lying on its side, see its EXIF rotation" if turned else ""
    raise InputError(
        where,
        f"its boxes are of a photo of {stored_w} x {stored_h}, and the upright photo is {width} x {height}{why}",
        "Turn the photos upright before their features are stored (foveate features does).",
    )


def _fits(stored: SizeHW, size_hw: SizeHW) -> bool:
    """Returns whether a size is another one made larger or smaller; sides are rounded to whole pixels in either."""
    long = int(size_hw[1] > size_hw[0])
    scale = stored[long] / size_hw[long]
    return abs(size_hw[1 - long] * scale - stored[1 - long]) <= max(1.0, scale)


def _of(found: StoredRegions) -> str:
    if found.size_hw is None or found.shares:
        return ""
    return f" (stored for a photo of {found.size_hw[1]} x {found.size_hw[0]})"
