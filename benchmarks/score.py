"""How long scoring takes, as ratios to what others take for the same in the same run.

Boxes and masks are scored beside pycocotools' COCOeval, which gives average precision of the same regions without any
interval; a million synthetic boxes beside the plain NumPy loop that draws the same resamples of a ready column of IoUs.

Run: python benchmarks/score.py [--quick]
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

from foveate.core.boxes import xyxy_to_xywh
from foveate.core.polygons import rasterise
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask, Region
from foveate.core.rle import Rle, area
from foveate.core.truths import Target, Truth
from foveate.evaluation.evaluate import evaluate, summarise
from foveate.evaluation.measured import measured

SIZE = (480, 640)
METRICS = ("mean_iou", "accuracy@0.5")
Shapes = Sequence[Box | Mask]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="no million")
    parser.add_argument("--synthetic", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.synthetic:
        print(json.dumps(synthetic(asked.synthetic)))
        return
    boxes = [(Box(a), Box(b)) for a, b in zip(random_boxes(4_504, 1), random_boxes(4_504, 2), strict=True)]
    against_coco("4,504 boxes, with 1,000 resamples", boxes, 1_000)
    against_coco("4,504 boxes, without intervals", boxes, 0)
    against_coco("1,000 samples of one mask, with 1,000 resamples", random_masks(1_000), 1_000)
    against_coco("1,000 samples of one mask, without intervals", random_masks(1_000), 0)
    print("\nsynthetic boxes, 1,000 resamples, mean_iou and accuracy@0.5")
    print("samples     measure  bootstrap  NumPy's loop  ratio   us a sample  peak memory, of it the samples")
    for n in (10_000, 100_000) if asked.quick else (10_000, 100_000, 1_000_000):
        alone = subprocess.run([sys.executable, __file__, "--synthetic", str(n)], check=True, capture_output=True)
        row = json.loads(alone.stdout)
        print(
            f"{n:>9,}  {row['measure']:6.2f} s   {row['bootstrap']:6.2f} s      {row['floor']:6.2f} s   "
            f"{row['bootstrap'] / row['floor']:4.2f}  {(row['measure'] + row['bootstrap']) / n * 1e6:10.1f}   "
            f"{row['peak']:8.2f} GB, {row['made']:.2f} GB"
        )


def against_coco(title: str, pairs: Sequence[tuple[Box | Mask, Box | Mask]], resamples: int) -> None:
    """Prints how long we take for pairs of prediction and target, and how long COCOeval."""
    predictions = [
        Prediction(str(n), "ok", final=Region(found, 0.5), size_hw=SIZE) for n, (found, _) in enumerate(pairs)
    ]
    truths = [Truth(str(n), targets=(Target(target),), size_hw=SIZE) for n, (_, target) in enumerate(pairs)]
    evaluator = coco_evaluator(pairs)
    ours = best(lambda: evaluate(predictions, truths, metrics=METRICS, resamples=resamples))
    theirs = best(lambda: silently(lambda: (evaluator.evaluate(), evaluator.accumulate())))
    print(f"{title}: {ours:.3f} s, COCOeval {theirs:.3f} s: {theirs / ours:.1f} times as fast")


def coco_evaluator(pairs: Sequence[tuple[Box | Mask, Box | Mask]]) -> Any:
    """Returns COCOeval over the same regions, loaded; one category, one target and one result an image."""
    results = [coco_object(n, found) | {"score": 0.5} for n, (found, _) in enumerate(pairs, 1)]
    targets = [coco_object(n, target) | {"id": n, "iscrowd": 0} for n, (_, target) in enumerate(pairs, 1)]

    def load() -> Any:
        truth = COCO()
        truth.dataset = {
            "images": [{"id": n, "height": SIZE[0], "width": SIZE[1]} for n in range(1, len(pairs) + 1)],
            "annotations": targets,
            "categories": [{"id": 1, "name": "evidence"}],
        }
        truth.createIndex()
        kind = "bbox" if isinstance(pairs[0][0], Box) else "segm"
        return COCOeval(truth, truth.loadRes(results), kind)

    return silently(load)


def coco_object(number: int, shape: Box | Mask) -> dict[str, Any]:
    """Returns a region as COCO writes it."""
    written: dict[str, Any] = {"image_id": number, "category_id": 1, "bbox": xyxy_to_xywh(shape.xyxy).tolist()}
    if isinstance(shape, Mask):
        code: Rle = shape.encoded
        written |= {"segmentation": {"size": list(code.size_hw), "counts": code.counts}, "area": area(code)}
    else:
        written["area"] = written["bbox"][2] * written["bbox"][3]
    return written


def synthetic(n: int) -> dict[str, float]:
    """Returns seconds and gigabytes for `n` samples, in a process of its own."""
    predictions = [
        Prediction(str(i), "ok", final=Region(Box(xyxy), 0.5), size_hw=SIZE)
        for i, xyxy in enumerate(random_boxes(n, 1))
    ]
    truths = [Truth(str(i), targets=(Target(Box(b)),), size_hw=SIZE) for i, b in enumerate(random_boxes(n, 2))]
    made = peak()
    start = time.perf_counter()
    found = measured(predictions, truths, metrics=METRICS)
    measuring = time.perf_counter() - start
    start = time.perf_counter()
    summarise(found, resamples=1_000, seed=0)
    bootstrap = time.perf_counter() - start
    most = peak()
    start = time.perf_counter()
    plain_loop(found.columns["mean_iou"]["iou"])
    return {
        "measure": measuring,
        "bootstrap": bootstrap,
        "floor": time.perf_counter() - start,
        "peak": most,
        "made": made,
    }


def plain_loop(values: NDArray[np.float64]) -> list[tuple[float, float]]:
    """Returns 1,000 resampled values of both metrics, as one writes it down at first."""
    rng = np.random.default_rng(0)
    found = []
    for _ in range(1_000):
        drawn = values[rng.integers(len(values), size=len(values))]
        found.append((float(drawn.mean()), float((drawn >= 0.5).mean())))
    return found


def random_boxes(n: int, seed: int) -> list[tuple[float, float, float, float]]:
    """Returns boxes inside the photo."""
    rng = np.random.default_rng(seed)
    corner = rng.uniform(0, (400, 300), (n, 2))
    return [(a, b, c, d) for a, b, c, d in np.hstack([corner, corner + rng.uniform(5, 180, (n, 2))]).tolist()]


def random_masks(n: int) -> list[tuple[Mask, Mask]]:
    """Returns pairs of polygons with 12 corners, one shifted by some pixels, as masks."""
    rng = np.random.default_rng(3)
    pairs = []
    for _ in range(n):
        angles = np.sort(rng.uniform(0, 2 * np.pi, 12))
        spokes = rng.uniform(40, 120, 12)[:, None]
        corners = np.array([320, 240]) + spokes * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        moved = corners + rng.uniform(-20, 20, 2)
        pairs.append((Mask(rasterise([corners], SIZE)), Mask(rasterise([moved], SIZE))))
    return pairs


def best(work: Callable[[], object], rounds: int = 3) -> float:
    """Returns the least of a few wall times in seconds."""
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def silently(work: Callable[[], Any]) -> Any:
    """Returns what `work` returns; what it prints is not shown."""
    with contextlib.redirect_stdout(io.StringIO()):
        return work()


def peak() -> float:
    """Returns the most memory that this process has held, in gigabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


if __name__ == "__main__":
    main()
