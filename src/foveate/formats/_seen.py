"""Which ids were there before, in 16 bytes each, so that a million rows need no table of a million texts."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from foveate.errors import InputError

_PENDING = 1 << 14


class Seen:
    """Notes names by 64 bits of their hash; that two of a million have the same is one chance in 37 million.

    Args:
        name: What they are names of, for the message.
    """

    def __init__(self, name: str = "id") -> None:
        self._name = name
        self._hashes: NDArray[np.uint64] = np.empty(0, dtype=np.uint64)
        self._rows: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._pending: dict[int, int] = {}

    def note(self, sample: str, row: int, where: str, what: str = "row") -> None:
        """Notes where a sample stands.

        Args:
            sample: Its id.
            row: The number of its row.
            where: The same, for the message.
            what: What the number counts.

        Raises:
            InputError: It stood somewhere before.
        """
        key = int.from_bytes(hashlib.blake2b(sample.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
        first = self._first(key)
        if first is not None:
            raise InputError(
                f"{where}, {sample}",
                f"the {self._name} is here a second time, first {what} {first}",
                "Keep one, or pass --skip-invalid to keep the first.",
            )
        self._pending[key] = row
        if len(self._pending) >= _PENDING:
            self._settle()

    def _first(self, key: int) -> int | None:
        if key in self._pending:
            return self._pending[key]
        place = int(np.searchsorted(self._hashes, np.uint64(key)))
        found = place < len(self._hashes) and int(self._hashes[place]) == key
        return int(self._rows[place]) if found else None

    def _settle(self) -> None:
        hashes = np.concatenate([self._hashes, np.fromiter(self._pending, dtype=np.uint64)])
        rows = np.concatenate([self._rows, np.fromiter(self._pending.values(), dtype=np.int64)])
        order = np.argsort(hashes, kind="stable")
        self._hashes, self._rows = hashes[order], rows[order]
        self._pending.clear()
