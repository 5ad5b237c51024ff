from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pycocotools import mask
from pycocotools.coco import COCO

from foveate.core.rle import Rle, decode
from foveate.errors import InputError
from foveate.formats.coco import clipped_box, coco_boxes, read_captions, read_coco
from tests.helpers import SHARED, needs_shared

REAL = SHARED / "coco" / "instances.json"
IMAGE = {"id": 1, "file_name": "a.jpg", "width": 64, "height": 48}
KIND = {"id": 3, "name": "chair", "supercategory": "furniture"}
SQUARE = [10, 10, 20, 10, 20, 20, 10, 20]
ONE = {"id": 7, "image_id": 1, "category_id": 3, "iscrowd": 0, "bbox": [10, 10, 10, 10], "segmentation": [SQUARE]}


def saved(path: Path, **parts: Any) -> Path:
    whole = {"images": [IMAGE], "annotations": [ONE], "categories": [KIND]} | parts
    path.write_text(json.dumps(whole))
    return path


def faults(path: Path) -> list[str]:
    errors: list[InputError] = []
    file = read_coco(path, errors.append)
    for found, row in file.annotations(errors.append):
        try:
            found.shape(file.images[found.image_id].size_hw)
        except ValueError as error:
            errors.append(InputError(row.where, str(error), ""))
    return [error.fault.removeprefix(f"{path}, ") for error in errors]


@needs_shared
@pytest.mark.reference
def test_masks_and_boxes_are_those_of_pycocotools(capsys: pytest.CaptureFixture[str]) -> None:
    official = COCO(str(REAL))
    capsys.readouterr()
    file = read_coco(REAL)
    assert list(file.images) == list(official.imgs)
    pixels = different = 0
    for found, _ in file.annotations():
        raw = official.annToRLE(official.anns[found.id])
        theirs = decode(Rle((raw["size"][0], raw["size"][1]), raw["counts"]))
        ours = decode(found.shape(file.images[found.image_id].size_hw)[0].rle((raw["size"][0], raw["size"][1])))
        pixels, different = pixels + int(theirs.sum()), different + int((ours != theirs).sum())
        assert found.crowd == bool(official.anns[found.id]["iscrowd"])
    assert len(official.anns) == 542
    assert different == 0
    assert pixels > 0


@needs_shared
def test_boxes_by_the_name_of_the_photo() -> None:
    boxes = coco_boxes(REAL)
    raw = json.loads(REAL.read_text())
    assert len(boxes) == 69
    assert sum(map(len, boxes.values())) == 542
    assert sum(box.crowd for own in boxes.values() for box in own) == sum(a["iscrowd"] for a in raw["annotations"])
    first = raw["annotations"][0]
    name = next(image["file_name"] for image in raw["images"] if image["id"] == first["image_id"])
    left, top, width, height = first["bbox"]
    assert any(np.allclose(box.xyxy, (left, top, left + width, top + height)) for box in boxes[name])


def test_a_crowd_by_runs_or_packed(tmp_path: Path) -> None:
    runs = {"size": [48, 64], "counts": [48, 48, 48 * 62]}
    packed = {"size": [48, 64], "counts": mask.frPyObjects(runs, 48, 64)["counts"].decode()}
    for given in (runs, packed):
        path = saved(tmp_path / "a.json", annotations=[ONE | {"iscrowd": 1, "segmentation": given}])
        ((found, _),) = read_coco(path).annotations()
        assert found.crowd
        assert found.shape((48, 64))[0].xyxy == (1, 0, 2, 48)


