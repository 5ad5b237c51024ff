"""Writes files of features so that a writer who is killed at any moment can go on (`foveate.formats.feature_files`)."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import Boxes, SizeHW
from foveate.errors import InputError, OutputError, reason_of, shown
from foveate.formats._lazy_h5 import LazyH5
from foveate.formats._optional import needed
from foveate.formats._places import is_file
from foveate.formats.feature_files import KEY, FeatureCard, card_of

# Bytes that a label may take; the kinds of detectors are shorter.
LONGEST_LABEL = 64
# So many photos are lost at most by a kill; to wait for the disk after each would take longer than some features.
TOGETHER = 16


def part_of(out: Path) -> Path:
    """Returns where a file lies while it is written."""
    return out.with_name(f"{out.name}.part")


class FeatureWriter:
    """Writes the features of photos, in any order; the file has its name when all are there.

    Args:
        out: The file.
        card: What it says of itself.
        names: The photos, in their order.

    Raises:
        OutputError: The file is there already, or cannot be written.
        InputError: What was begun is of other photos or another source.
        UnavailableError: h5py is not installed.
    """

    def __init__(self, out: Path, card: FeatureCard, names: Sequence[str]) -> None:
        self._h5py = needed("h5py", str(out), "torch")
        self._out, self._card, self._names = out, card, list(names)
        if out.exists():
            raise OutputError(str(out), "it is there already", "Choose another --out, or remove it.")
        self._part = part_of(out)
        with self._explained():
            if is_file(self._part):
                self._check()
            else:
                self._make()
            self._file = self._h5py.File(self._part, "r+")
        self._there: NDArray[np.uint8] = self._file["there"][:]
        self._new: list[int] = []

    @property
    def done(self) -> NDArray[np.bool_]:
        """Which photos are written, ``bool (N,)``."""
        return self._there.astype(bool)

    def __enter__(self) -> FeatureWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Writes what waits; gives the file its name where nothing is missing."""
        with self._explained():
            self._settle()
            self._file.close()
            if kind is None and self._there.all():
                self._part.replace(self._out)

    def grid(self, row: int, grid: NDArray[np.floating], size_hw: SizeHW) -> None:
        """Writes the grid of a photo, ``(h, w, D)``.

        Raises:
            InputError: A number does not fit into 16 bits.
            OutputError: The disk is full.
        """
        with self._explained():
            self._file["grid"][row] = self._halved(row, grid)
            self._written(row, size_hw)

    def regions(
        self, row: int, xyxy: Boxes, features: NDArray[np.floating], labels: Sequence[str] | None, size_hw: SizeHW
    ) -> None:
        """Writes the regions of a photo: boxes ``(R, 4)``, features ``(R, D)`` and labels.

        Raises:
            InputError: A number does not fit into 16 bits.
            OutputError: The disk is full.
        """
        count = len(xyxy)
        texts = [_short(label) for label in labels or [""] * count]
        with self._explained():
            self._file["features"][row, :count] = self._halved(row, features)
            self._file["boxes"][row, :count] = xyxy
            self._file["labels"][row, :count] = np.array(texts, dtype=self._file["labels"].dtype)
            self._file["count"][row] = count
            self._written(row, size_hw)

    def _halved(self, row: int, values: NDArray[np.floating]) -> NDArray[np.float16]:
        with np.errstate(over="ignore"):
            found = values.astype(np.float16)
        if not np.isfinite(found).all():
            high = float(np.abs(values).max())
            problem = f"a feature is {high:g}, and what is stored goes up to 65,504"
            raise InputError(self._names[row], problem, "Use a source whose features are smaller.")
        return found

    def _written(self, row: int, size_hw: SizeHW) -> None:
        self._file["size_hw"][row] = size_hw
        self._new.append(row)
        if len(self._new) >= TOGETHER:
            self._settle()

    def _settle(self) -> None:
        """Brings the numbers to the disk, and only then says that they are there."""
        if not self._new:
            return
        self._sync()
        self._there[self._new] = 1
        for row in self._new:
            self._file["there"][row] = 1
        self._sync()
        self._new.clear()

    def _sync(self) -> None:
        self._file.flush()
        os.fsync(self._file.id.get_vfd_handle())

    def _make(self) -> None:
        """Makes the file with all its room, beside, so that a kill leaves none that is half made."""
        self._out.parent.mkdir(parents=True, exist_ok=True)
        beside = self._part.with_name(f".{self._part.name}.{os.getpid()}")
        try:
            with self._h5py.File(beside, "w", libver="earliest") as file:
                file.attrs[KEY] = self._card.model_dump_json()
                for name, (shape, kind) in self._arrays().items():
                    _place(self._h5py, file, name, shape, kind)
                file["names"][:] = np.array([name.encode() for name in self._names], dtype=file["names"].dtype)
            beside.replace(self._part)
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)

    def _arrays(self) -> dict[str, tuple[tuple[int, ...], Any]]:
        n, card = len(self._names), self._card
        utf8 = self._h5py.string_dtype
        longest = max((len(name.encode()) for name in self._names), default=1)
        found: dict[str, tuple[tuple[int, ...], Any]] = {
            "names": ((n,), utf8("utf-8", longest)),
            "there": ((n,), np.uint8),
            "size_hw": ((n, 2), np.int32),
        }
        if card.kind == "grid":
            return found | {"grid": ((n, *(card.grid_hw or (1, 1)), card.width), np.float16)}
        most = card.most or 1
        return found | {
            "features": ((n, most, card.width), np.float16),
            "boxes": ((n, most, 4), np.float64),
            "count": ((n,), np.int32),
            "labels": ((n, most), utf8("utf-8", LONGEST_LABEL)),
        }

    def _check(self) -> None:
        """Refuses to go on with what was begun for other photos or with other features."""
        begun = LazyH5(self._part)
        held = card_of(begun)
        names = [name.decode() for name in begun.array("names").tolist()]
        begun.close()
        if held.source != self._card.source or held.kind != self._card.kind or held.width != self._card.width:
            told = f"{held.kind} of {json.dumps(held.source)}, not {self._card.kind} of {json.dumps(self._card.source)}"
        elif names != self._names:
            told = f"{len(names):,} photos, not these {len(self._names):,}"
        else:
            return
        raise InputError(str(self._part), f"what was begun there is {told}", "Choose another --out, or remove it.")

    def _explained(self) -> _Explained:
        return _Explained(self._out)


class _Explained:
    """Turns what the system and the library raise into the one sentence."""

    def __init__(self, out: Path) -> None:
        self._out = out

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if isinstance(error, OSError | RuntimeError):
            why = shown(reason_of(error))
            raise OutputError(
                str(self._out), f"the features cannot be written ({why})", "Make room, or choose another --out."
            ) from error


def _place(h5py: Any, file: Any, name: str, shape: tuple[int, ...], kind: Any) -> None:
    """Makes an array whose room is taken now and whose bytes lie together; on most disks noughts take none yet."""
    made = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    made.set_layout(h5py.h5d.CONTIGUOUS)
    made.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    made.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    # The same features are the same bytes, whenever they are written.
    made.set_obj_track_times(False)
    space = h5py.h5s.create_simple(shape)
    h5py.h5d.create(file.id, name.encode(), h5py.h5t.py_create(np.dtype(kind), logical=True), space, dcpl=made)


def _short(label: str) -> bytes:
    """Returns a label's bytes, of a long one the first, without half a letter at the end."""
    return label.encode()[:LONGEST_LABEL].decode(errors="ignore").encode()
