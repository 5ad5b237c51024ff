"""Grids that were stored before, found by the photo's name; the photo itself may be absent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.queries import Image
from foveate.formats.grid_files import Order, open_grids


class StoredGrid:
    """Features of a file or folder.

    Args:
        path: What `foveate.formats.grid_files.open_grids` takes.
        order: How a photo's own file is laid out, where its shape does not tell.

    Raises:
        InputError: Nothing is there, or it is of no form that is known.
        UnavailableError: It is HDF5, and h5py is not installed.
    """

    name = "stored"
    needs_image = False

    def __init__(self, path: str, order: Order = "auto") -> None:
        self._grids = open_grids(Path(path), order)
        self.grid_hw: SizeHW = self._grids.shape[:2]
        self.width = self._grids.shape[2]
        self.config: dict[str, Any] = {"name": self.name, "path": path, "order": order}

    def features(self, name: str, image: Image | None) -> NDArray[np.float32]:
        """Returns what is stored of a photo ``float32 (h, w, D)``."""
        return self._grids.read(name)
