from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pycocotools.mask
import pytest

from foveate.analysis.coco_overlap import CocoOverlap, coco_overlap, coco_overlaps, photo_key, read_coco_photos, wilson
from foveate.datasets._open import open_dataset
from foveate.errors import InputError, UsageError
from tests.helpers import SHARED, needs_shared, write

HEADER = "image,width,height,left,top,right,bottom,question\n"
PHOTO = "000000000001.jpg"
INSTANCES = SHARED / "coco" / "instances.json"


def made(folder: Path, boxes: list[tuple[float, float, float, float]], **kinds: Any) -> Path:
    """Writes a COCO file of one photo of 100 x 80 with boxes (left, top, width, height), and one sample about it."""
    write(folder / "train.csv", f"{HEADER}{PHOTO},100,80,10,10,30,30,Q?\nelsewhere.jpg,100,80,0,0,5,5,Q?\n")
    values = {
        "images": [{"id": 1, "file_name": kinds.get("name", PHOTO), "width": kinds.get("width", 100), "height": 80}],
        "categories": [{"id": 1, "name": "cup"}, {"id": 2, "name": "bowl"}],
        "annotations": [
            {
                "id": number,
                "image_id": 1,
                "category_id": 1 + number % 2,
                "iscrowd": int(number in kinds.get("crowds", ())),
                "bbox": box,
            }
            for number, box in enumerate(boxes)
        ],
    }
    return write(folder / "instances.json", json.dumps(values))


def overlap(folder: Path, path: Path, **options: Any) -> CocoOverlap:
    return coco_overlap(open_dataset("toloka_vqa:train", folder), read_coco_photos([path]), **options)


def counts(found: CocoOverlap) -> dict[str, int]:
    return {name: share.n for name, share in found.shares.items()}


def test_only_samples_whose_photo_coco_has_are_checked(tmp_path: Path) -> None:
    found = overlap(tmp_path, made(tmp_path, [(10, 10, 20, 20)]))
    assert (found.dataset, found.n, len(found.rows)) == ("toloka_vqa:train", 2, 1)
    assert {share.of for share in found.shares.values()} == {1}


def test_the_values_of_a_hand_made_case(tmp_path: Path) -> None:
    # The target is 20 x 20 at (10, 10). The first box shares 10 x 20 with it: 200 / (400 + 400 - 200). The second
    # holds it whole: 400 / 4,000.
    found = overlap(tmp_path, made(tmp_path, [(20, 10, 20, 20), (0, 0, 100, 40)]), thresholds=(0.3, 0.34))
    (row,) = found.rows
    assert (row.boxes, row.intersects, row.kind, row.inside, row.same) == (2, True, "cup", 1.0, False)
    assert row.iou == pytest.approx(1 / 3)
    assert counts(found) == {"any": 1, "iou>=0.3": 1, "iou>=0.34": 0, "inside>=0.9": 1, "same": 0}


def test_boxes_that_touch_do_not_overlap(tmp_path: Path) -> None:
    found = overlap(tmp_path, made(tmp_path, [(30, 10, 20, 20), (10, 30, 20, 20)]))
    assert (found.rows[0].intersects, found.rows[0].iou, found.rows[0].kind) == (False, 0.0, None)
    assert set(counts(found).values()) == {0}


def test_a_photo_without_any_box_can_be_checked_too(tmp_path: Path) -> None:
    found = overlap(tmp_path, made(tmp_path, []))
    assert (found.rows[0].boxes, set(counts(found).values())) == (0, {0})


@pytest.mark.parametrize(
    ("boxes", "crowds", "same"),
    [
        ([(10, 10, 20, 20)], (), 1),
        ([(10, 10, 20, 20)], (0,), 0),  # A crowd is no object.
        ([(10, 10, 20, 20), (10, 10, 20, 18)], (), 0),  # Which of two it is cannot be told.
        ([(10, 10, 20, 20), (10, 10, 20, 18)], (1,), 1),
        ([(10, 10, 20, 9)], (), 0),
        ([(10, 10, 20, 10)], (), 1),  # An IoU of one half exactly.
    ],
)
def test_the_same_object(boxes: list[Any], crowds: tuple[int, ...], same: int, tmp_path: Path) -> None:
    assert counts(overlap(tmp_path, made(tmp_path, boxes, crowds=crowds)))["same"] == same


