"""VinVL's tables: features in one, boxes and classes in another, where rows begin in a third."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import Boxes, SizeHW
from foveate.errors import InputError
from foveate.formats._places import is_file, is_folder
from foveate.formats._region_lines import Lines
from foveate.formats._region_numbers import finite, numbers, whole
from foveate.formats.region_files import StoredRegions

_BOXES = ("predictions.tsv", "label.tsv")
# The detector's vector, then x0, y0, x1, y1, width and height as shares of the photo.
_VECTOR, _PLACE = 2048, 6
_FARTHEST_SHARE = 0.02


def is_vinvl(path: Path) -> bool:
    """Returns whether a table's second column is JSON, or a number with one column after it."""
    with path.open("rb") as file:
        begin = file.read(4096).split(b"\t", 2)
    return len(begin) > 1 and (begin[1][:1] in (b"{", b"[") or (len(begin) == 3 and _is_short(path, begin[1])))


class VinvlFile:
    """Features of VinVL; satisfies `foveate.formats.region_files.RegionFile`.

    A feature of 2,054 numbers ends in its box as shares of the photo; these six are taken off, and are the box where no
    other table tells it. Where one does, both have to agree.

    References:
        Zhang et al.: VinVL, CVPR 2021, section 3; the layout is that of github.com/microsoft/Oscar, VinVL_DOWNLOAD.md.

    Raises:
        InputError: There is no table of boxes and the features do not tell them, or the first row is damaged.
    """

    def __init__(self, path: Path, settings: Mapping[str, str]) -> None:
        file = path / "features.tsv" if is_folder(path) else path
        self._features = Lines(file, _lineidx(file))
        self._boxes = _boxes_of(file, settings)
        self.width = int(self._row(0).features.shape[1])

    def read(self, name: str) -> StoredRegions:
        """Returns the regions of a photo.

        Raises:
            InputError: There is none of this name, or its rows are damaged or do not fit one another.
        """
        return self._row(self._features.rows.row(name))

    def _row(self, row: int) -> StoredRegions:
        where = self._features.where(row)
        told, own = _told_features(where, self._features.columns(row))
        place = own[:, _VECTOR:] if own.shape[1] == _VECTOR + _PLACE else None
        features = own[:, :_VECTOR] if place is not None else own
        if self._boxes is None:
            if place is None:
                raise InputError(
                    where,
                    f"features of {own.shape[1]} numbers do not tell their boxes, and no table beside does",
                    f"Put {' or '.join(_BOXES)} beside it, or name it: boxes=FILE.",
                )
            return StoredRegions(where, place[:, :4].astype(np.float64), features, _labels(told), None, shares=True)
        key = self._features.rows.keys[row].decode(errors="replace")
        at = self._boxes.rows.row(key)
        size_hw, objects = _told_boxes(self._boxes.where(at), self._boxes.columns(at))
        xyxy = _rects(self._boxes.where(at), objects)
        if len(xyxy) != len(features):
            problem = f"it has {len(features)} features, and {self._boxes.where(at)} has {len(xyxy)} boxes"
            raise InputError(where, problem, "Take both tables from one run of the detector.")
        _agree(where, xyxy, size_hw, place)
        return StoredRegions(where, xyxy, features, _labels(objects), size_hw)


def _lineidx(file: Path) -> Path | None:
    beside = file.with_suffix(".lineidx")
    return beside if is_file(beside) else None


def _boxes_of(file: Path, settings: Mapping[str, str]) -> Lines | None:
    named = settings.get("boxes")
    if named and not is_file(Path(named)):
        raise InputError(named, "there is no such table of boxes", f"Give VinVL's {' or '.join(_BOXES)}.")
    found = [Path(named)] if named else [file.with_name(name) for name in _BOXES if is_file(file.with_name(name))]
    return Lines(found[0], _lineidx(found[0])) if found else None


def _is_short(path: Path, second: bytes) -> bool:
    with path.open("rb") as file:
        return second.isdigit() and file.readline().count(b"\t") == 2


def _told_features(where: str, columns: list[bytes]) -> tuple[list[Any], NDArray[np.float32]]:
    """Returns the objects of a row, where it has them, and its features."""
    if len(columns) == 3:
        count, text = whole(where, "num_boxes", columns[1]), columns[2]
        return [], finite(where, "features", numbers(where, "features", text, "<f4", count))
    told = _json(where, columns)
    try:
        objects = told.get("objects", [])
        if "features" in told:
            texts, count = [told["features"]], whole(where, "num_boxes", str(told["num_boxes"]).encode())
        else:
            texts, count = [one["feature"] for one in objects], 1
        rows = [finite(where, "features", numbers(where, "features", text.encode(), "<f4", count)) for text in texts]
        return objects, np.concatenate(rows)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        problem = f"it has no features with num_boxes, nor objects with a feature each ({error})"
        raise InputError(where, problem, "Give VinVL's features.tsv.") from error


def _told_boxes(where: str, columns: list[bytes]) -> tuple[SizeHW | None, list[Any]]:
    told = _json(where, columns)
    if isinstance(told, list):
        return None, told
    size = (told.get("image_h"), told.get("image_w"))
    known = all(isinstance(side, int) and side > 0 for side in size)
    return (size if known else None), told.get("objects", [])


def _rects(where: str, objects: list[Any]) -> Boxes:
    try:
        return np.array([one["rect"] for one in objects], dtype=np.float64).reshape(-1, 4)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(where, f"an object has no rect of four numbers ({error})", "Copy it again.") from error


def _labels(objects: list[Any]) -> tuple[str, ...] | None:
    found = [str(one["class"]) for one in objects if isinstance(one, dict) and isinstance(one.get("class"), str)]
    return tuple(found) if found and len(found) == len(objects) else None


def _agree(where: str, xyxy: Boxes, size_hw: SizeHW | None, place: NDArray[np.float32] | None) -> None:
    if place is None or size_hw is None:
        return
    shares = xyxy / np.array([size_hw[1], size_hw[0]] * 2)
    off = np.abs(shares - place[:, :4]).max(axis=1)
    if off.max() > _FARTHEST_SHARE:
        row = int(off.argmax())
        told, own = (", ".join(f"{side:.3f}" for side in box[:4]) for box in (shares[row], place[row]))
        problem = f"box {row + 1} is {told} of the photo in one table, and {own} at the end of its feature"
        raise InputError(where, problem, "Take both tables from one run of the detector.")


def _json(where: str, columns: list[bytes]) -> Any:
    if len(columns) != 2:
        problem = f"it has {len(columns)} columns, not a name and JSON"
        raise InputError(where, problem, "Copy the file again; it may be cut off.")
    try:
        return json.loads(columns[1])
    except ValueError as error:
        problem = f"its second column is no JSON ({error}); the row may be cut off"
        raise InputError(where, problem, "Copy the file again.") from error
