"""Grids in HDF5, as CLEVR's and GQA's official code writes them; opened anew for each photo, so by any process."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.errors import InputError, reason_of
from foveate.formats._json_files import read_object
from foveate.formats._optional import needed

_FEATURES = "features"
_NUMBER = re.compile(r"(\d+)$")


class ClevrGrids:
    """CLEVR's: one file, rows by the number that a photo's name ends in.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._count, self.shape = _shape_of(path)

    def read(self, name: str) -> NDArray[np.float32]:
        """Returns the grid of a photo ``float32 (h, w, D)``."""
        found = _NUMBER.search(Path(name).stem)
        if found is None:
            raise InputError(
                f"{self._path}, {name}", "the photo's name ends in no number, and rows are numbered", "Name it so."
            )
        row = int(found[1])
        if row >= self._count:
            raise InputError(
                f"{self._path}, {name}",
                f"it has {self._count:,} rows, and row {row} is asked for",
                "Is it this split's?",
            )
        return _row(self._path, row)


class GqaGrids:
    """GQA's: files whose rows a table names.

    Args:
        info: The table, JSON: `{"PHOTO": {"file": 0, "idx": 42}}`.
        only: The one file, where there is one; else `gqa_spatial_<n>.h5` beside the table.
    """

    def __init__(self, info: Path, only: Path | None = None) -> None:
        self._info, self._only = info, only
        told = read_object(info)
        if not all(isinstance(entry, dict) for entry in told.values()):
            raise InputError(str(info), "it is no table of photos", "Take it from where the features came from.")
        self._rows: dict[str, dict[str, Any]] = told
        first = only or min(info.parent.glob("gqa_spatial_*.h5"), default=None)
        if first is None:
            raise InputError(str(info.parent), "gqa_spatial_0.h5 and the like are not beside it", "Put them there.")
        _, self.shape = _shape_of(first)

    def read(self, name: str) -> NDArray[np.float32]:
        """Returns the grid of a photo ``float32 (h, w, D)``."""
        entry = self._rows.get(name) or self._rows.get(Path(name).stem)
        if entry is None:
            raise InputError(f"{self._info}, {name}", "it has no such photo", "Is it the table of these photos?")
        row, number = entry.get("idx", entry.get("index")), entry.get("file", 0)
        if not isinstance(row, int) or not isinstance(number, int) or row < 0:
            raise InputError(f"{self._info}, {name}", f"it tells no row ({entry})", "Take the official table.")
        return _row(self._only or self._info.parent / f"gqa_spatial_{number}.h5", row)


def _shape_of(path: Path) -> tuple[int, tuple[int, int, int]]:
    h5py = needed("h5py", str(path), "torch")
    try:
        with h5py.File(path, "r") as file:
            shape = file[_FEATURES].shape
            count, width, rows, columns = shape
    except (OSError, KeyError, AttributeError) as error:
        problem = f"it has no array {_FEATURES}, or is damaged ({reason_of(error)})"
        raise InputError(str(path), problem, "Copy it again from where it came from.") from error
    except ValueError as error:
        raise InputError(
            str(path), f"its features are {shape}, not (N, D, h, w)", "Take features of a grid."
        ) from error
    return count, (rows, columns, width)


def _row(path: Path, row: int) -> NDArray[np.float32]:
    h5py = needed("h5py", str(path), "torch")
    try:
        with h5py.File(path, "r") as file:
            planes = np.asarray(file[_FEATURES][row], dtype=np.float32)
    except (OSError, KeyError, ValueError, IndexError) as error:
        raise InputError(f"{path}, row {row}", f"it cannot be read ({reason_of(error)})", "Copy it again.") from error
    return np.ascontiguousarray(planes.transpose(1, 2, 0))
