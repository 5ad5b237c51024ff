"""Krippendorff's alpha beside crowd-kit's, which the cup's paper used, and pycocotools' intersections over unions."""

from __future__ import annotations

import csv
from typing import Any, cast, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as limited
from hypothesis import strategies as st

from foveate.core.boxes import SizeHW
from foveate.core.masks import box_to_rle
from foveate.core.regions import Box, Polygon
from foveate.core.rle import decode, encode
from foveate.datasets._open import open_dataset
from foveate.quality.alpha import Effort, alpha
from foveate.quality.expected import PackedMasks, expected
from foveate.quality.grids import packed
from foveate.quality.judgements import Judgement, Said
from foveate.quality.pairs import pairs_of
from foveate.quality.regions import Frame
from foveate.quality.steps import nominal
from tests.helpers import SHARED, needs_shared

pytestmark = pytest.mark.reference
NONE = Effort(resamples=0)
Sides = tuple[float, float, float, float]
# Task, annotator, box, the photo's size.
Drawn = tuple[str, str, Sides, SizeHW]


def apart(a: Sides, b: Sides) -> float:
    """Returns 1 − IoU by the schoolbook."""
    wide = max(0.0, min(a[2], b[2]) - max(a[0], b[0]))
    high = max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
    areas = [(right - left) * (bottom - top) for left, top, right, bottom in (a, b)]
    return 1.0 - wide * high / (sum(areas) - wide * high)


def theirs(drawn: list[Drawn], frame: Frame) -> float:
    """Returns crowd-kit's alpha."""
    import pandas as pd
    from crowdkit.metrics.data import alpha_krippendorff

    rows = []
    for task, worker, sides, (height, width) in drawn:
        by = (width, height, width, height) if frame == "unit" else (1, 1, 1, 1)
        rows.append((task, worker, tuple(side / length for side, length in zip(sides, by, strict=True))))
    return float(alpha_krippendorff(pd.DataFrame(rows, columns=["task", "worker", "label"]), cast(Any, apart)))


def ours(drawn: list[Drawn], frame: Frame) -> float:
    judged = [Judgement(task, who, size, Said(outcome="box", shape=Box(sides))) for task, who, sides, size in drawn]
    value = alpha(pairs_of(judged), frame, NONE).value
    assert value is not None
    return value


def made(seed: int, tasks: int) -> list[Drawn]:
    """Returns boxes of one to four people a task on photos of several sizes; two of them may be the very same."""
    rng = np.random.default_rng(seed)
    found: list[Drawn] = []
    for task in range(tasks):
        height, width = (int(side) for side in rng.integers(20, 200, 2))
        first = rng.uniform(0, 0.7, 2)
        box = np.concatenate([first, first + rng.uniform(0.05, 0.3, 2)])
        for person in range(int(rng.integers(1, 5))):
            moved = box + rng.normal(0, 0.02, 4) * (rng.uniform() < 0.8)
            moved[2:] = np.maximum(moved[2:], moved[:2] + 0.01)
            x0, y0, x1, y1 = (moved * (width, height, width, height)).tolist()
            found.append((f"t{task}", f"p{person}", (x0, y0, x1, y1), (height, width)))
    return found


@limited(max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from(["unit", "pixels"]))
def test_alpha_of_random_boxes_is_crowdkits(seed: int, frame: Frame) -> None:
    drawn = [*made(seed, 12), *(("two", who, (1.0, 1.0, 9.0, 9.0), (10, 10)) for who in ("a", "b"))]
    assert ours(drawn, frame) == pytest.approx(theirs(drawn, frame), abs=1e-12)


def cup() -> list[Drawn]:
    """Returns the cup's targets and its crowd's boxes as those of two people."""
    found: list[Drawn] = []
    sizes: dict[str, SizeHW] = {}
    for name, person in (("test_public.csv", "target"), ("test_public_crowd_baseline.csv", "crowd")):
        with (SHARED / "toloka" / name).open(newline="") as file:
            for row in csv.DictReader(file):
                x0, y0, x1, y1 = (float(row[side]) for side in ("left", "top", "right", "bottom"))
                if person == "target":
                    sizes[row["image"]] = (int(row["height"]), int(row["width"]))
                found.append((row["image"], person, (x0, y0, x1, y1), sizes[row["image"]]))
    return found