def test_further_keys_and_the_box_alone(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.json", annotations=[ONE | {"segmentation": [], "question": "Where?", "area": 100}])
    ((found, row),) = read_coco(path).annotations()
    assert found.extra == {"question": "Where?", "area": 100}
    assert found.shape((48, 64))[0].xyxy == (10, 10, 20, 20)
    assert row.where == f"{path}, annotation 1"


def test_what_reaches_over_the_photo_is_cut_off(tmp_path: Path) -> None:
    box, outside = clipped_box((-3, 40, 10, 20), (48, 64))
    assert (box.xyxy, outside) == ((0, 40, 7, 48), 12)
    path = saved(tmp_path / "a.json", annotations=[ONE | {"segmentation": [[-4, 0, 10, 0, 10, 10, -4, 10]]}])
    ((found, _),) = read_coco(path).annotations()
    shape, outside = found.shape((48, 64))
    assert (shape.xyxy, outside) == ((0, 0, 10, 10), 4)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"id": "7"}, "annotation 1: id is '7'; input should be a valid integer."),
        ({"image_id": 2}, "annotation 1: its image_id is 2, and the file has no image of this number."),
        ({"category_id": 2}, "annotation 1: its category_id is 2, and the file has no category of this number."),
        ({"bbox": [1, 2, 3]}, "annotation 1: bbox is [1, 2, 3]; a list of four numbers is needed here."),
        ({"segmentation": [[1, 2, 3, 4]]}, "annotation 1: the polygon has 2 points, it needs 3."),
        ({"segmentation": [SQUARE[:-1]]}, "annotation 1: an outline has 7 numbers; they come in pairs, x and y."),
        ({"segmentation": [[0, 0, 100, 0, 100, 10]]}, "annotation 1: an outline has a corner 36 pixels outside the "),
        ({"segmentation": [[1, 1, 1.2, 1, 1.2, 1.2]]}, "annotation 1: its outlines cover the middle of no pixel"),
        ({"segmentation": {"size": [64, 48], "counts": [9]}}, "annotation 1: the mask is 48 wide and 64 high, not 64"),
        ({"segmentation": {"size": [48, 64], "counts": [9]}}, "annotation 1: the runs cover 9 pixels, a mask of"),
        ({"segmentation": [], "bbox": [1, 1, 0, 5]}, "annotation 1: the box has no area; it is given as left 1"),
        ({"segmentation": [], "bbox": [70, 1, 5, 5]}, "annotation 1: the box 70, 1, 75, 6 lies outside the image"),
        ({"segmentation": [], "bbox": []}, "annotation 1: it has neither a segmentation nor a bbox."),
    ],
)
def test_a_broken_annotation_is_one_sentence(tmp_path: Path, change: dict[str, Any], fault: str) -> None:
    found = faults(saved(tmp_path / "a.json", annotations=[ONE | change]))
    assert len(found) == 1
    assert found[0].startswith(fault)


def test_what_is_there_twice_is_refused(tmp_path: Path) -> None:
    images = [IMAGE, IMAGE, IMAGE | {"id": 2}, {"id": 5}]
    kinds = [KIND, KIND, KIND | {"id": 4}]
    found = faults(saved(tmp_path / "a.json", images=images, annotations=[ONE, ONE], categories=kinds))
    assert found == [
        "image 2: the id 1 is here a second time.",
        "image 3: the photo a.jpg has two numbers, 1 and 2.",
        "image 4: width is missing.",
        "category 2: the id 3 is here a second time.",
        "category 3: the name chair is here a second time.",
        "annotation 2: the id 7 is here a second time.",
    ]


def test_of_several_faults_that_of_the_size_is_told_first(tmp_path: Path) -> None:
    images = [{"id": "x", "file_name": " ", "width": 0, "height": 48}, {"id": "x", "width": 2**17, "height": 2**17}]
    assert faults(saved(tmp_path / "a.json", images=images))[:2] == [
        "image 1: width is 0; input should be greater than 0.",
        "image 2: id is 'x'; input should be a valid integer.",
    ]
    images = [{"id": 1, "file_name": "a.jpg", "width": 2**17, "height": 2**17}]
    told, *_ = faults(saved(tmp_path / "a.json", images=images))
    assert told == "image 1: an image has at most 4,294,967,295 pixels, not 131072 x 131072."


def test_captions(tmp_path: Path) -> None:
    captions = [{"id": n, "image_id": 1 + n // 2, "caption": f" {n} "} for n in range(3)] + [{"id": 9, "image_id": 1}]
    path = saved(tmp_path / "a.json", annotations=captions)
    errors: list[InputError] = []
    assert read_captions(path, errors.append) == {1: ("0", "1"), 2: ("2",)}
    assert [error.fault for error in errors] == [f"{path}, annotation 4: caption is missing."]
