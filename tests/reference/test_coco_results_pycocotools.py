"""COCO results against COCO's own code: it reads what we write, and we read what it reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask, Region
from foveate.core.rle import decode, encode
from foveate.runs.forms import WRITERS, read_form
from tests.helpers import SHARED, needs_shared

pytestmark = [
    pytest.mark.reference,
    pytest.mark.filterwarnings("ignore:__array__ implementation"),  # COCO's code speaks an old dialect of NumPy.
]


def official(content: dict[str, Any]) -> Any:
    """Returns COCO's own reader of a data set."""
    from pycocotools.coco import COCO

    reader = COCO()
    reader.dataset = content
    reader.createIndex()
    return reader


def test_cocos_code_reads_what_is_written(tmp_path: Path) -> None:
    inside = np.zeros((48, 64), dtype=bool)
    inside[2:4, 1:5] = True
    mask, box = Region(Mask(encode(inside)), 0.5), Region(Box((1, 2.5, 30, 40)), 0.75)
    given = [Prediction("7", "ok", final=mask, candidates=(mask,)), Prediction("8", "ok", final=box)]
    WRITERS["coco"](given, tmp_path / "results.json", print)
    images = [{"id": number, "height": 48, "width": 64} for number in (7, 8)]
    dataset = {"info": {}, "images": images, "annotations": [], "categories": [{"id": 1, "name": "evidence"}]}
    of_masks, of_boxes = json.loads((tmp_path / "results.json").read_bytes())
    (annotation,) = official(dataset).loadRes([of_masks]).dataset["annotations"]
    assert (annotation["image_id"], annotation["area"], annotation["score"]) == (7, 8, 0.5)
    assert list(annotation["bbox"]) == [1, 2, 4, 2]
    assert (official(dataset).annToMask(annotation) == inside).all()
    (annotation,) = official(dataset).loadRes([of_boxes]).dataset["annotations"]
    assert (annotation["image_id"], annotation["bbox"], annotation["area"]) == (8, [1, 2.5, 29, 37.5], 29 * 37.5)


@needs_shared
def test_masks_of_real_annotations_are_those_of_cocos_code(tmp_path: Path) -> None:
    """542 of them, 8 as runs, the others as corners, each with its box."""
    path = SHARED / "coco" / "instances.json"
    content = json.loads(path.read_bytes())
    reader = official(content)
    annotations = content["annotations"]
    keys = ("image_id", "category_id", "segmentation", "bbox")
    falling = np.linspace(1, 0, len(annotations)).tolist()  # So that candidates come in the order of the file.
    results = [{"score": score, **{key: a[key] for key in keys}} for score, a in zip(falling, annotations, strict=True)]
    (tmp_path / "results.json").write_text(json.dumps(results))
    sizes = {image["file_name"]: (image["height"], image["width"]) for image in content["images"]}
    read = {p.id: p.candidates for p in read_form(tmp_path / "results.json", sizes, images=path)}
    assert sum(len(regions) for regions in read.values()) == len(annotations) == 542
    for image in content["images"]:
        theirs = [annotation for annotation in annotations if annotation["image_id"] == image["id"]]
        for region, annotation in zip(read.get(image["file_name"], ()), theirs, strict=True):
            assert isinstance(region.shape, Mask)
            assert (decode(region.shape.encoded) == reader.annToMask(annotation)).all()
