"""Regions without a detector of regions: boxes that stand out by three ways, with the tokens inside as features."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import Boxes, SizeHW, box_area
from foveate.core.queries import Image
from foveate.errors import UsageError
from foveate.perception._region_boxes import Candidates, best_boxes, grid_boxes
from foveate.perception._region_parts import box_and_ring, even_parts, standing_out
from foveate.perception.embed_image import SIDE, ImageTokens, embed_image
from foveate.perception.propose import Proposals, kinds, propose
from foveate.perception.region_features import MOST, RegionFeatures, check_most, loaded
from foveate.perception.segments import segment_boxes

TOKEN = 384
# What the numbers are worth: benchmarks/region_recall.py.
SAME = 0.6
PART = 0.05
LARGER = 0.25
GRID_LEVELS = (1, 2, 3, 4)
# Below what any part scores: boxes of the grid fill what is left.
GRID = 1e-3


class OfflineRegions:
    """Looks at the photo itself; satisfies `foveate.perception.region_features.RegionSource`.

    Boxes are those of the small detector of 80 kinds, segments of tokens, parts of one brightness or colour, and,
    where these are too few, a coarse grid; of boxes that overlap by an IoU of 0.6 the best stays. A region's feature
    is the mean of DINOv2's tokens inside it; with `ring` that of the tokens around it follows.

    Args:
        most: How many regions of a photo at most.
        ring: Whether what is around a region is part of its feature.
        side: As if the photo were a square of so many pixels when its tokens are made; 392 halves the time.
    """

    name = "offline"
    needs_image = True

    def __init__(self, most: int = MOST, ring: bool = False, side: int = SIDE) -> None:
        self.most: int | None = check_most(most)
        if not 56 <= side <= 1036:
            raise UsageError("side", f"{side} is not from 56 to 1,036", f"Say {SIDE}, or 392.")
        self._most, self._ring, self._side = most, ring, side
        self.width = TOKEN * (1 + ring)
        self.config: Mapping[str, Any] = {"name": self.name, "most": most, "ring": ring, "side": side}

    def regions(self, name: str, image: Image | None, size_hw: SizeHW) -> RegionFeatures:
        """Returns the regions of a photo, best first; labels are the detector's kinds.

        Raises:
            InputError: The photo is absent or cannot be read.
        """
        pixels = loaded(name, image)
        tokens = embed_image(pixels, side=self._side)
        found = region_boxes(pixels, tokens, propose(pixels), self._most)
        features = pooled(tokens, found.xyxy, ring=self._ring)
        return RegionFeatures(found.xyxy, features, found.labels, tokens.size_hw)


def region_boxes(image: NDArray[np.uint8], tokens: ImageTokens, things: Proposals, most: int) -> Candidates:
    """Returns the boxes of a photo, at most so many, best first."""
    size_hw = tokens.size_hw
    names = kinds() if len(things) else ()
    seen = Candidates(things.xyxy, things.score, tuple(names[kind] for kind in things.kind))
    parts = np.concatenate([segment_boxes(tokens), even_parts(image)])
    share = box_area(parts) / (size_hw[0] * size_hw[1])
    score = PART * standing_out(tokens.tokens, parts, size_hw) * share**LARGER
    grid = grid_boxes(size_hw, GRID_LEVELS)
    filling = GRID / np.arange(1, len(grid) + 1)
    return best_boxes([seen, _unnamed(parts, score), _unnamed(grid, filling)], most, SAME)


def pooled(tokens: ImageTokens, xyxy: Boxes, *, ring: bool = False) -> NDArray[np.float32]:
    """Returns the mean token of each box ``float32 (R, 384)``, or beside it that of its surroundings ``(R, 768)``."""
    inside, around = box_and_ring(tokens.tokens.astype(np.float64), xyxy, tokens.size_hw)
    return np.concatenate([inside, around] if ring else [inside], axis=1).astype(np.float32)


def _unnamed(xyxy: Boxes, score: NDArray[np.float64]) -> Candidates:
    return Candidates(xyxy, score, ("",) * len(xyxy))
