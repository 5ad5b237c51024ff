"""Which row of a file a photo's name means, for files that call photos by names, paths, or numbers alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import numpy as np
from numpy.typing import NDArray

from foveate.errors import InputError

_LAST_NUMBER = re.compile(rb"(\d+)$")


class PhotoRows:
    """Finds rows by the photo's name, in memory that a hundred thousand photos do not feel.

    A row is a photo's whose key is the photo's name, else its name without the end, else either without folders. In a
    file whose keys are numbers alone it is the number that the name ends in: `COCO_val2014_000000000042.jpg` is 42.

    Args:
        path: The file, for messages.
        keys: ``bytes (N,)``, UTF-8, as the file has them, in the order of its rows.
    """

    def __init__(self, path: Path, keys: NDArray[np.bytes_]) -> None:
        self.path = path
        self.keys = keys
        self._numbers = bool(len(keys)) and all(key.isdigit() for key in keys)
        told = np.array([_number(key) for key in keys]) if self._numbers else keys
        self._order = np.argsort(told, kind="stable")
        self._sorted = told[self._order]

    def __len__(self) -> int:
        return len(self.keys)

    def rows(self, name: str) -> list[int]:
        """Returns the rows of a photo, in their order; more than one where the file has it more than once.

        Raises:
            InputError: There is none.
        """
        for key in self._candidates(name):
            low, high = (int(np.searchsorted(self._sorted, key, side=side)) for side in ("left", "right"))
            if high > low:
                return sorted(int(row) for row in self._order[low:high])
        raise InputError(
            str(self.path),
            f"it has no photo {name}; it has {len(self):,}, {self._first()}",
            "Look whether it is the file of this data set and split.",
        )

    def row(self, name: str) -> int:
        """Returns the row of a photo.

        Raises:
            InputError: There is none, or there are several.
        """
        found = self.rows(name)
        if len(found) > 1:
            raise twice(self.path, name, found)
        return found[0]

    def _candidates(self, name: str) -> list[bytes]:
        last = PurePosixPath(name).name
        texts = list(dict.fromkeys([name, str(PurePosixPath(name).with_suffix("")), last, PurePosixPath(last).stem]))
        found = [text.encode() for text in texts]
        if not self._numbers:
            return found
        ends = _LAST_NUMBER.search(PurePosixPath(last).stem.encode())
        return [_number(ends.group(1))] if ends else []

    def _first(self) -> str:
        return f"such as {self.keys[0].decode(errors='replace')}" if len(self) else "none at all"


def keys_of(names: Sequence[str | bytes | int]) -> NDArray[np.bytes_]:
    """Returns keys as `PhotoRows` takes them."""
    encoded = [name if isinstance(name, bytes) else str(name).encode() for name in names]
    return np.array(encoded, dtype=np.bytes_) if encoded else np.zeros(0, dtype="S1")


def twice(path: Path, name: str, rows: Sequence[int]) -> InputError:
    """Returns the refusal of a photo that stands in several rows which differ."""
    told = " and ".join(str(row + 1) for row in rows[:2])
    return InputError(str(path), f"rows {told} both are of {name}, and differ", "Remove one of them.")


def _number(digits: bytes) -> bytes:
    return digits.lstrip(b"0") or b"0"
