"""Stored grids of features, as others write them: CLEVR's and GQA's HDF5, or one NumPy file a photo.

| path | what it is |
|---|---|
| a folder with `gqa_spatial_info.json` | GQA: `features (N, 2048, 7, 7)` in `gqa_spatial_<n>.h5`, by `file` and `idx` |
| a folder | `NAME.npz` or `NAME.npy` of each photo, named after it with or without its own ending |
| a file `X.h5` with `X_info.json` beside it | as GQA's in one file; `idx` or `index` of each photo |
| a file `X.h5` | what `foveate features` wrote, by the photo's name |
| another file `X.h5` | CLEVR: `features (N, 1024, 14, 14)`; a photo's row is the number that its name ends in |
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from foveate.errors import InputError
from foveate.formats._grid_h5 import ClevrGrids, GqaGrids
from foveate.formats._lazy_h5 import LazyH5
from foveate.formats.feature_files import StoredGridRows, is_ours

Order = Literal["auto", "hwd", "dhw"]
_INFO = "gqa_spatial_info.json"
_ENDINGS = (".npz", ".npy")
# Names under which a file of several arrays has the grid.
_KEYS = ("features", "x", "feat", "arr_0")


class Grids(Protocol):
    """Grids by the photo's name.

    Attributes:
        shape: Of every grid: rows, columns, width.
    """

    shape: tuple[int, int, int]

    def read(self, name: str) -> NDArray[np.float32]:
        """Returns the grid of a photo ``float32 (h, w, D)``.

        Raises:
            InputError: There is none, or it cannot be read.
        """


def open_grids(path: Path, order: Order = "auto") -> Grids:
    """Returns the stored grids at a path; which form it is, is told above.

    Args:
        path: A file or folder.
        order: For one file a photo: whether the numbers of a cell come last (`hwd`) or first (`dhw`); `auto` tells it
            by the shape where two sides are equal.

    Raises:
        InputError: Nothing is there, or it is of no form that is known.
        UnavailableError: It is HDF5, and h5py is not installed.
    """
    if path.is_dir():
        return GqaGrids(path / _INFO) if (path / _INFO).is_file() else PhotoGrids(path, order)
    if not path.is_file():
        raise InputError(str(path), "there is no such file or folder", "Name the stored features.")
    info = path.with_name(f"{path.stem}_info.json")
    if info.is_file():
        return GqaGrids(info, path)
    return StoredGridRows(path) if is_ours(LazyH5(path)) else ClevrGrids(path)


class PhotoGrids:
    """One NumPy file a photo.

    Args:
        folder: Where they are.
        order: As for `open_grids`.
    """

    def __init__(self, folder: Path, order: Order) -> None:
        self._folder, self._order = folder, order
        first = min((file for file in folder.iterdir() if file.suffix in _ENDINGS), default=None)
        if first is None:
            raise InputError(str(folder), "no file in it ends in .npz or .npy", "Name the folder of the features.")
        self.shape: tuple[int, int, int] = self._grid(first).shape

    def read(self, name: str) -> NDArray[np.float32]:
        """Returns the grid of a photo ``float32 (h, w, D)``."""
        names = [told for told in (name, Path(name).name) for told in (told, str(Path(told).with_suffix("")))]
        places = [self._folder / f"{told}{end}" for told in names for end in _ENDINGS]
        file = next((place for place in places if place.is_file()), None)
        if file is None:
            raise InputError(f"{self._folder}, {name}", "no features are stored of this photo", "Store them first.")
        grid = self._grid(file)
        if grid.shape != self.shape:
            problem = f"its grid is {grid.shape}, those of others are {self.shape}"
            raise InputError(str(file), problem, "Store all photos in one way.")
        return grid

    def _grid(self, file: Path) -> NDArray[np.float32]:
        try:
            held = np.load(file, allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            problem = f"it is no file of numbers ({str(error).splitlines()[0]})"
            raise InputError(str(file), problem, "Store it again, by numpy.save and without objects.") from error
        values = held if isinstance(held, np.ndarray) else _chosen(held, file)
        if values.ndim != 3 or values.dtype.kind not in "fiu":
            problem = f"it has {values.dtype} numbers of the shape {values.shape}, not a grid of three sides"
            raise InputError(str(file), problem, "Store rows, columns and the numbers of a cell.")
        if _cells_last(values.shape, self._order, file):
            return np.ascontiguousarray(values, dtype=np.float32)
        return np.ascontiguousarray(values.transpose(1, 2, 0), dtype=np.float32)


def _chosen(held: np.lib.npyio.NpzFile, file: Path) -> NDArray[np.generic]:
    with held:
        name = next((key for key in _KEYS if key in held.files), held.files[0] if len(held.files) == 1 else None)
        if name is None:
            raise InputError(str(file), f"which of {', '.join(held.files)} is the grid?", "Call it `features`.")
        return held[name]


def _cells_last(shape: tuple[int, ...], order: Order, file: Path) -> bool:
    if order != "auto":
        return order == "hwd"
    first, middle, last = shape
    if (first == middle) == (middle == last):
        raise InputError(
            str(file), f"its shape {shape} does not tell how it is laid out", "Say order=hwd or order=dhw."
        )
    return first == middle
