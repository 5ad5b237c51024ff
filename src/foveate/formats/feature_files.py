"""Stored features of Foveate: one HDF5 file a data set, written by `foveate features`, found by the photo's name.

| at the top | shape and type | what it is |
|---|---|---|
| attribute `foveate` | JSON | `form` (1), `kind`, `source` (name and options), `width`, `dataset`, `versions` |
| `names` | UTF-8 `(N,)` | the photos' names, as the data set has them |
| `there` | `uint8 (N,)` | 1 where the photo's features are written, else 0 |
| `size_hw` | `int32 (N, 2)` | of the upright photo |
| `grid` | `float16 (N, h, w, D)` | kind `grid`: features of its cells from top left |
| `features` | `float16 (N, R, D)` | kind `regions`: noughts after the last region |
| `boxes` | `float64 (N, R, 4)` | x0, y0, x1, y1, pixels of the upright photo, half-open |
| `count` | `int32 (N,)` | how many regions there are |
| `labels` | UTF-8 `(N, R)` | what each shows, empty where nothing tells |

All room is taken when the file is made and its structure never changes after; a writer that is killed leaves a whole
file in which fewer photos are `there`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from foveate.core.boxes import SizeHW
from foveate.errors import InputError
from foveate.formats._lazy_h5 import LazyH5
from foveate.formats._region_names import PhotoRows, keys_of
from foveate.formats.region_files import StoredRegions

KEY = "foveate"
Kind = Literal["grid", "regions"]


class FeatureCard(BaseModel):
    """What a file of features says of itself.

    Attributes:
        form: The number of this form.
        kind: `grid` or `regions`.
        source: What made them: `name` and its options.
        width: How many numbers a feature has.
        grid_hw: Rows and columns of a grid.
        most: How many regions there is room for.
        dataset: `NAME:SPLIT` whose photos they are of.
        versions: Of the programs.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    form: Literal[1] = 1
    kind: Kind
    source: dict[str, Any]
    width: int = Field(ge=1)
    grid_hw: tuple[int, int] | None = None
    most: int | None = None
    dataset: str = ""
    versions: dict[str, Any] = {}


def is_ours(file: LazyH5) -> bool:
    """Returns whether a file was written by `foveate features`."""
    return KEY in file.attributes()


class _Rows:
    def __init__(self, path: Path, kind: Kind) -> None:
        self._file = LazyH5(path)
        self._path = path
        self.card = card_of(self._file)
        if self.card.kind != kind:
            raise InputError(
                str(path),
                f"it holds {self.card.kind} features of {self.card.source.get('name')}, and {kind} is asked for",
                f"Make such a file: foveate features … {'--grid NAME' if kind == 'grid' else '--regions NAME'}.",
            )
        names = [name.decode() if isinstance(name, bytes) else str(name) for name in self._file.array("names").tolist()]
        self._photos = PhotoRows(path, keys_of(names))
        self.names = tuple(names)
        self.width = self.card.width

    def _row(self, name: str) -> int:
        row = self._photos.row(name)
        if not self._file.part("there", row):
            raise InputError(
                f"{self._path}, row {row + 1} ({name})",
                "its features are not written yet",
                "Run the same foveate features command again; it goes on where it stopped.",
            )
        return row

    def _size(self, row: int) -> SizeHW:
        height, width = self._file.part("size_hw", row).tolist()
        return height, width


class StoredGridRows(_Rows):
    """Grids by the photo's name; opened in each process when first read.

    Attributes:
        card: What the file says of itself.
        names: The photos, in their order.
        width: How many numbers a cell has.
        shape: Of every grid: rows, columns, width.

    Raises:
        InputError: It holds no grids, or is damaged.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, "grid")
        rows, columns, width = self._file.shape("grid")[1:]
        self.shape: tuple[int, int, int] = (rows, columns, width)

    def read(self, name: str) -> NDArray[np.float32]:
        """Returns the grid of a photo ``float32 (h, w, D)``.

        Raises:
            InputError: There is none of this name, it is not written yet, or it cannot be read.
        """
        return np.asarray(self._file.part("grid", self._row(name)), dtype=np.float32)

    def size_hw(self, name: str) -> SizeHW:
        """Returns the size of the upright photo.

        Raises:
            InputError: As for `read`.
        """
        return self._size(self._row(name))


class StoredRegionRows(_Rows):
    """Regions by the photo's name; satisfies `foveate.formats.region_files.RegionFile`.

    Raises:
        InputError: It holds no regions, or is damaged.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, "regions")

    def read(self, name: str) -> StoredRegions:
        """Returns the regions of a photo; labels are None where no region has one.

        Raises:
            InputError: There is none of this name, it is not written yet, or it cannot be read.
        """
        row = self._row(name)
        count = int(self._file.part("count", row))
        labels = [text.decode() if isinstance(text, bytes) else str(text) for text in self._labels(row, count)]
        return StoredRegions(
            f"{self._path}, row {row + 1} ({name})",
            self._file.part("boxes", row)[:count].astype(np.float64),
            self._file.part("features", row)[:count].astype(np.float32),
            tuple(labels) if any(labels) else None,
            self._size(row),
        )

    def _labels(self, row: int, count: int) -> list[bytes | str]:
        found: list[bytes | str] = self._file.part("labels", row)[:count].tolist()
        return found


def card_of(file: LazyH5) -> FeatureCard:
    """Returns what a file says of itself.

    Raises:
        InputError: It was not written by `foveate features`, or its card is broken.
    """
    told: Mapping[str, Any] = file.attributes()
    if KEY not in told:
        raise InputError(str(file.path), "it was not written by foveate features", "See docs/features.md.")
    try:
        return FeatureCard.model_validate(json.loads(told[KEY]))
    except (ValueError, ValidationError) as error:
        first = str(error).partition("\n")[0]
        raise InputError(str(file.path), f"its card is broken ({first})", "Make it again.") from error
