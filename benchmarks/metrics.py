"""How long mask and box IoU, average precision and a bootstrap take, beside pycocotools and its faster successors.

All get the same regions, in memory, one target and one region a photo, scores that differ; that all find the same
average precision is checked before a time is told. Of the four only Foveate and hotcoco have a bootstrap. That of
pycocotools is the loop that one writes: its `accumulate` on photos drawn anew, timed on 20 resamples and scaled. That
of hotcoco is of the difference of two runs, so that there both evaluate two.

Run: python -m benchmarks.metrics [--samples N] [--floor 5]
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from benchmarks.score import SIZE, coco_object, random_boxes, random_masks
from numpy.typing import NDArray

from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask, Region
from foveate.core.truths import Target, Truth
from foveate.evaluation.evaluate import evaluate

METRICS = ("mean_iou", "coco_ap")
RESAMPLES, TIMED = 1_000, 20
Pairs = Sequence[tuple[Box | Mask, Box | Mask]]
Coco = dict[str, Any]


def main() -> None:
    """Prints the tables; ends with 1 where pycocotools is not as many times slower as the floor says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1_000)
    parser.add_argument("--floor", type=float, default=0.0, help="how many times as fast as pycocotools is enough")
    asked = parser.parse_args()
    n = asked.samples
    boxes = [(Box(a), Box(b)) for a, b in zip(random_boxes(n, 1), near(random_boxes(n, 1)), strict=True)]
    ratios = [*table(f"{n:,} masks", random_masks(n)), *table(f"{n:,} boxes", boxes)]
    if min(ratios) < asked.floor:
        sys.exit(f"pycocotools takes {min(ratios):.1f} times as long at least, less than {asked.floor:g} times")


def table(title: str, pairs: Pairs) -> list[float]:
    """Prints one table and returns how many times as long pycocotools takes, without and with resamples."""
    scores = np.random.default_rng(4).permutation(len(pairs)).astype(np.float64) / len(pairs)
    predictions = [
        Prediction(str(i), "ok", final=Region(found, score), size_hw=SIZE)
        for i, ((found, _), score) in enumerate(zip(pairs, scores, strict=True))
    ]
    truths = [Truth(str(i), targets=(Target(target),), size_hw=SIZE) for i, (_, target) in enumerate(pairs)]
    truth, found = coco_form(pairs, scores)
    kind = "bbox" if isinstance(pairs[0][0], Box) else "segm"
    others = {name: loaded(name, truth, found, kind) for name in ("pycocotools", "faster-coco-eval", "hotcoco")}

    def ours(resamples: int) -> float:
        return evaluate(predictions, truths, metrics=METRICS, resamples=resamples).metrics["coco_ap"].value or 0.0

    check_same(title, ours(0), others)
    took = best(
        {
            "foveate": lambda: ours(0),
            **{name: one.run for name, one in others.items()},
            "drawn": lambda: ours(RESAMPLES),
            "loop": others["pycocotools"].resampling(),
            "two": lambda: (ours(RESAMPLES), ours(RESAMPLES)),
            "compared": others["hotcoco"].compared,
        }
    )
    loop = took["pycocotools"] + took["loop"] / TIMED * RESAMPLES
    print(f"\n{title}: IoU and average precision at ten thresholds\n{'':<46} seconds   of Foveate's")
    for name in ("foveate", *others):
        told(name, took[name], took["foveate"])
    print(f"the same with {RESAMPLES:,} resamples")
    told("foveate", took["drawn"], took["drawn"])
    told(f"pycocotools (scaled from {TIMED} resamples)", loop, took["drawn"])
    told("pycocotools, without any resample", took["pycocotools"], took["drawn"])
    print(f"two runs, with {RESAMPLES:,} resamples")
    told("foveate, of each", took["two"], took["two"])
    told("hotcoco, of their difference", took["compared"], took["two"])
    return [took["pycocotools"] / took["foveate"], loop / took["drawn"]]


