"""Time of Krippendorff's alpha with 1 − IoU: beside crowd-kit's in the same run, for growing sizes, and of masks.

    python benchmarks/alpha.py
    python benchmarks/alpha.py --long

Boxes are drawn by a seed: each task has one, of a size and place that follow those of the cup's targets (an
eighth of a side wide), and three people who miss it by a few hundredths. 1,000 tasks are also given to crowd-kit,
whose alpha must be the same to 1e-12. `--long` adds 45,000 tasks, all 9.1 thousand million pairs of them. Masks are the
boxes' inscribed stars; a million of their pairs are drawn. Nothing here is bootstrapped.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from foveate.core.regions import Box, Polygon
from foveate.quality.alpha import Alpha, Effort, alpha
from foveate.quality.judgements import Judgement, Said
from foveate.quality.pairs import pairs_of

PEOPLE = ("a", "b", "c")
Sides = tuple[float, float, float, float]
SIZE_HW = (480, 640)
BESIDE = 1_000
SIZES = (1_000, 3_000, 10_000)
LONG = 45_000
MASKS = 2_000
CLOSE = 1e-12


def made(tasks: int, *, stars: bool = False, seed: int = 0) -> list[Judgement]:
    """Returns judgements of three people."""
    rng = np.random.default_rng(seed)
    height, width = SIZE_HW
    sides = np.exp(rng.normal(np.log(0.135), 0.86, (tasks, 2))).clip(0.01, 0.95)
    low = rng.uniform(size=(tasks, 2)) * (1 - sides)
    corners = np.concatenate([low, low + sides], axis=1)[:, None]
    drawn = corners + rng.normal(0, 0.04, (tasks, len(PEOPLE), 4)) * np.tile(sides, 2)[:, None]
    drawn = np.clip(drawn, 0, 1)
    drawn[..., 2:] = np.maximum(drawn[..., 2:], np.minimum(drawn[..., :2] + 0.002, 1))
    drawn[..., :2] = np.minimum(drawn[..., :2], drawn[..., 2:] - 0.001)
    boxes = (drawn * (width, height, width, height)).tolist()
    return [
        Judgement(f"t{task}", name, SIZE_HW, Said(outcome="box", shape=_star(box) if stars else Box(tuple(box))))
        for task, rows in enumerate(boxes)
        for name, box in zip(PEOPLE, rows, strict=True)
    ]


def crowdkits(judgements: Sequence[Judgement]) -> tuple[float, float]:
    """Returns crowd-kit's alpha in pixels, and the seconds that it took."""
    import pandas as pd
    from crowdkit.metrics.data import alpha_krippendorff

    rows = [(one.task, one.annotator, one.said.shape.xyxy) for one in judgements if one.said.shape]
    table = pd.DataFrame(rows, columns=["task", "worker", "label"])
    start = time.perf_counter()
    value = float(alpha_krippendorff(table, cast(Any, _apart)))
    return value, time.perf_counter() - start


def measured(judgements: Sequence[Judgement]) -> tuple[Alpha, float, float]:
    """Returns alpha in pixels, and the seconds that it took, pairs within tasks and all: by the clock, and of cores."""
    start, worked = time.perf_counter(), time.process_time()
    found = alpha(pairs_of(judgements), "pixels", Effort(resamples=0))
    return found, time.perf_counter() - start, time.process_time() - worked


def _apart(a: Sides, b: Sides) -> float:
    """Returns 1 − IoU of two boxes in plain Python, as those write it who give crowd-kit a distance."""
    shared = max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
    both = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return 1.0 - shared / (both - shared)


def _star(box: Sequence[float]) -> Polygon:
    x0, y0, x1, y1 = box
    angles = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    reach = np.where(np.arange(12) % 2, 0.7, 1.0)
    xs = (x0 + x1) / 2 + (x1 - x0) / 2 * reach * np.cos(angles)
    ys = (y0 + y1) / 2 + (y1 - y0) / 2 * reach * np.sin(angles)
    return Polygon((tuple(zip(xs.tolist(), ys.tolist(), strict=True)),))


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the tables; returns the exit code."""
    parser = argparse.ArgumentParser(description="Time of Krippendorff's alpha.")
    parser.add_argument("--long", action="store_true", help=f"also {LONG:,} tasks of three boxes")
    given = parser.parse_args(arguments)
    beside = made(BESIDE)
    (found, seconds, _), (value, theirs) = measured(beside), crowdkits(beside)
    print(f"{BESIDE:,} tasks x {len(PEOPLE)}: {seconds:.2f} s, crowd-kit {theirs:.1f} s, ratio {theirs / seconds:.0f}")
    if found.value is None or abs(found.value - value) > CLOSE:
        print(f"the two do not find the same alpha: {found.value} and {value}")
        return 1
    print(f"{'tasks':>7} {'pairs':>15} {'seconds':>8} {'of cores':>9} {'alpha':>8}   threads {os.cpu_count()}")
    for tasks in (*SIZES, *((LONG,) if given.long else ())):
        found, seconds, worked = measured(made(tasks))
        print(f"{tasks:7,} {found.pairs:15,} {seconds:8.2f} {worked:9.2f} {found.value or 0:8.4f}")
    start = time.perf_counter()
    pairs = pairs_of(made(MASKS, stars=True))
    drawing = time.perf_counter() - start
    start = time.perf_counter()
    found = alpha(pairs, effort=Effort(resamples=0))
    seconds = time.perf_counter() - start
    print(
        f"masks, {MASKS:,} tasks x {len(PEOPLE)}: pairs of one task {drawing:.1f} s; {found.pairs:,} pairs of all "
        f"{seconds:.1f} s, expected {found.expected or 0:.4f} ({found.expected_low or 0:.4f} to "
        f"{found.expected_high or 0:.4f})"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
