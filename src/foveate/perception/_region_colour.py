"""The photo itself as boxes that cover it, each with its colour: the least that a network over regions can look at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from foveate.core.boxes import SizeHW
from foveate.core.queries import Image
from foveate.perception._region_boxes import grid_boxes
from foveate.perception.name_colour import NAMES, nearest, oklab
from foveate.perception.region_features import MOST, RegionFeatures, check_most, loaded

_LEVELS = (1, 2, 3, 4, 5, 6)
# Boxes are looked at on a small copy of the photo.
_SIDE = 64


class ColourRegions:
    """Gives a coarse grid of boxes with their mean colours; satisfies `RegionSource`.

    A feature is red, green and blue from 0 to 1; the label is the name of this colour.

    Args:
        most: How many boxes, the coarse ones first; 91 at most.
    """

    name = "colour"
    width = 3
    needs_image = True

    def __init__(self, most: int = MOST) -> None:
        self.most: int | None = check_most(most)
        self._most = most
        self.config: Mapping[str, Any] = {"name": self.name, "most": most}

    def regions(self, name: str, image: Image | None, size_hw: SizeHW) -> RegionFeatures:
        """Returns the boxes of a photo.

        Raises:
            InputError: The photo is absent or cannot be read.
        """
        import cv2

        small = cv2.resize(loaded(name, image), (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
        shares = grid_boxes((1, 1), _LEVELS)[: self._most]
        colours = np.array([_mean(np.asarray(small), box) for box in np.rint(shares * _SIDE).astype(int)])
        labels = tuple(NAMES[number] for number in nearest(oklab(np.rint(colours).astype(np.uint8))))
        height, width = size_hw
        xyxy = shares * [width, height, width, height]
        return RegionFeatures(xyxy, (colours / 255).astype(np.float32), labels, size_hw)


def _mean(small: np.ndarray[Any, Any], box: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    x0, y0, x1, y1 = box
    found: np.ndarray[Any, Any] = small[y0:y1, x0:x1].reshape(-1, 3).mean(axis=0)
    return found
