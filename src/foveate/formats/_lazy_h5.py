"""HDF5 files that are opened when something is read, once in each process, and read a part at a time."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.errors import InputError
from foveate.formats._optional import needed


class LazyH5:
    """A file to read from; may go to another process (by fork, or as a pickle) and is opened anew there.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._held: tuple[int, Any] | None = None
        self._lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {"path": self.path}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["path"])  # type: ignore[misc]

    def close(self) -> None:
        """Closes the file; what is read later opens it anew."""
        with self._lock:
            if self._held is not None and self._held[0] == os.getpid():
                self._held[1].close()
            self._held = None

    def names(self) -> set[str]:
        """Returns the names of the arrays at the top."""
        h5py = needed("h5py", str(self.path), "torch")
        with self._lock:
            return {name for name, held in self._open().items() if isinstance(held, h5py.Dataset)}

    def attributes(self) -> dict[str, Any]:
        """Returns what the file says of itself."""
        with self._lock:
            return dict(self._open().attrs)

    def shape(self, name: str) -> tuple[int, ...]:
        """Returns the shape of an array."""
        with self._lock:
            return tuple(int(side) for side in self._open()[name].shape)

    def array(self, name: str) -> NDArray[Any]:
        """Returns a whole array."""
        return np.asarray(self.part(name, ()))

    def part(self, name: str, where: Any) -> Any:
        """Returns what lies at an index or a slice.

        Raises:
            InputError: It cannot be read; the file is cut off or damaged.
        """
        with self._lock:
            try:
                return np.asarray(self._open()[name][where])
            except (OSError, KeyError, ValueError, RuntimeError, IndexError) as error:
                raise self._damaged(error) from error

    def _open(self) -> Any:
        # A file that the parent opened would share the place where it reads.
        if self._held is None or self._held[0] != os.getpid():
            h5py = needed("h5py", str(self.path), "torch")
            try:
                self._held = (os.getpid(), h5py.File(self.path, "r"))
            except (OSError, RuntimeError, ValueError) as error:
                raise self._damaged(error) from error
        return self._held[1]

    def _damaged(self, error: Exception) -> InputError:
        told = str(error).partition("\n")[0]
        return InputError(str(self.path), f"it is no HDF5 file, or it is cut off ({told})", "Copy it again.")
