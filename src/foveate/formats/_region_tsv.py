"""Tables of bottom-up attention and what came after it: a photo a line, numbers as base64."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.errors import InputError
from foveate.formats._region_lines import Lines
from foveate.formats._region_names import twice
from foveate.formats._region_numbers import class_names, finite, labels_of, numbers, whole
from foveate.formats.region_files import StoredRegions

# Which columns there are is told by their number, where nothing else tells.
_LAYOUTS = {
    6: ("image_id", "image_w", "image_h", "num_boxes", "boxes", "features"),
    7: ("image_id", "image_w", "image_h", "num_boxes", "boxes", "features", "cls_prob"),
    10: (
        "img_id",
        "img_h",
        "img_w",
        "objects_id",
        "objects_conf",
        "attrs_id",
        "attrs_conf",
        "num_boxes",
        "boxes",
        "features",
    ),
}
_SAME = {"img_id": "image_id", "img_h": "image_h", "img_w": "image_w"}
_NEEDED = ("image_id", "num_boxes", "boxes", "features")


class TsvFile:
    """A table of regions; satisfies `foveate.formats.region_files.RegionFile`.

    References:
        Anderson et al.: Bottom-up and top-down attention, CVPR 2018 (the six columns); Tan, Bansal: LXMERT, EMNLP 2019
        (the ten); Lu et al.: ViLBERT, NeurIPS 2019 (the seven).

    Raises:
        InputError: Its columns are none of these and are not told, or the first row is damaged.
    """

    def __init__(self, path: Path, settings: Mapping[str, str]) -> None:
        self._lines = Lines(path)
        self._fields, self._headed = self._columns(settings.get("fields"))
        self._classes = class_names(path, settings)
        if len(self._lines) <= self._headed:
            raise InputError(str(path), "it has a line of names and no photo", "Copy it again.")
        self.width = int(self._row(int(self._headed)).features.shape[1])

    def read(self, name: str) -> StoredRegions:
        """Returns the regions of a photo; a row that stands there twice is one if both are the same.

        Raises:
            InputError: There is none of this name, the row is damaged, or two differ.
        """
        rows = self._lines.rows.rows(name)
        first = self._lines.columns(rows[0])
        if any(self._lines.columns(row) != first for row in rows[1:]):
            raise twice(self._lines.path, name, rows)
        return self._row(rows[0])

    def _columns(self, declared: str | None) -> tuple[tuple[str, ...], bool]:
        first = [column.decode(errors="replace") for column in self._lines.columns(0)]
        headed = _SAME.get(first[0], first[0]) == "image_id"
        found: tuple[str, ...] | None = tuple(first) if headed else _LAYOUTS.get(len(first))
        if declared:
            found = tuple(name.strip() for name in declared.split(","))
        if found is None:
            raise InputError(
                self._lines.where(0),
                f"it has {len(first)} columns; bottom-up attention has 6, ViLBERT 7, LXMERT 10",
                "Say them, parted by commas: fields=image_id,image_w,…",
            )
        fields = tuple(_SAME.get(name, name) for name in found)
        lacking = [name for name in _NEEDED if name not in fields]
        if lacking or fields[0] != "image_id":
            why = f"no column {lacking[0]}" if lacking else f"{fields[0]} first, and image_id has to be"
            raise InputError(str(self._lines.path), f"it has {why}", "Say its columns: fields=image_id,…")
        return fields, headed

    def _row(self, row: int) -> StoredRegions:
        where, columns = self._lines.where(row), self._lines.columns(row)
        if len(columns) != len(self._fields):
            problem = f"it has {len(columns)} columns, not {len(self._fields)}"
            raise InputError(where, problem, "Copy the file again; it may be cut off.")
        told = dict(zip(self._fields, columns, strict=True))
        count = whole(where, "num_boxes", told["num_boxes"])
        boxes = finite(where, "boxes", numbers(where, "boxes", told["boxes"], "<f4", count), 4)
        features = finite(where, "features", numbers(where, "features", told["features"], "<f4", count))
        self._same_width(where, features)
        labels = labels_of(where, self._classes, self._ids(where, told, count))
        return StoredRegions(where, boxes.astype(np.float64), features, labels, _size(where, told))

    def _same_width(self, where: str, features: NDArray[np.float32]) -> None:
        wanted = getattr(self, "width", features.shape[1])
        if features.shape[1] != wanted:
            problem = f"features have {features.shape[1]} numbers a region, those of the first row {wanted}"
            raise InputError(where, problem, "Copy the file again; the row may be cut off.")

    def _ids(self, where: str, told: Mapping[str, bytes], count: int) -> NDArray[np.generic] | None:
        if self._classes is None or "objects_id" not in told:
            return None
        return numbers(where, "objects_id", told["objects_id"], "<i8", count)


def _size(where: str, told: Mapping[str, bytes]) -> SizeHW | None:
    if "image_h" not in told or "image_w" not in told:
        return None
    return whole(where, "image_h", told["image_h"]), whole(where, "image_w", told["image_w"])
