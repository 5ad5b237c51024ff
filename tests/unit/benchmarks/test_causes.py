from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from benchmarks._causes import CAUSES, cause, counted, is_small
from benchmarks._proxy import present

from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Region
from tests.unit.benchmarks.made import dog, instance, photo
from tests.unit.benchmarks.test_asking import FAR, NEAR, RIGHT, proposals

# IoU with RIGHT: 20 x 40 of 40 x 40 + 20 x 40, a third.
LOOSE = (40.0, 20.0, 80.0, 60.0)
Sides = tuple[float, float, float, float]


def says(label: str, xyxy: Sides) -> Prediction:
    region = Region(Box(xyxy), 0.5, label)
    return Prediction("dog", "ok", final=region, candidates=(region,))


NOTHING = Prediction("dog", "no_region", reason="none")


@pytest.mark.parametrize(
    ("said", "boxes", "expected"),
    [
        (says("cat", NEAR), [], "right"),
        (says("cat", FAR), [("dog", RIGHT)], "another kind"),
        (says("WOOF", FAR), [("dog", RIGHT)], "text instead of a thing"),
        (NOTHING, [("dog", NEAR)], "no region, though a box of the kind fits"),
        (NOTHING, [("cat", NEAR), ("dog", FAR)], "no region, and no box fits"),
        (says("dog", LOOSE), [("dog", LOOSE)], "right kind, box loose"),
        (says("dog", LOOSE), [("dog", LOOSE), ("dog", NEAR)], "right kind, another box fits"),
        (says("dog", FAR), [("dog", FAR)], "right kind, elsewhere, no box fits"),
    ],
)
def test_each_cause(tmp_path: Path, said: Prediction, boxes: list[tuple[str, Sides]], expected: str) -> None:
    assert cause(dog(tmp_path), said, proposals(*boxes)) == expected
    assert expected in CAUSES


def test_small_is_under_two_hundredths_of_the_photo(tmp_path: Path) -> None:
    # Of 100 x 200 pixels: 20 x 20 is just 0.02, 20 x 19 less.
    boxes = [(0.0, 0.0, 20.0, 20.0), (0.0, 0.0, 20.0, 19.0)]
    shown = photo(tmp_path, *(instance(kind, box) for kind, box in zip(("dog", "cat"), boxes, strict=True)))
    samples = present([shown], "named")
    assert [is_small(each) for each in samples] == [False, True]
    found = counted(samples, ["right", "right"])
    assert found["right"] == (2, 1)
    assert np.sum([count for count, _ in found.values()]) == 2
