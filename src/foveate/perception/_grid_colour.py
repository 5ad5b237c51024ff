"""The photo itself as a small grid of colours: the least that a network can look at."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.queries import Image
from foveate.perception.grid_features import check_grid, loaded


class ColourGrid:
    """Mean colours of cells, red, green and blue from 0 to 1.

    Args:
        grid: Rows and columns.
    """

    name = "colour"
    width = 3
    needs_image = True

    def __init__(self, grid: int = 14) -> None:
        self.grid_hw: SizeHW = (check_grid(grid), grid)
        self.config: dict[str, Any] = {"name": self.name, "grid": grid}

    def features(self, name: str, image: Image | None) -> NDArray[np.float32]:
        """Returns the colours of a photo ``float32 (h, w, 3)``."""
        import cv2

        small = cv2.resize(loaded(name, image), self.grid_hw[::-1], interpolation=cv2.INTER_AREA)
        return (np.asarray(small, dtype=np.float32) / 255).astype(np.float32)
