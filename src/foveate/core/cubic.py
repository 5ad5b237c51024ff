"""Reading a grid along a curve: Keys's cubic."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def cubic_weights(at: NDArray[np.float64], cells: int) -> NDArray[np.float64]:
    """Returns the weights ``(N, cells)`` with which places, in cells from the grid's edge, read it; edges are repeated.

    Each row sums to one. The curve's parameter is -0.75, as in OpenCV's and PyTorch's bicubic.

    References:
        Keys: Cubic convolution interpolation for digital image processing, IEEE TASSP 29 (6), 1981.
    """
    weights = np.zeros((len(at), cells))
    first = np.floor(at - 0.5).astype(int) - 1
    for step in range(4):
        far = np.abs(at - 0.5 - (first + step))
        near = (1.25 * far - 2.25) * far**2 + 1
        weight = np.where(far <= 1, near, -0.75 * (((far - 5) * far + 8) * far - 4))
        np.add.at(weights, (np.arange(len(at)), np.clip(first + step, 0, cells - 1)), weight)
    return weights
