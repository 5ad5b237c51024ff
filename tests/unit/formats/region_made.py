"""Tiny files of stored regions, written as the programs of the papers write them, by code of the tests' own."""

from __future__ import annotations

import base64
import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

WIDTH = 5
BUTD = ("image_id", "image_w", "image_h", "num_boxes", "boxes", "features")
LXMERT = ("img_id", "img_h", "img_w", "objects_id", "objects_conf", "attrs_id", "attrs_conf", "num_boxes", "boxes")


@dataclass(frozen=True, eq=False)
class Made:
    """Regions of one photo: boxes ``float32 (R, 4)`` in its pixels, features ``float32 (R, D)``, class numbers."""

    name: str
    size_hw: tuple[int, int]
    boxes: NDArray[np.float32]
    features: NDArray[np.float32]
    classes: NDArray[np.int64]


def made(name: str, seed: int, count: int = 3, size_hw: tuple[int, int] = (40, 60), width: int = WIDTH) -> Made:
    draw = np.random.default_rng(seed)
    low = draw.uniform(0, 0.5, (count, 2)) * size_hw[::-1]
    high = low + draw.uniform(0.2, 0.5, (count, 2)) * size_hw[::-1]
    boxes = np.concatenate([low, high], axis=1).astype(np.float32)
    return Made(name, size_hw, boxes, draw.normal(size=(count, width)).astype(np.float32), draw.integers(0, 4, count))


def text(values: NDArray[Any]) -> str:
    return base64.b64encode(values.tobytes()).decode("ascii")


def butd_row(one: Made) -> dict[str, Any]:
    height, width = one.size_hw
    row = {"image_id": one.name, "image_w": width, "image_h": height, "num_boxes": len(one.boxes)}
    return row | {"boxes": text(one.boxes), "features": text(one.features)}


def lxmert_row(one: Made) -> dict[str, Any]:
    height, width = one.size_hw
    confidence = np.ones(len(one.boxes), dtype=np.float32)
    row = {"img_id": one.name, "img_h": height, "img_w": width, "num_boxes": len(one.boxes)}
    row |= {"objects_id": text(one.classes), "objects_conf": text(confidence), "attrs_conf": text(confidence)}
    return row | {"attrs_id": text(one.classes), "boxes": text(one.boxes), "features": text(one.features)}


def write_table(path: Path, fields: Sequence[str], rows: Sequence[dict[str, Any]], header: bool = False) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, fields, delimiter="\t", lineterminator="\n")
        if header:
            writer.writeheader()
        writer.writerows(rows)
    return path


def write_vinvl(folder: Path, photos: Sequence[Made], kind: str = "predictions", place: bool = True) -> Path:
    """Writes features of 2,054 numbers (their width is that of the photos plus six), boxes and line indices."""
    features, boxes = [], []
    for one in photos:
        height, width = one.size_hw
        shares = one.boxes / np.array([width, height, width, height], dtype=np.float32)
        sides = shares[:, 2:] - shares[:, :2]
        whole = np.concatenate([one.features, shares, sides], axis=1) if place else one.features
        told = {"num_boxes": len(one.boxes), "features": text(whole.astype(np.float32))}
        features.append(f"{one.name}\t{json.dumps(told)}")
        objects = [
            {"rect": [float(side) for side in box], "class": f"kind{number}", "conf": 0.5}
            for box, number in zip(one.boxes, one.classes, strict=True)
        ]
        sized = {"image_h": height, "image_w": width, "num_boxes": len(objects), "objects": objects}
        boxes.append(f"{one.name}\t{json.dumps(sized if kind == 'predictions' else objects)}")
    folder.mkdir(parents=True, exist_ok=True)
    _with_index(folder / "features", features)
    if kind != "none":
        _with_index(folder / kind, boxes[::-1])
    return folder


def _with_index(stem: Path, lines: Sequence[str]) -> None:
    starts, at = [], 0
    for line in lines:
        starts.append(at)
        at += len(line.encode()) + 1
    stem.with_suffix(".tsv").write_text("".join(f"{line}\n" for line in lines))
    stem.with_suffix(".lineidx").write_text("".join(f"{start}\n" for start in starts))
