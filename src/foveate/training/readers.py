"""Features of photos as batches for networks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from foveate.networks._batches import GridBatch
from foveate.perception.grid_features import GridSource

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class GridReader:
    """Reads grids by the photos' names.

    Attributes:
        source: Where from; one that needs no photo.
    """

    source: GridSource

    @property
    def width(self) -> int:
        """How many numbers a cell has."""
        return self.source.width

    def batch(self, names: Sequence[str], words: Rows, there: NDArray[np.bool_], photo: Rows) -> GridBatch:
        """Returns a batch of grids."""
        grids = np.stack([self.source.features(name, None) for name in names])
        return GridBatch(
            torch.from_numpy(words), torch.from_numpy(there), torch.from_numpy(grids), torch.from_numpy(photo)
        )
