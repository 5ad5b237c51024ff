"""What `hide_private` finds in real photos: `python benchmarks/private.py [SHARED_DATA]`.

Screens are compared with COCO's own outlines (tv, laptop, cell phone) in the photos at hand, at several limits;
of faces, cards and letters nobody made outlines, so that they are only counted, with the time that looking takes.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from foveate.assist.private import KINDS, LEAST_SCREEN, SCREENS, find_private
from foveate.core.boxes import as_boxes, xywh_to_xyxy
from foveate.core.overlap import box_overlap
from foveate.perception.propose import kinds, propose
from foveate.sources.images import FileImage

LIMITS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5)
_COCO = ("tv", "laptop", "cell phone")


def covered(real: NDArray[np.float64], found: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Returns which boxes ``(N, 4)`` are covered to three quarters by one of the others ``(M, 4)``: they are hidden."""
    shared, _ = box_overlap(real[:, None], found)
    area = (real[:, 2] - real[:, 0]) * (real[:, 3] - real[:, 1])
    return np.asarray(shared.max(axis=1, initial=0.0) >= 0.75 * area)


def screens(shared: Path) -> None:
    """Prints how many of COCO's screens are hidden, and how often one is hidden where there is none."""
    data = json.loads((shared / "coco" / "instances.json").read_text(encoding="utf-8"))
    wanted = {each["id"] for each in data["categories"] if each["name"] in _COCO}
    names, rows = kinds(), []
    for image in data["images"]:
        path = shared / "coco" / "images" / image["file_name"]
        if not path.is_file():
            continue
        seen = propose(FileImage(path).load())
        is_screen = np.array([names[kind] in SCREENS for kind in seen.kind.tolist()], dtype=bool)
        real = [a["bbox"] for a in data["annotations"] if a["image_id"] == image["id"] and a["category_id"] in wanted]
        boxes = xywh_to_xyxy(real) if real else as_boxes(np.zeros((0, 4)))
        rows.append((boxes, seen.xyxy[is_screen], seen.score[is_screen]))
    total, without = sum(len(boxes) for boxes, *_ in rows), [row for row in rows if not len(row[0])]
    print(f"{len(rows)} photos of COCO with {total} screens; {len(without)} photos without one")
    print("| at least | screens hidden | photos without a screen in which something is taken for one |")
    print("|---|---|---|")
    for limit in LIMITS:
        hidden = sum(int(covered(boxes, found[score >= limit]).sum()) for boxes, found, score in rows if len(boxes))
        false = sum(bool((score >= limit).any()) for *_, score in without)
        taken = " (taken)" if limit == LEAST_SCREEN else ""
        print(f"| {limit:g}{taken} | {hidden} of {total} | {false} of {len(without)} |")


def counted(folder: Path) -> str:
    """Returns the row of a table: what is found in the photos of a folder, and in how many of them."""
    times, marks, photos = [], Counter[str](), Counter[str]()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        pixels = FileImage(path).load()
        start = time.perf_counter()
        found = find_private(pixels)
        times.append(time.perf_counter() - start)
        marks.update(one.kind for one in found)
        photos.update({one.kind for one in found})
    cells = " | ".join(f"{marks[kind]} ({photos[kind]})" for kind in KINDS)
    return f"| {folder.parent.name} | {len(times)} | {cells} | {statistics.median(times):.1f} |"


def main() -> None:
    """Prints the tables."""
    shared = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2] / "shared" / "data"
    screens(shared)
    print(
        "\n| photos of | photos | " + " | ".join(f"{kind} (photos)" for kind in KINDS) + " | seconds a photo, median |"
    )
    print("|---" * (len(KINDS) + 3) + "|")
    for folder in sorted(shared.rglob("images")):
        print(counted(folder), flush=True)


if __name__ == "__main__":
    main()
