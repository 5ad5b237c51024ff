"""What a leaderboard of two decimals gives away to who sends crafted entries: `python -m benchmarks.board_probing CSV`.

CSV is the cup's, with targets (`image,width,height,left,top,right,bottom,question`). An honest file is made of the
targets by seeded noise. Then entries are sent that move every box of it by a seeded random step, and what the board
shows of each, `mean_iou` times 100 with two decimals, is all that is learned: the steps are added up by how much better
than their mean they did, and the file is moved that way. Of some lengths of that move the best is told, for which so
many entries more are needed. Printed: how far the board has gone up by the number of entries, how much of an IoU one
row must change to be seen, and for how many single rows a hit that becomes a miss is seen in `accuracy@0.5`.
"""

from __future__ import annotations

import argparse
import csv
import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from foveate.challenges.disclosure import as_shown
from foveate.core.overlap import box_iou

Rows = NDArray[np.float64]
_LENGTHS = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
_STEP = 0.1


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("csv", type=Path)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--noise", type=float, default=0.18, help="of each side, in sides of the target")
    given = parser.parse_args()
    targets, whole = _read(given.csv)
    rng = np.random.default_rng(given.seed)
    honest = _within(targets + rng.normal(0, given.noise, targets.shape) * _sides(targets), whole)
    n, before = len(targets), _shown(honest, targets)
    print(f"{n:,} rows; mean_iou x 100 of the honest file: {100 * before:.2f}")
    for entries in (10, 50, 150, 450, 1_000):
        after = _moved(honest, targets, whole, entries, np.random.default_rng((given.seed, entries)))
        print(f"{entries:5,} entries and {len(_LENGTHS)}: {100 * (after - before):+.2f}")
    print(f"a change of one row's IoU is always seen from {n * 1e-4:.2f} on")
    hits = box_iou(honest, targets, empty=0.0) > 0.5
    seen = sum(_rounded((hits.sum() - hit) / n) != _rounded(hits.sum() / n) for hit in hits if hit)
    print(f"of {hits.sum():,} hits {seen:,} are seen when they become a miss, alone")
    print(f"bits an entry: at most {math.log2(n + 1):.1f} by accuracy@0.5, {math.log2(10_001):.1f} by mean_iou")


def _moved(honest: Rows, targets: Rows, whole: Rows, entries: int, rng: np.random.Generator) -> float:
    """Returns what the board shows in the end, after so many entries and one for each length."""
    steps = rng.choice([-_STEP, _STEP], (entries, *honest.shape)) * _sides(honest)
    shown = np.array([_shown(_within(honest + step, whole), targets) for step in steps])
    by = shown - shown.mean()
    way = np.tensordot(by, steps, 1) / max(float(np.sqrt((by**2).sum())), 1e-12)
    return max(_shown(_within(honest + length * way, whole), targets) for length in _LENGTHS)


def _shown(boxes: Rows, targets: Rows) -> float:
    return _rounded(float(box_iou(boxes, targets, empty=0.0).mean()))


def _rounded(value: float) -> float:
    found = as_shown(value, "rounded")
    assert found is not None
    return found


def _sides(boxes: Rows) -> Rows:
    sides = np.maximum(boxes[:, 2:] - boxes[:, :2], 4.0)
    return np.hstack([sides, sides])


def _within(boxes: Rows, whole: Rows) -> Rows:
    """Returns boxes within their photos, whose corners are in order."""
    inside = np.clip(boxes, 0.0, np.hstack([whole, whole]))
    return np.hstack([np.minimum(inside[:, :2], inside[:, 2:]), np.maximum(inside[:, :2], inside[:, 2:])])


def _read(path: Path) -> tuple[Rows, Rows]:
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    boxes = np.array([[float(row[name]) for name in ("left", "top", "right", "bottom")] for row in rows])
    return boxes, np.array([[float(row["width"]), float(row["height"])] for row in rows])


if __name__ == "__main__":
    main()
