"""Score maps of a run: shards beside the predictions, 8 bit, each map at an offset that its prediction names.

A map is written before the line that names it, so that a kill leaves at most bytes that no line names; they are
cut off when the run is continued. Values are rounded to 255 steps, the grid and its affine rule are kept as they are.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from io import RawIOBase
from pathlib import Path
from typing import Any

import numpy as np

from foveate.core.soft_maps import Affine, SoftMap
from foveate.errors import InputError
from foveate.runs._told import told

PREFIX = "maps-"
# A shard of this size is full; files of many gigabytes are hard to copy and to mend.
SHARD_BYTES = 256 * 2**20
_STEPS = 255


@dataclass(frozen=True, slots=True)
class StoredMap:
    """Where a map lies; satisfies `foveate.core.soft_maps.ScoreMap`.

    Attributes:
        path: The shard.
        offset: Its first byte there.
        length: How many bytes.
        shape: Rows and columns of the grid.
        affine: Where the grid lies on the photo.
    """

    path: Path
    offset: int
    length: int
    shape: tuple[int, int]
    affine: Affine

    @property
    def end(self) -> int:
        """The byte after its last."""
        return self.offset + self.length

    def load(self) -> SoftMap:
        """Returns the map, read now.

        Raises:
            InputError: The shard is missing, cut off or damaged.
        """
        try:
            with self.path.open("rb") as file:
                file.seek(self.offset)
                data = zlib.decompress(file.read(self.length))
            values = np.frombuffer(data, dtype=np.uint8).reshape(self.shape)
            return SoftMap(values.astype(np.float32) / np.float32(_STEPS), self.affine)
        except (OSError, ValueError, zlib.error) as error:
            raise InputError(
                f"{self.path}, byte {self.offset}",
                f"the score map cannot be read ({getattr(error, 'strerror', None) or error})",
                "Copy the run again with its files maps-*.bin, or make it again.",
            ) from error

    def as_object(self) -> dict[str, Any]:
        """Returns the reference as plain JSON values; the shard by its name, so that a run can be moved."""
        return {
            "shard": self.path.name,
            "offset": self.offset,
            "bytes": self.length,
            "shape": list(self.shape),
            "affine": list(self.affine),
        }


def stored_map(values: dict[str, Any], folder: Path) -> StoredMap:
    """Returns the reference of a JSON object.

    Raises:
        ValueError: It is none.
    """
    try:
        rows, columns = (int(side) for side in values["shape"])
        scale_x, scale_y, offset_x, offset_y = (float(number) for number in values["affine"])
        name, offset, length = values["shard"], values["offset"], values["bytes"]
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"this is not the place of a score map ({type(error).__name__}: {error})") from error
    if not (
        isinstance(name, str) and name.startswith(PREFIX) and "/" not in name and type(offset) is type(length) is int
    ):
        raise ValueError(f"this is not the place of a score map ({name})")
    if min(offset, length, rows, columns) < 0:
        raise ValueError("this is not the place of a score map (a number below 0)")
    return StoredMap(folder / name, offset, length, (rows, columns), (scale_x, scale_y, offset_x, offset_y))


def whole(stored: StoredMap) -> bool:
    """Returns whether the shard reaches as far as the map does; after a power cut it may not."""
    try:
        return stored.path.stat().st_size >= stored.end
    except OSError:
        return False


class MapWriter:
    """Appends maps to the shards of a run.

    Args:
        folder: The run's folder.
        stored: The maps that the run has; what follows the last of them in its shard is cut off.
    """

    def __init__(self, folder: Path, stored: Iterable[StoredMap]) -> None:
        self._folder = folder
        last = max(stored, key=lambda found: (found.path.name, found.offset), default=None)
        self._number = int(last.path.stem.removeprefix(PREFIX)) if last else 0
        self._at = last.end if last else 0
        self._file: RawIOBase | None = None

    def append(self, soft: SoftMap) -> StoredMap:
        """Writes a map; returns where it lies.

        Raises:
            OutputError: The disk is full or gone.
        """
        data = zlib.compress(np.rint(soft.values * _STEPS).astype(np.uint8).tobytes())
        if self._at and self._at + len(data) > SHARD_BYTES:
            self.close()
            self._number, self._at = self._number + 1, 0
        path = self._folder / f"{PREFIX}{self._number:05d}.bin"
        with told(path, "Make room, then pass --resume."):
            file = self._opened(path)
            left = memoryview(data)
            while left:
                left = left[file.write(left) or 0 :]
        rows, columns = soft.values.shape
        stored = StoredMap(path, self._at, len(data), (rows, columns), soft.affine)
        self._at = stored.end
        return stored

    def sync(self) -> None:
        """Has the system write what it holds to the disk."""
        if self._file is not None:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Syncs and closes the shard."""
        if self._file is not None:
            with suppress(OSError):  # What could not be written was told when it was written.
                self.sync()
            self._file.close()
            self._file = None

    def _opened(self, path: Path) -> RawIOBase:
        if self._file is None:
            self._file = path.open("ab", buffering=0)
            self._file.truncate(self._at)
        return self._file
