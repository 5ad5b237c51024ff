"""Score maps of a run: shards beside the predictions, 8 bit, each map at an offset that its prediction names.

A map is written before the line that names it, so that a kill leaves at most bytes that no line names; they are
cut off when the run is continued. Values are kept to within 1/255 of the map's highest value, however low that is; the
peak stays: where the map is highest it comes back highest, and nowhere else. Its highest value, the grid and the affine
rule are kept as they are.
"""

from __future__ import annotations

import math
import os
import re
import zlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from io import RawIOBase
from pathlib import Path
from typing import Any

import numpy as np

from foveate.core.soft_maps import READINGS, Affine, Reading, SoftMap, from_steps, to_steps
from foveate.errors import InputError
from foveate.formats.tables import refuse_endless
from foveate.runs._told import told

PREFIX = "maps-"
# A shard of this size is full; files of many gigabytes are hard to copy and to mend.
SHARD_BYTES = 256 * 2**20
_NAME = re.compile(r"maps-([0-9]{5}|[1-9][0-9]{5,8})\.bin")
# Of what zlib packs: no byte of it unpacks to more, and what does not pack well grows a little.
_MOST_A_BYTE = 1_040
_LITTLE = 64


@dataclass(frozen=True, slots=True)
class StoredMap:
    """Where a map lies; satisfies `foveate.core.soft_maps.ScoreMap`.

    Attributes:
        path: The shard.
        offset: Its first byte there.
        length: How many bytes.
        shape: Rows and columns of the grid.
        affine: Where the grid lies on the photo.
        highest: The map's highest value.
        reading: How the map is read between its cells.
    """

    path: Path
    offset: int
    length: int
    shape: tuple[int, int]
    affine: Affine
    highest: float
    reading: Reading = "bilinear"

    @property
    def end(self) -> int:
        """The byte after its last."""
        return self.offset + self.length

    def load(self) -> SoftMap:
        """Returns the map, read now.

        Raises:
            InputError: The shard is missing, cut off or damaged.
        """
        refuse_endless(self.path)
        try:
            with self.path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                if size < self.end:
                    raise ValueError(f"it reaches to byte {self.end}, the file to {size}")
                file.seek(self.offset)
                data = _unpacked(file.read(self.length), math.prod(self.shape))
            steps = np.frombuffer(data, dtype=np.uint8).reshape(self.shape)
            return SoftMap(from_steps(steps, self.highest), self.affine, self.reading)
        except (OSError, ValueError, MemoryError, zlib.error) as error:
            raise InputError(
                f"{self.path}, byte {self.offset}",
                f"the score map cannot be read ({getattr(error, 'strerror', None) or error or type(error).__name__})",
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
            "max": self.highest,
            # Runs from before there was a choice say nothing.
            **({} if self.reading == "bilinear" else {"reading": self.reading}),
        }


def stored_map(values: dict[str, Any], folder: Path) -> StoredMap:
    """Returns the reference of a JSON object.

    Raises:
        ValueError: It is none.
    """
    try:
        rows, columns = values["shape"]
        scale_x, scale_y, offset_x, offset_y = (_real(number) for number in values["affine"])
        name, offset, length, highest = values["shard"], values["offset"], values["bytes"], _real(values["max"])
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"this is not the place of a score map ({type(error).__name__}: {error})") from error
    if not (isinstance(name, str) and _NAME.fullmatch(name)):
        raise ValueError(f"this is not the place of a score map (shard {name!r})")
    wholes = (rows, columns, offset, length)
    if not all(type(number) is int and number >= least for number, least in zip(wholes, (1, 1, 0, 1), strict=True)):
        raise ValueError(f"this is not the place of a score map ({rows!r} x {columns!r} at {offset!r}, {length!r})")
    if not (rows * columns <= _MOST_A_BYTE * length and length <= 2 * rows * columns + _LITTLE):
        raise ValueError(f"this is not the place of a score map (no map of {rows} x {columns} has {length} bytes)")
    affine = (scale_x, scale_y, offset_x, offset_y)
    if not (scale_x > 0 and scale_y > 0 and all(map(math.isfinite, affine)) and 0 <= highest <= 1):
        raise ValueError(f"this is not the place of a score map (affine {list(affine)}, max {highest})")
    reading = values.get("reading", "bilinear")
    if reading not in READINGS:
        raise ValueError(f"this is not the place of a score map (it is read {reading!r})")
    return StoredMap(folder / name, offset, length, (rows, columns), affine, highest, reading)


def misplaced(maps: Iterable[StoredMap]) -> int | None:
    """Returns the first of a run's maps, counted from 0, that does not begin where the one before ends, or None.

    A shard that is full is followed by the next one.
    """
    number, at = 0, 0
    for count, stored in enumerate(maps):
        here = _number(stored)
        if (here, stored.offset) not in {(number, at), (number + 1, 0)}:
            return count
        number, at = here, stored.end
    return None


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
        last = max(stored, key=lambda found: (_number(found), found.offset), default=None)
        self._number = _number(last) if last else 0
        self._at = last.end if last else 0
        self._file: RawIOBase | None = None

    def append(self, soft: SoftMap) -> StoredMap:
        """Writes a map; returns where it lies.

        Raises:
            OutputError: The disk is full or gone.
        """
        data = zlib.compress(to_steps(soft.values).tobytes())
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
        stored = StoredMap(
            path, self._at, len(data), (rows, columns), soft.affine, float(soft.values.max()), soft.reading
        )
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


def _real(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")
    return float(value)


def _number(stored: StoredMap) -> int:
    return int(stored.path.stem.removeprefix(PREFIX))


def _unpacked(data: bytes, length: int) -> bytes:
    """Returns what was packed, never more than a byte too many.

    Raises:
        ValueError: It is not of this length.
        zlib.error: It is damaged.
    """
    packed = zlib.decompressobj()
    values = packed.decompress(data, length + 1)
    if len(values) != length:
        raise ValueError(f"it unpacks to {'more' if len(values) > length else 'less'} than {length:,} values")
    if not packed.eof or packed.unused_data:
        raise ValueError("its packing ends elsewhere")
    return values
