"""How many things have one of the offline regions around them, on COCO, VizWiz and rendered scenes; and the time.

    python benchmarks/region_recall.py [--scenes N]

A thing is recalled where the best of the first 36 (or 50) boxes overlaps its box by an IoU of at least 0.5. Beside the
regions stand the places that they are chosen from, each alone. COCO's photos with an even number are those on which the
mixture was chosen (dev), the others are held out; of scenes, whose solids no detector of COCO's kinds has learnt, N are
rendered (40) from a seed that no split has. Needs the samples of `../shared/data` and the weights `yolov3_tiny` and
`vit_s_focus`.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import Boxes, box_area
from foveate.core.overlap import box_iou
from foveate.perception._region_boxes import Candidates, best_boxes, grid_boxes
from foveate.perception._region_offline import GRID_LEVELS, SAME, region_boxes
from foveate.perception._region_parts import even_parts, standing_out
from foveate.perception.embed_image import ImageTokens, embed_image
from foveate.perception.propose import Proposals, propose
from foveate.perception.segments import segment_boxes
from foveate.sources.images import FileImage

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
FIRST = (10, 36, 50)
HIT = 0.5
# COCO's own bound of small things, square pixels.
SMALL = 32**2
SCENES_SEED = 999


@dataclass(frozen=True, eq=False)
class Looked:
    """A photo, the boxes of its things, and what the mixture is made of."""

    truths: Boxes
    pixels: NDArray[np.uint8]
    tokens: ImageTokens
    things: Proposals
    seconds: float


Ways = dict[str, Callable[[Looked], Boxes]]


def main() -> int:
    """Prints the tables; returns the exit code."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--scenes", type=int, default=40, help="how many scenes are rendered")
    given = parser.parse_args()
    sets = {"COCO, dev": coco(0), "COCO, held out": coco(1), "VizWiz": vizwiz(), "scenes": scenes(given.scenes)}
    for name, photos in sets.items():
        print_recall(name, [looked(*photo) for photo in photos])
    return 0


def print_recall(name: str, photos: list[Looked]) -> None:
    """Prints how many things are recalled, by each way."""
    things = sum(len(photo.truths) for photo in photos)
    print(f"\n{name}: {len(photos)} photos, {things} things")
    if not photos:
        print("not here")
        return
    print(
        f"{'boxes':12}" + "".join(f"{f'first {first}':>10}" for first in FIRST) + f"{'large, 36':>12}{'best IoU':>10}"
    )
    for way, boxes in WAYS.items():
        best = [best_overlaps(photo.truths, boxes(photo)) for photo in photos]
        table = np.concatenate(best)
        large = np.concatenate([box_area(photo.truths) > SMALL for photo in photos])
        shares = "".join(f"{(column >= HIT).mean():>10.3f}" for column in table.T)
        of_large = f"{(table[large, 1] >= HIT).mean():>12.3f}" if large.any() else f"{'':>12}"
        print(f"{way:12}{shares}{of_large}{table[:, 1].mean():>10.3f}", flush=True)
    print(f"{np.mean([photo.seconds for photo in photos]):.2f} s a photo for the regions")


def best_overlaps(truths: Boxes, boxes: Boxes) -> NDArray[np.float64]:
    """Returns, for each thing, the highest IoU with the first so many boxes ``(N, len(FIRST))``."""
    table = box_iou(truths[:, None], boxes, empty=0.0)
    return np.stack([table[:, :first].max(axis=1, initial=0.0) for first in FIRST], axis=1)


def looked(pixels: NDArray[np.uint8], truths: Boxes) -> Looked:
    """Returns what is seen in a photo, and how long it took from the pixels to the regions."""
    began = time.perf_counter()
    tokens, things = embed_image(pixels), propose(pixels)
    region_boxes(pixels, tokens, things, max(FIRST))
    return Looked(truths, pixels, tokens, things, time.perf_counter() - began)


def _parts(photo: Looked) -> Boxes:
    parts = even_parts(photo.pixels)
    score = standing_out(photo.tokens.tokens, parts, photo.tokens.size_hw)
    return best_boxes([Candidates(parts, score, ("",) * len(parts))], max(FIRST), SAME).xyxy


def _things(photo: Looked) -> Boxes:
    found = photo.things
    return best_boxes([Candidates(found.xyxy, found.score, ("",) * len(found))], max(FIRST), SAME).xyxy


WAYS: Ways = {
    "regions": lambda photo: region_boxes(photo.pixels, photo.tokens, photo.things, max(FIRST)).xyxy,
    "detector": _things,
    "segments": lambda photo: segment_boxes(photo.tokens),
    "even parts": _parts,
    "grid": lambda photo: grid_boxes(photo.tokens.size_hw, GRID_LEVELS),
}


def coco(half: int) -> Iterator[tuple[NDArray[np.uint8], Boxes]]:
    """Yields photos with the boxes of their things; of crowds none counts."""
    file = DATA / "coco" / "instances.json"
    told = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {"images": []}
    for photo in told["images"]:
        paths = [DATA / name / "images" / photo["file_name"] for name in ("coco", "toloka")]
        path = next((path for path in paths if path.is_file()), None)
        own = [one for one in told["annotations"] if one["image_id"] == photo["id"] and not one["iscrowd"]]
        if path is not None and own and int(Path(photo["file_name"]).stem) % 2 == half:
            boxes = np.array([one["bbox"] for one in own], dtype=np.float64)
            boxes[:, 2:] += boxes[:, :2]
            yield FileImage(path).load(), boxes


def vizwiz() -> Iterator[tuple[NDArray[np.uint8], Boxes]]:
    """Yields the few photos whose polygon is at hand, with the box around it."""
    file = DATA / "vizwiz" / "val_grounding.json"
    told = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    for name, record in told.items():
        path = DATA / "vizwiz" / "images" / name
        if path.is_file():
            points = np.array([[point["x"], point["y"]] for point in record["answer_grounding"]], dtype=np.float64)
            yield FileImage(path).load(), np.concatenate([points.min(axis=0), points.max(axis=0)])[None]


def scenes(count: int) -> Iterator[tuple[NDArray[np.uint8], Boxes]]:
    """Yields rendered scenes with the boxes around what is seen of each solid."""
    if importlib.util.find_spec("foveate.scenes.scene") is None:
        return
    recipe = importlib.import_module("foveate.scenes.recipe").standard()
    make = importlib.import_module("foveate.scenes.scene").make_scene
    for index in range(count):
        scene = make(recipe, SCENES_SEED, index)
        yield scene.image, np.array([_around(mask) for mask in scene.masks], dtype=np.float64)


def _around(mask: NDArray[np.bool_]) -> tuple[int, int, int, int]:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


if __name__ == "__main__":
    raise SystemExit(main())
