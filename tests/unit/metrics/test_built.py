"""What several metrics need is measured once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from foveate import plugins
from foveate.core import overlap
from foveate.core.predictions import Prediction
from foveate.core.regions import Mask, Region
from foveate.core.rle import encode
from foveate.core.truths import Target, Truth
from foveate.evaluation.measured import measured
from foveate.metrics import _built, _overlaps
from foveate.metrics._built import Built, measured_once
from foveate.metrics._overlaps import Columns


def counting(calls: list[str], name: str, value: float) -> _built.Measure:
    def measure(predictions: Sequence[Prediction | None], truths: Sequence[Truth]) -> Columns:
        calls.append(name)
        return {name: np.full(len(truths), value)}

    return measure


def test_parts_are_measured_once_for_all_that_are_built_of_them() -> None:
    calls: list[str] = []
    one, other = counting(calls, "one", 1.0), counting(calls, "other", 2.0)
    both = Built((one, other))
    further = Built((both,), lambda columns, _: {"one": -columns["one"], "sum": columns["one"] + columns["other"]})
    done: dict[_built.Measure, Columns] = {}
    truths = [Truth("a", size_hw=(4, 4))]
    found = measured_once(further, [None], truths, done)
    assert {name: column.tolist() for name, column in found.items()} == {"one": [-1.0], "other": [2.0], "sum": [3.0]}
    # What was put in the place of a part's column is so only where it was.
    assert measured_once(both, [None], truths, done)["one"].tolist() == [1.0]
    assert measured_once(one, [None], truths, done)["one"].tolist() == [1.0]
    assert calls == ["one", "other"]
    assert further([None], truths)["sum"].tolist() == [3.0]
    assert calls == ["one", "other"] * 2


def test_masks_are_compared_once_for_all_metrics_of_regions(monkeypatch: pytest.MonkeyPatch) -> None:
    size = (6, 6)
    bits = np.zeros(size, dtype=bool)
    bits[:3, :3] = True
    shape = Mask(encode(bits))
    calls: list[int] = []
    compare = overlap.mask_overlap

    def counted(a: Sequence[object], b: Sequence[object]) -> object:
        calls.append(len(a))
        return compare(a, b)  # type: ignore[arg-type]

    monkeypatch.setattr(_overlaps, "mask_overlap", counted)
    names = ("a", "b", "c")
    predictions = [Prediction(name, "ok", "x", None, Region(shape, 0.5), size_hw=size) for name in names]
    truths = [Truth(name, ("x",), (Target(shape),), size_hw=size) for name in names]
    every = ["mean_iou", "accuracy", "image_ap", "cumulative_iou", "aurc", "ece", "coco_ap", "pycocotools_ap"]
    answers = ["mean_iou_correct", "geometric_mean", "vqa_accuracy"]
    found = measured(predictions, truths, metrics=[*every, *answers])
    assert calls == [3]
    for name in ("mean_iou", "coco_ap", "mean_iou_correct"):
        alone = plugins.load("metrics", name).measure(predictions, truths)
        columns = found.columns[name]
        assert columns.keys() == alone.keys()
        assert all((columns[column] == alone[column]).all() for column in alone)