@needs_shared
@pytest.mark.parametrize(("frame", "value"), [("unit", 0.878098), ("pixels", 0.878478)])
def test_the_cups_crowd_beside_its_targets(frame: Frame, value: float) -> None:
    drawn = cup()
    assert ours(drawn, frame) == pytest.approx(value, abs=1e-6)
    tasks = dict.fromkeys(task for task, *_ in drawn)
    some = set(list(tasks)[:200])
    few = [one for one in drawn if one[0] in some]
    assert ours(few, frame) == pytest.approx(theirs(few, frame), abs=1e-12)


@pytest.mark.slow
@needs_shared
def test_the_whole_cup_is_crowdkits() -> None:
    assert ours(cup(), "unit") == pytest.approx(theirs(cup(), "unit"), abs=1e-12)


def test_alpha_of_answers_is_crowdkits() -> None:
    import pandas as pd
    from crowdkit.metrics.data import alpha_krippendorff

    rng = np.random.default_rng(8)
    answers = [(f"t{task}", str(rng.integers(3))) for task in range(60) for _ in range(rng.integers(1, 5))]
    rows = [(task, f"w{n}", said) for n, (task, said) in enumerate(answers)]
    found = alpha_krippendorff(pd.DataFrame(rows, columns=["task", "worker", "label"]))
    assert nominal("said", answers, NONE).alpha.value == pytest.approx(float(found), abs=1e-12)


def test_the_grid_beside_all_pixels() -> None:
    from pycocotools import mask as coco

    rng = np.random.default_rng(1)
    high, wide = 240, 320
    masks = []
    for _ in range(120):
        height, width = int(rng.integers(120, high + 1)), int(rng.integers(160, wide + 1))
        at, by = rng.uniform(0, 0.6, 2), rng.uniform(0.1, 0.4, 2)
        angles = np.sort(rng.uniform(0, 2 * np.pi, 9))
        star = at + by / 2 + np.stack([np.cos(angles), np.sin(angles)], axis=1) * by / 2 * rng.uniform(0.3, 1, (9, 1))
        points = np.clip(star, 0, 1) * (width, height)
        masks.append(Polygon((tuple((x, y) for x, y in points.tolist()),)).rle((height, width)))
    padded = []
    for mask in masks:
        plane = np.zeros((high, wide), dtype=bool)
        plane[: mask.size_hw[0], : mask.size_hw[1]] = decode(mask)
        padded.append({"size": [high, wide], "counts": encode(plane).counts})
    table = np.asarray(coco.iou(padded, padded, [0] * len(padded)))
    exact = 1 - table[~np.eye(len(padded), dtype=bool)].mean()
    found = expected(PackedMasks(packed(masks, "pixels")), None, 0, 1)
    assert found.mean == pytest.approx(exact, abs=1e-3)


@needs_shared
def test_drawn_pairs_of_vizwiz_masks_beside_all_of_them() -> None:
    truths = open_dataset("vizwiz_grounding:val", SHARED / "vizwiz").truths()
    targets = [(truth.targets[0].shape, truth.size_hw) for truth in truths if truth.targets and truth.size_hw]
    masks = [shape.rle(size_hw) for shape, size_hw in targets[:400]]
    found = {frame: PackedMasks(packed(masks, frame)) for frame in get_args(Frame)}
    every = {frame: expected(regions, None, 0, 1).mean for frame, regions in found.items()}
    assert every["pixels"] > every["unit"] + 0.02
    for frame, regions in found.items():
        drawn = expected(regions, 40_000, 0, 1)
        assert drawn.error is not None
        assert abs(drawn.mean - every[frame]) < 1.96 * drawn.error


def test_a_mask_as_wide_as_its_photo_is_the_box_it_is() -> None:
    boxes: list[Sides] = [(0, 0, 20, 20), (10, 0, 30, 40), (0, 10, 40, 20)]
    sizes: list[SizeHW] = [(40, 40), (80, 40), (40, 80)]
    # All sides are whole cells of the grid: masks must then share what boxes share.
    masks = [box_to_rle(sides, size) for sides, size in zip(boxes, sizes, strict=True)]
    unit = [
        tuple(side / length for side, length in zip(sides, (wide, high) * 2, strict=True))
        for sides, (high, wide) in zip(boxes, sizes, strict=True)
    ]
    found = PackedMasks(packed(masks, "unit", 80)).sums(1)
    for n, sides in enumerate(unit):
        others = [1 - apart((*sides,), (*other,)) for m, other in enumerate(unit) if m != n]  # type: ignore[arg-type]
        assert found[n] == pytest.approx(sum(others))
