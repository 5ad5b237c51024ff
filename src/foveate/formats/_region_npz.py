"""A folder of NumPy archives, one a photo, named after it."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.errors import InputError
from foveate.formats._places import is_file
from foveate.formats._region_numbers import class_names, finite, labels_of
from foveate.formats.region_files import StoredRegions, pickled

# Each program has its own names for the same arrays.
_NAMES = {
    "features": ("x", "features", "feat"),
    "boxes": ("bbox", "boxes", "bboxes"),
    "image_h": ("image_h", "image_height", "img_h"),
    "image_w": ("image_w", "image_width", "img_w"),
    "num_boxes": ("num_bbox", "num_boxes"),
    "objects": ("objects_id", "objects"),
}


class NpzFolder:
    """Archives of features; satisfies `foveate.formats.region_files.RegionFile`.

    Raises:
        InputError: There is no archive, only pickles, or the first one is damaged.
    """

    def __init__(self, path: Path, settings: Mapping[str, str]) -> None:
        self._folder = path
        self._classes = class_names(path, settings)
        first = min(path.glob("*.npz"), default=None)
        if first is None:
            held = min(path.glob("*.npy"), default=None)
            if held is not None:
                raise pickled(held)
            raise InputError(str(path), "there is no .npz in it", "Give the folder that has one a photo.")
        self.width = int(self._archive(first).features.shape[1])

    def read(self, name: str) -> StoredRegions:
        """Returns the regions of a photo; its archive has the photo's name, with or without the end, and `.npz`.

        Raises:
            InputError: There is none, or it is damaged.
        """
        last = PurePosixPath(name)
        texts = dict.fromkeys([f"{name}.npz", str(last.with_suffix(".npz")), f"{last.name}.npz", f"{last.stem}.npz"])
        inside = [self._folder / text for text in texts if ".." not in PurePosixPath(text).parts]
        found = next((path for path in inside if is_file(path)), None)
        if found is None:
            looked = ", ".join(texts)
            raise InputError(str(self._folder), f"it has no features of {name} ({looked})", "Look at the folder.")
        return self._archive(found)

    def _archive(self, path: Path) -> StoredRegions:
        where = str(path)
        told = _arrays(path)
        if "features" not in told or "boxes" not in told:
            lacking = "features" if "features" not in told else "boxes"
            problem = f"it has no {lacking}, under none of the names {', '.join(_NAMES[lacking])}"
            raise InputError(where, problem, "Store the photo again.")
        boxes = finite(where, "boxes", np.atleast_2d(told["boxes"]))
        features = _upright(where, np.atleast_2d(told["features"]), boxes)
        count = _count(where, told, len(boxes))
        ids = told["objects"][:count] if "objects" in told else None
        labels = labels_of(where, self._classes, ids)
        size = _size(where, told)
        return StoredRegions(where, boxes[:count, :4].astype(np.float64), features[:count], labels, size)


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Returns the arrays by our names; those of other names, which may be pickles, are not looked at."""
    try:
        # NumPy leaves a file open that it cannot make out.
        with path.open("rb") as file, np.load(file, allow_pickle=False) as held:
            names = {ours: next((n for n in theirs if n in held.files), None) for ours, theirs in _NAMES.items()}
            return {ours: np.asarray(held[theirs]) for ours, theirs in names.items() if theirs is not None}
    except (OSError, ValueError, TypeError, KeyError, EOFError, zipfile.BadZipFile, NotImplementedError) as error:
        if "allow_pickle" in str(error):
            raise pickled(path) from error
        raise InputError(
            str(path), f"it is no archive of arrays, or it is cut off ({error})", "Copy it again."
        ) from error


def _upright(where: str, features: NDArray[Any], boxes: NDArray[np.float32]) -> NDArray[np.float32]:
    """Returns features a row each; some programs store a column each."""
    if features.ndim != 2 or boxes.ndim != 2 or boxes.shape[1] < 4:
        problem = f"features have the shape {features.shape} and boxes {boxes.shape}, not (R, D) and (R, 4)"
        raise InputError(where, problem, "Store the photo again.")
    if features.shape[0] != len(boxes) and features.shape[1] == len(boxes):
        features = features.T
    if features.shape[0] != len(boxes):
        problem = f"it has {len(boxes)} boxes, and features of the shape {features.shape}"
        raise InputError(where, problem, "Store the photo again.")
    return finite(where, "features", features)


def _count(where: str, told: Mapping[str, NDArray[Any]], there: int) -> int:
    """Returns how many regions are real; the rest fills up."""
    if "num_boxes" not in told:
        return there
    count = _number(where, "num_boxes", told)
    if not 1 <= count <= there:
        raise InputError(where, f"num_boxes is {count}, and it has {there} boxes", "Store the photo again.")
    return count


def _size(where: str, told: Mapping[str, NDArray[Any]]) -> SizeHW | None:
    if "image_h" not in told or "image_w" not in told:
        return None
    return _number(where, "image_h", told), _number(where, "image_w", told)


def _number(where: str, name: str, told: Mapping[str, NDArray[Any]]) -> int:
    value = told[name]
    if value.size != 1 or not np.issubdtype(value.dtype, np.number):
        raise InputError(where, f"{name} is {value.dtype} {value.shape}, not one number", "Store the photo again.")
    return int(value.reshape(-1)[0])
