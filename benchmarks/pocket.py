"""Mean box IoU and accuracy@0.5 of the default grounder on real photos, beside two priors and a question-blind box.

    python benchmarks/pocket.py

Needs the samples of `../shared/data` and the weights `yolov3_tiny`. The questions were written from templates about
things that stand alone of their kind: easier than the WSDM Cup, and only of the kinds that the detector knows.
"""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from foveate.core.overlap import box_iou
from foveate.grounders import centre_box, pocket, whole_image
from foveate.grounders._protocol import Grounder
from foveate.perception.propose import SIDES, propose
from foveate.perception.read_text import read_text
from foveate.sources.images import FileImage

Found = tuple[float, ...] | None
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@dataclass(frozen=True)
class Item:
    """One question with its photo and target box, ``(4,)`` upright pixels."""

    image: FileImage
    question: str
    xyxy: tuple[float, ...]


def main() -> int:
    """Prints the table; returns the exit code."""
    if not DATA.is_dir():
        print(f"{DATA} is not here; nothing to measure")
        return 0
    items = read_items()
    names = {item.image.name for item in items}
    print(f"{len(items)} questions about {len(names)} photos\n{'method':34} mean IoU  acc@0.5  n_scored")
    for name, boxes in methods(items).items():
        report(name, items, boxes)
    seconds(items)
    return 0


def read_items() -> list[Item]:
    """Returns the questions of `coco/questions.csv`, in its order."""
    folders = (DATA / "coco" / "images", DATA / "toloka" / "images")
    with (DATA / "coco" / "questions.csv").open(encoding="utf-8", newline="") as file:
        return [
            Item(
                next(FileImage(folder / row["image"]) for folder in folders if (folder / row["image"]).is_file()),
                row["question"],
                tuple(float(row[side]) for side in ("left", "top", "right", "bottom")),
            )
            for row in csv.DictReader(file)
        ]


def methods(items: list[Item]) -> dict[str, list[Found]]:
    """Returns each method's box for each question, or None for no region."""
    found: dict[str, list[Found]] = {
        "whole_image": grounded(whole_image.Grounder(), items),
        "centre_box": grounded(centre_box.Grounder(), items),
        "most confident box": [most_confident(item) for item in items],
        "pocket": grounded(pocket.Grounder(), items),
    }
    for sides in ((608,), (416,), SIDES):
        name = f"pocket, things only, {' + '.join(map(str, sides))}"
        found[name] = with_sides(sides, items)
    return found


def most_confident(item: Item) -> Found:
    """Returns the detector's best box, whatever the question."""
    boxes = propose(item.image.load()).xyxy
    return tuple(boxes[0].tolist()) if len(boxes) else None


def with_sides(sides: tuple[int, ...], items: list[Item]) -> list[Found]:
    """Returns pocket's boxes with other input sizes of the detector and without the reader of text."""
    changed = {"propose": partial(propose, sides=sides), "read_text": lambda _: ()}
    kept = {name: vars(pocket)[name] for name in changed}
    vars(pocket).update(changed)
    try:
        return grounded(pocket.Grounder(), items)
    finally:
        vars(pocket).update(kept)


def grounded(grounder: Grounder, items: list[Item]) -> list[Found]:
    """Returns the boxes of a grounder; a photo is prepared once for the questions that follow each other on it."""
    boxes: list[Found] = []
    last = None
    for item in items:
        if item.image != last:
            grounder.prepare(item.image, item.image.size_hw)
            last = item.image
        final = grounder.ground(item.question).final
        boxes.append(final.shape.xyxy if final else None)
    return boxes


def report(name: str, items: list[Item], boxes: list[Found]) -> None:
    """Prints one row; no region counts 0."""
    ious = np.array([
        box_iou(box, item.xyxy, empty=0.0).item() if box else 0.0 for box, item in zip(boxes, items, strict=True)
    ])  # fmt: skip
    print(f"{name:34} {ious.mean():8.3f} {(ious >= 0.5).mean():8.3f} {sum(box is not None for box in boxes):9}")


def seconds(items: list[Item]) -> None:
    """Prints the median time of the first question about a photo, the next one, and of reading its text."""
    photos = list({item.image.name: item for item in items}.values())[:15]
    times: dict[str, list[float]] = {"first question": [], "next question": [], "reading text": []}
    grounder = pocket.Grounder()
    for item in photos:
        pixels = item.image.load()
        grounder.prepare(item.image, item.image.size_hw)
        steps: dict[str, Callable[[], object]] = {
            "first question": partial(grounder.ground, "Where is the person?"),
            "next question": partial(grounder.ground, "Where is the person?"),
            "reading text": partial(read_text, pixels),
        }
        for name, step in steps.items():
            start = time.perf_counter()
            step()
            times[name].append(time.perf_counter() - start)
    print("\nmedian seconds: " + ", ".join(f"{name} {np.median(spent):.4f}" for name, spent in times.items()))


if __name__ == "__main__":
    sys.exit(main())