def test_the_edition_of_2014_has_the_same_photos(tmp_path: Path) -> None:
    path = made(tmp_path, [(10, 10, 20, 20)], name="COCO_train2014_000000000001.jpg")
    assert len(overlap(tmp_path, path).rows) == 1
    assert photo_key("n1.jpg") == "n1.jpg"


def test_another_size_of_the_photo_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"000000000001\.jpg: in COCO's file the photo is 80 wide and 80 high, not 100"
    ):
        overlap(tmp_path, made(tmp_path, [(10, 10, 20, 20)], width=80))


def test_a_photo_in_two_files_is_refused(tmp_path: Path) -> None:
    path = made(tmp_path, [])
    with pytest.raises(InputError, match="is there a second time"):
        read_coco_photos([path, path])


def test_a_box_without_an_area_is_told(tmp_path: Path) -> None:
    path = made(tmp_path, [(10, 10, 0, 20), (10, 10, 20, 20)])
    with pytest.raises(InputError, match="the box has no area"):
        read_coco_photos([path])
    told: list[InputError] = []
    assert len(read_coco_photos([path], told.append).boxes["000000000001"]) == len(told) == 1


def test_thresholds_and_data_sets_that_make_no_sense(tmp_path: Path) -> None:
    path = made(tmp_path, [])
    for options in ({"thresholds": (0.0,)}, {"thresholds": (50,)}, {"inside": 1.5}, {"thresholds": (math.nan,)}):
        with pytest.raises(UsageError, match="is not above 0 and at most 1"):
            overlap(tmp_path, path, **options)
    with pytest.raises(UsageError, match="its targets are no boxes"):
        coco_overlap(open_dataset("photos"), read_coco_photos([path]))


def test_every_split_that_is_there(tmp_path: Path) -> None:
    path, told = made(tmp_path, [(10, 10, 20, 20)]), list[str]()
    (found,) = coco_overlaps("toloka_vqa", tmp_path, [path], on_absent=told.append)
    assert found.dataset == "toloka_vqa:train"
    assert len(told) == 3
    assert told[0].startswith("Left out: ")
    with pytest.raises(InputError, match=r"test_public\.csv: there is no such file"):
        coco_overlaps("toloka_vqa:test_public", tmp_path, [path])


@pytest.mark.parametrize(("n", "of"), [(0, 10), (3, 4), (10, 10), (341, 1705)])
def test_the_interval_is_where_the_score_test_turns(n: int, of: int) -> None:
    """By its definition (Wilson 1927): at each end, the observed share lies 1.96 standard errors of that end away."""
    share = wilson(n, of)
    for end in (share.low, share.high):
        if 0 < end < 1:
            assert abs(n / of - end) / math.sqrt(end * (1 - end) / of) == pytest.approx(1.959964, abs=1e-5)
    assert share.low <= n / of <= share.high
    assert math.isnan(wilson(0, 0).share)


@needs_shared
@pytest.mark.reference
def test_the_targets_of_the_cup_that_can_be_checked_here_by_pycocotools() -> None:
    """Three of the four test targets share area with a box of COCO's, which the paper's sentence rules out."""
    raw = json.loads(INSTANCES.read_text())
    numbers = {image["file_name"]: image["id"] for image in raw["images"]}
    expected: dict[str, float] = {}
    for split in ("test_public", "test_private"):
        with (SHARED / "toloka" / f"{split}.csv").open(newline="") as file:
            for row in csv.DictReader(file):
                name = row["image"].rpartition("/")[2]
                own = [a["bbox"] for a in raw["annotations"] if a["image_id"] == numbers.get(name)]
                x0, y0, x1, y1 = (float(row[side]) for side in ("left", "top", "right", "bottom"))
                if name in numbers:
                    target = np.array([[x0, y0, x1 - x0, y1 - y0]])
                    expected[name] = float(pycocotools.mask.iou(target, np.array(own), [0] * len(own)).max())
    tests = ("toloka_vqa:test_public", "toloka_vqa:test_private")
    found = [coco_overlaps(name, SHARED / "toloka", [INSTANCES])[0] for name in tests]
    ious = {row.id: row.iou for one in found for row in one.rows}
    assert ious == pytest.approx(expected)
    assert sum(counts(one)["any"] for one in found) == 3
    assert sorted(round(iou, 2) for iou in ious.values()) == [0.0, 0.01, 0.84, 0.93]
    assert sum(counts(one)["same"] for one in found) == 2
