from __future__ import annotations

import json
from pathlib import Path

import pytest

from foveate.core.regions import Polygon
from foveate.core.rle import area
from foveate.formats import coco_samples, labelme
from foveate.formats._nested import has_nested
from foveate.formats._sample_forms import Reading, Sample
from tests.helpers import write

OUTER = [(2.0, 2.0), (18.0, 2.0), (18.0, 18.0), (2.0, 18.0)]
INNER = [(6.0, 6.0), (10.0, 6.0), (10.0, 10.0)]
APART = [(22.0, 2.0), (28.0, 2.0), (28.0, 8.0)]
Outline = list[tuple[float, float]]


@pytest.mark.parametrize(
    ("parts", "nested"),
    [
        ([OUTER], False),
        ([OUTER, INNER], True),
        ([INNER, APART, OUTER], True),
        ([OUTER, APART], False),
        ([OUTER, OUTER], False),
        # Its box lies inside, but it does not.
        ([[(2.0, 2.0), (18.0, 2.0), (2.0, 18.0)], [(12.0, 12.0), (17.0, 12.0), (17.0, 17.0)]], False),
        ([OUTER, [(6.1, 6.1), (6.2, 6.1), (6.2, 6.2)]], False),
    ],
)
def test_an_outline_inside_another(parts: list[Outline], nested: bool) -> None:
    assert has_nested(Polygon(tuple(tuple(part) for part in parts)), (20, 30)) is nested


def read_coco(folder: Path, *parts: Outline) -> tuple[list[Sample], list[str]]:
    corners = [[side for point in part for side in point] for part in parts]
    values = {
        "images": [{"id": 1, "file_name": "a.jpg", "width": 30, "height": 20}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "segmentation": corners}],
        "categories": [{"id": 1, "name": "ring"}],
    }
    said: list[str] = []
    path = write(folder / "a.json", json.dumps(values))
    return list(coco_samples.read(path, Reading(on_remark=said.append))), said


def test_coco_tells_what_may_be_meant_as_a_hole_and_fills_it(tmp_path: Path) -> None:
    (sample,), said = read_coco(tmp_path, OUTER, INNER)
    assert area(sample.truth.targets[0].shape.rle((20, 30))) == 16 * 16
    assert len(said) == 1
    assert said[0].startswith("regions have an outline inside another one, which is no hole here")
    assert read_coco(tmp_path, OUTER, APART)[1] == []


def test_labelme_tells_it_too(tmp_path: Path) -> None:
    shapes = [
        {"label": "ring", "points": part, "group_id": 1, "shape_type": "polygon", "flags": {}}
        for part in (OUTER, INNER)
    ]
    values = {"imagePath": "a.jpg", "imageHeight": 20, "imageWidth": 30, "shapes": shapes}
    said: list[str] = []
    path = write(tmp_path / "a.json", json.dumps(values))
    assert len(list(labelme.read(path, Reading(on_remark=said.append)))) == 1
    assert [remark.partition(":")[0] for remark in said] == [
        "regions have an outline inside another one, which is no hole here"
    ]
