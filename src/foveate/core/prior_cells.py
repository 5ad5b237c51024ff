"""A prior on a photo: cells of a grid of shares of the photo's height and width, as the pixels under them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.rle import Rle, encode

# A mean of masks that differ is one half nowhere, so that a fixed threshold would leave most groups without a region.
SHARE_OF_PEAK = 0.4
# An edge that passes a pixel's centre leaves the pixel to the cell behind it.
_HALF_DOWN = 1e-9


def chosen_cells(mean: NDArray[np.floating], share: float = SHARE_OF_PEAK) -> NDArray[np.bool_]:
    """Returns the cells of at least a share of the highest value; all of them where nothing is known."""
    return np.asarray(mean >= share * mean.max())


def on_photo(cells: NDArray[np.bool_], size_hw: SizeHW) -> Rle:
    """Returns the pixels whose centre lies in a chosen cell of the grid."""
    down, across = (
        np.diff(np.rint(np.arange(count + 1) * side / count - _HALF_DOWN).astype(np.int64))
        for side, count in zip(size_hw, cells.shape, strict=True)
    )
    # Column after column, as masks are encoded; else all of it would be turned round for that.
    return encode(cells.T.repeat(down, axis=1).repeat(across, axis=0).T)
