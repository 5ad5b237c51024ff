"""HDF5 files of LXMERT, ViLBERT, UpDn and GQA: all photos in a few long arrays, read a photo at a time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.errors import InputError
from foveate.formats._lazy_h5 import LazyH5
from foveate.formats._places import is_file
from foveate.formats._region_names import PhotoRows, keys_of
from foveate.formats._region_numbers import class_names, finite, labels_of
from foveate.formats.region_files import RegionFile, StoredRegions

_NAMES = {
    "features": ("features", "image_features"),
    "boxes": ("boxes", "bboxes", "bb", "bbox", "image_bb"),
    "shares": ("spatial_features", "spatials"),
    "spans": ("pos_boxes",),
    "ids": ("image_ids", "image_id", "img_ids", "ids"),
    "count": ("num_boxes", "num_bbox"),
    "image_h": ("image_h", "heights", "height"),
    "image_w": ("image_w", "widths", "width"),
    "objects": ("objects_id",),
}


def opened(path: Path, settings: Mapping[str, str]) -> RegionFile:
    """Returns what reads a file: of `foveate features`, where it says so, else of other programs."""
    from foveate.formats.feature_files import StoredRegionRows, is_ours

    file = LazyH5(path)
    return StoredRegionRows(path) if is_ours(file) else H5File(path, settings)


class H5File:
    """Long arrays of regions; satisfies `foveate.formats.region_files.RegionFile`.

    Regions of photo `i` are row `i` of ``(N, R, D)``, or the rows of ``(all, D)`` from `pos_boxes[i][0]` up to
    `pos_boxes[i][1]`. Photos are named by `image_ids`, or by a JSON file beside.

    References:
        Anderson et al.: Bottom-up and top-down attention, CVPR 2018, and github.com/hengyuan-hu/bottom-up-attention-vqa
        (`pos_boxes`, `spatial_features`); Hudson, Manning: GQA, CVPR 2019 (`gqa_objects_info.json`).

    Raises:
        InputError: It lacks features, boxes or names, or they do not fit one another.
    """

    def __init__(self, path: Path, settings: Mapping[str, str]) -> None:
        self._path, self._file = path, LazyH5(path)
        there = self._file.names()
        self._names = {ours: n for ours, theirs in _NAMES.items() for n in theirs[::-1] if n in there}
        if "features" not in self._names or not {"boxes", "shares"} & set(self._names):
            told = ", ".join(sorted(there)) or "nothing"
            raise InputError(str(path), f"it has {told}; features and boxes are needed", "See docs/features.md.")
        self._classes = class_names(path, settings)
        self._sizes: Mapping[str, Any] = {}
        self._spans = self._file.array(self._names["spans"]) if "spans" in self._names else None
        self._rows, self._at = self._photos(settings)
        shape = self._shape("features")
        if len(shape) not in (2, 3) or (len(shape) == 2 and self._spans is None):
            raise InputError(
                str(path), f"features have the shape {shape}, and no pos_boxes tell the photos", "See docs/features.md."
            )
        self.width = int(shape[-1])

    def read(self, name: str) -> StoredRegions:
        """Returns the regions of a photo.

        Raises:
            InputError: There is none of this name, or what is stored of it does not fit.
        """
        row = self._rows.row(name)
        key, at = self._rows.keys[row].decode(), int(self._at[row])
        where = f"{self._path}, row {at + 1} ({key})"
        info = self._sizes.get(key, {})
        part = self._part(where, at, info)
        features = finite(where, "features", self._read("features", part))
        size = self._size(at, info)
        # Shares need no size; boxes in pixels do, and UpDn's files have both and no size.
        shares = "shares" in self._names and ("boxes" not in self._names or size is None)
        boxes = finite(where, "boxes", self._read("shares" if shares else "boxes", part))
        if boxes.shape[1] < 4 or len(boxes) != len(features):
            problem = f"features are {features.shape} and boxes {boxes.shape}"
            raise InputError(where, problem, "Store the photo again.")
        ids = self._read("objects", part) if "objects" in self._names else None
        labels = labels_of(where, self._classes, ids)
        return StoredRegions(where, boxes[:, :4].astype(np.float64), features, labels, size, shares)

    def _photos(self, settings: Mapping[str, str]) -> tuple[PhotoRows, NDArray[np.int64]]:
        """Returns the photos by name, and the row of each."""
        found = _ids_beside(self._path, settings)
        names: list[str | bytes | int]
        if found is not None:
            names, rows, self._sizes = _of_json(found, self._path)
        elif "ids" in self._names:
            names = list(self._file.array(self._names["ids"]).tolist())
            rows = list(range(len(names)))
        else:
            raise InputError(
                str(self._path),
                "nothing tells which photo a row is of",
                "Give a JSON file of names and rows: ids=FILE.json (UpDn's imgid2idx).",
            )
        count = len(self._spans) if self._spans is not None else self._shape("features")[0]
        beyond = next((row for row in rows if not 0 <= row < count), None)
        if beyond is not None:
            problem = f"a photo is told to be row {beyond}, and it has {count:,} rows from 0"
            raise InputError(str(self._path), problem, "Take the file of names that belongs to it.")
        return PhotoRows(self._path, keys_of(names)), np.array(rows, dtype=np.int64)

    def _part(self, where: str, at: int, info: Mapping[str, Any]) -> tuple[int | slice, slice]:
        """Returns where the regions of a photo lie: which rows, and how many of a padded row."""
        if len(self._shape("features")) == 2 and self._spans is not None:
            low, high = (int(end) for end in self._spans[at])
            if not 0 <= low < high <= self._shape("features")[0]:
                problem = f"pos_boxes are {low} to {high}, and there are {self._shape('features')[0]:,} regions"
                raise InputError(where, problem, "Store the photo again.")
            return slice(low, high), slice(None)
        count = info.get("objectsNum")
        if count is None and "count" in self._names:
            count = self._file.part(self._names["count"], at)
        there = self._shape("features")[1]
        if count is not None and not 1 <= int(count) <= there:
            raise InputError(where, f"it has {int(count)} regions, and room for {there}", "Store the photo again.")
        return at, slice(None if count is None else int(count))

    def _read(self, name: str, part: tuple[int | slice, slice]) -> NDArray[Any]:
        where, some = part
        # UpDn's padded rows are told by `pos_boxes`, its boxes may be flat all the same.
        found = np.asarray(self._file.part(self._names[name], where))
        return found[some]

    def _size(self, at: int, info: Mapping[str, Any]) -> SizeHW | None:
        if "height" in info and "width" in info:
            return int(info["height"]), int(info["width"])
        if "image_h" in self._names and "image_w" in self._names:
            return tuple(int(self._file.part(self._names[side], at)) for side in ("image_h", "image_w"))  # type: ignore[return-value]
        return None

    def _shape(self, name: str) -> tuple[int, ...]:
        return self._file.shape(self._names[name])


def _ids_beside(path: Path, settings: Mapping[str, str]) -> Path | None:
    """Returns the JSON file of names that is given, or lies beside under one of the usual names."""
    stem = path.stem
    named = settings.get("ids")
    if named:
        if Path(named).suffix.lower() in {".pkl", ".pickle"}:
            raise _pickled_names(Path(named))
        if not is_file(Path(named)):
            raise InputError(named, "there is no such file of names", "Give a JSON file of names and rows.")
        return Path(named)
    beside = (f"{stem}_imgid2idx", f"{stem}_info", "imgid2idx", "gqa_objects_info")
    found = next((path.with_name(f"{name}.json") for name in beside if is_file(path.with_name(f"{name}.json"))), None)
    if found is None:
        held = next((path.with_name(f"{n}.pkl") for n in beside if is_file(path.with_name(f"{n}.pkl"))), None)
        if held is not None:
            raise _pickled_names(held)
    return found


def _pickled_names(path: Path) -> InputError:
    return InputError(
        str(path),
        "these names are a pickle, which could run anything, and are not opened",
        'Write them as JSON in a program that you trust it with: {"42": 0, …}, and say ids=FILE.json.',
    )


def _of_json(path: Path, features: Path) -> tuple[list[str | bytes | int], list[int], Mapping[str, Any]]:
    """Returns names, rows, and what is told of each photo; of GQA, only the photos of this file."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(told, list):
            return [str(name) for name in told], list(range(len(told))), {}
        if all(isinstance(value, int) for value in told.values()):
            return list(told), [int(row) for row in told.values()], {}
        number = features.stem.rpartition("_")[2]
        own = {n: one for n, one in told.items() if "file" not in one or str(one["file"]) == number}
        return list(own), [int(one.get("idx", one.get("index"))) for one in own.values()], own
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise InputError(
            str(path), f"it does not tell rows by photo ({error})", 'Write {"42": 0, …} or a list of names.'
        ) from error