class Other:
    """One of the other libraries with the same regions loaded."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make

    def run(self) -> Any:
        """Returns its evaluator, evaluated and accumulated."""

        def work() -> Any:
            evaluator = self.make()
            evaluator.evaluate()
            evaluator.accumulate()
            return evaluator

        return silently(work)

    def resampling(self) -> Callable[[], None]:
        """Returns what accumulates photos drawn anew, a few times, after one evaluation, which is not timed."""
        evaluator = self.run()
        images, every = evaluator.evalImgs, len(evaluator.params.imgIds)
        rng = np.random.default_rng(0)

        def work() -> None:
            for _ in range(TIMED):
                drawn = rng.integers(every, size=every)
                # One category; the photos of one range of areas lie together.
                evaluator.evalImgs = [images[first + i] for first in range(0, len(images), every) for i in drawn]
                silently(evaluator.accumulate)

        return work

    def compared(self) -> Any:
        """Returns what hotcoco says of two evaluations."""
        import hotcoco

        return hotcoco.compare(self.run(), self.run(), n_bootstrap=RESAMPLES, seed=0)


def loaded(name: str, truth: Coco, found: list[Coco], kind: str) -> Other:
    """Returns a library with the regions loaded, which is not timed."""
    if name == "pycocotools":
        from pycocotools.coco import COCO
        from pycocotools.cocoeval import COCOeval as Evaluator
    elif name == "faster-coco-eval":
        from faster_coco_eval import COCO
        from faster_coco_eval import COCOeval_faster as Evaluator
    else:
        from hotcoco import COCO
        from hotcoco import COCOeval as Evaluator

    def load() -> tuple[Any, Any]:
        if name == "pycocotools":
            reader = COCO()
            reader.dataset = truth
            reader.createIndex()
        else:
            reader = COCO(truth)
        return reader, reader.loadRes(found)

    reader, results = silently(load)
    return Other(lambda: Evaluator(reader, results, kind))


def coco_form(pairs: Pairs, scores: NDArray[np.float64]) -> tuple[Coco, list[Coco]]:
    """Returns the regions as COCO writes targets and results."""
    results = [
        text(coco_object(i, a)) | {"score": float(s)}
        for i, ((a, _), s) in enumerate(zip(pairs, scores, strict=True), 1)
    ]
    targets = [text(coco_object(i, b)) | {"id": i, "iscrowd": 0} for i, (_, b) in enumerate(pairs, 1)]
    images = [{"id": i, "height": SIZE[0], "width": SIZE[1]} for i in range(1, len(pairs) + 1)]
    categories = [{"id": 1, "name": "evidence"}]
    return {"info": {}, "images": images, "annotations": targets, "categories": categories}, results


def text(entry: Coco) -> Coco:
    """Returns an entry with its counts as text, as files have them."""
    if "segmentation" in entry:
        code = entry["segmentation"]
        entry["segmentation"] = {"size": code["size"], "counts": code["counts"].decode("ascii")}
    return entry


def near(boxes: Sequence[tuple[float, float, float, float]]) -> list[tuple[float, float, float, float]]:
    """Returns boxes with their sides moved by up to a tenth of a side or so."""
    rng = np.random.default_rng(5)
    moved = []
    for x0, y0, x1, y1 in boxes:
        a, b, c, d = rng.uniform(-0.15, 0.15, 4)
        w, h = x1 - x0, y1 - y0
        right, bottom = min(SIZE[1], x1 + c * w), min(SIZE[0], y1 + d * h)
        moved.append((max(0.0, x0 + a * w), max(0.0, y0 + b * h), right, bottom))
    return moved


def check_same(title: str, ours: float, others: dict[str, Other]) -> None:
    """Refuses times of libraries that do not do the same."""
    for name, one in others.items():
        evaluator = one.run()
        silently(evaluator.summarize)
        theirs = float(evaluator.stats[0])
        if abs(theirs - ours) > 1e-9:
            sys.exit(f"{title}: {name} finds an average precision of {theirs!r}, Foveate {ours!r}")


def told(name: str, seconds: float, ours: float) -> None:
    """Prints a row."""
    print(f"  {name:<44} {seconds:9.4f}   {seconds / ours:10.2f}")


def best(works: Mapping[str, Callable[[], object]], rounds: int = 5) -> dict[str, float]:
    """Returns the least of a few wall times in seconds of each; in turn, so that a busy minute is everyone's."""
    least = dict.fromkeys(works, float("inf"))
    for _ in range(rounds):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            least[name] = min(least[name], time.perf_counter() - start)
    return least


def silently(work: Callable[[], Any]) -> Any:
    """Returns what `work` returns; what it prints is not shown."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return work()


if __name__ == "__main__":
    main()
