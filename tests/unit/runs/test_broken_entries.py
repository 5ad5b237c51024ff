"""Every broken entry has its exact sentence, through the one door; and what `--skip-invalid` makes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foveate.core.rle import encode
from foveate.errors import InputError
from foveate.runs.forms import read_form
from tests.unit.runs.form_files import SIZES, Build, coco, csv, lines, states

FIX_ROW = "Fix the row, or pass --skip-invalid."
OUTSIDE = "lies outside the image, which is 64 wide and 48 high"
TURNED = "; it would fit a transposed image, look at the photo's EXIF rotation"
INVERTED = "is inverted (right < left); are left and right swapped, or are the last two a width and a height?"
BOTH = "is inverted (right < left and bottom < top); are its corners swapped, or are the last two a width and a height?"


def result(score: float = 0.5, image: object = "a.jpg", **region: Any) -> dict[str, Any]:
    return {"image_id": image, "category_id": 1, "score": score, **region}


HALF = np.zeros((48, 64), dtype=bool)
HALF[:24] = True
RLE = {"size": [48, 64], "counts": encode(HALF).counts.decode()}  # Its box is 0, 0, 64, 24.

# What it is; how it is made; the sentence with {path} for the file's; the states of what is left of it when errors are
# passed over, None where they cannot be.
CASES: list[tuple[str, Build, str, list[str] | None]] = [
    (
        "NaN",
        csv("a.jpg,nan,2,30,40\nb.jpg,1,2,30,40"),
        f"{{path}}, line 2, a.jpg: the box nan, 2, 30, 40 has a coordinate that is not a finite number. {FIX_ROW}",
        ["invalid_output", "ok"],
    ),
    (
        "left and right swapped",
        csv("a.jpg,30,2,1,40"),
        f"{{path}}, line 2, a.jpg: the box 30, 2, 1, 40 {INVERTED} {FIX_ROW}",
        ["invalid_output"],
    ),
    (
        "xywh for xyxy",
        csv("a.jpg,30,20,25,15"),
        f"{{path}}, line 2, a.jpg: the box 30, 20, 25, 15 {BOTH} {FIX_ROW}",
        ["invalid_output"],
    ),
    (
        "outside",
        csv("a.jpg,1,2,70,40"),
        f"{{path}}, line 2, a.jpg: the box 1, 2, 70, 40 {OUTSIDE}. {FIX_ROW}",
        ["invalid_output"],
    ),
    (
        "x and y swapped",
        csv("a.jpg,2,1,40,60"),
        f"{{path}}, line 2, a.jpg: the box 2, 1, 40, 60 {OUTSIDE}{TURNED}. {FIX_ROW}",
        ["invalid_output"],
    ),
    (
        "three sides",
        csv("a.jpg,1,2,,40"),
        f"{{path}}, line 2, a.jpg: the box has fewer than four sides. {FIX_ROW}",
        ["invalid_output"],
    ),
    (
        "no number",
        csv("a.jpg,1,2,30,4O"),
        f"{{path}}, line 2: bottom is '4O'; a number is needed here. {FIX_ROW}",
        ["invalid_output"],
    ),
    (
        "another photo's size",
        csv("a.jpg,1,2,30,40,48,64", "image,left,top,right,bottom,width,height"),
        "{path}, line 2, a.jpg: the row is for a photo 48 wide and 64 high, not 64 wide and 48 high; it looks "
        f"transposed, see the photo's EXIF rotation. {FIX_ROW}",
        ["invalid_output"],
    ),
    (
        "a photo twice",
        csv("a.jpg,1,2,30,40\nb.jpg,1,2,30,40\na.jpg,1,2,30,41"),
        "{path}, line 4, a.jpg: it is here a second time, first line 2. Keep one row for it, or pass --skip-invalid to "
        "keep the first.",
        ["ok", "ok"],
    ),
    (
        "semicolons",
        csv("a.jpg;1;2;30;40", "image;left;top;right;bottom"),
        "{path}, line 1: the columns are not separated by commas. Save the table with commas as separators.",
        None,
    ),
    (
        "tabs",
        csv("a.jpg\t1\t2\t30\t40", "image\tleft\ttop\tright\tbottom"),
        "{path}, line 1: the columns are not separated by commas. Save the table with commas as separators.",
        None,
    ),
    (
        "a decimal comma",
        csv("a.jpg,1,5,2,30,40"),
        "{path}, line 2: the row has 6 values, the header names 5 columns. Fix the row (a comma inside a value needs "
        "quotes around the value), or pass --skip-invalid.",
        [],
    ),
]


BOX: dict[str, Any] = {"bbox": [1, 2, 30, 40]}
XYXY = {"xyxy": [1, 2, 30, 40]}
GIVEN = "it is given as left 30, top 20, width 60, height"
FULL = {"size": [48, 64], "counts": [48 * 64]}
# What it is; the entries of the file, the first for a.jpg; the sentence after "entry 1, image a.jpg".
ENTRIES: list[tuple[str, list[Any], str]] = [
    (
        "xyxy for xywh",
        [result(bbox=[30, 20, 60, 45])],
        f"the box 30, 20, 90, 65 {OUTSIDE}; {GIVEN} 45: are the last two right and bottom?",
    ),
    ("outside", [result(bbox=[30, 20, 60, 4])], f"the box 30, 20, 90, 24 {OUTSIDE}; {GIVEN} 4."),
    (
        "x and y swapped",
        [result(bbox=[2, 3, 40, 50])],
        f"the box 2, 3, 42, 53 {OUTSIDE}{TURNED}; it is given as left 2, top 3, width 40, height 50.",
    ),
    (
        "inverted",
        [result(bbox=[2, 3, -4, 5])],
        "the box has no area; it is given as left 2, top 3, width -4, height 5.",
    ),
    ("three numbers", [result(bbox=[1, 2, 3])], "bbox is [1, 2, 3]; a list of four numbers is needed here."),
    ("no region", [result()], "it has neither a bbox nor a segmentation."),
    ("percent", [result(97.5, **BOX)], "score is 97.5; a score goes from 0 to 1 (percents are divided by 100)."),
    ("no score", [{"image_id": "a.jpg", **BOX}], "score is missing."),
    ("NaN score", [result(float("nan"), **BOX)], "score is nan; a finite number is needed here."),
    ("NaN side", [result(bbox=[1, float("nan"), 3, 4])], "bbox.1 is nan; input should be a finite number."),
    ("infinity", [result(**BOX, area=float("inf"))], "area is inf; a finite number is needed here."),
    ("text", [result(bbox=["1", 2, 3, 4])], "bbox.0 is '1'; input should be a valid number."),
    (
        "box and mask",
        [result(segmentation=RLE, bbox=[0, 0, 64, 25.5])],
        "its box 0, 0, 64, 25.5 is not the one around its mask, 0, 0, 64, 24.",
    ),
    (
        "transposed mask",
        [result(segmentation=RLE | {"size": [64, 48]})],
        "the mask is 48 wide and 64 high, not 64 wide and 48 high; it looks transposed, see the photo's EXIF rotation.",
    ),
    ("empty mask", [result(segmentation=FULL)], "the mask is empty."),
    (
        "too few pixels",
        [result(segmentation={"size": [48, 64], "counts": [10, 5]})],
        "the runs cover 15 pixels, a mask of 64 x 48 has 3,072.",
    ),
    (
        "no size",
        [result(segmentation={"size": 48, "counts": "0"})],
        "segmentation.rle.size is 48; [height, width] is needed here.",
    ),
    (
        "no runs",
        [result(segmentation={"size": [48, 64], "counts": 0})],
        "segmentation.rle.counts is 0; the runs of a mask are a text or a list of whole numbers.",
    ),
    ("two corners", [result(segmentation=[[1, 1, 9, 9]])], "the polygon has 2 points, it needs 3."),
    (
        "half a corner",
        [result(segmentation=[[1, 1, 9, 9, 1]])],
        "an outline has 5 numbers; they come in pairs, x and y.",
    ),
    (
        "corners outside",
        [result(segmentation=[[1, 1, 90, 1, 30, 20]])],
        "the polygon reaches 26 pixels outside the image, 64 wide and 48 high; "
        "up to 10 pixels are cut off at its edge.",
    ),
]
# The same for lines, after "line 1, a.jpg", but for the keys' own remedies.
LINES: list[tuple[str, dict[str, Any], str]] = [
    ("inverted", {"xyxy": [30, 2, 1, 40]}, f"the box 30, 2, 1, 40 {INVERTED}"),
    ("outside", {"xyxy": [1, 2, 70, 40]}, f"the box 1, 2, 70, 40 {OUTSIDE}."),
    (
        "xyxy for xywh",
        {"xywh": [30, 20, 60, 45]},
        f"the box 30, 20, 90, 65 {OUTSIDE}; {GIVEN} 45: are the last two right and bottom?",
    ),
    ("NaN", {"xyxy": [1, float("nan"), 3, 4]}, "xyxy.1 is nan; input should be a finite number."),
    ("percent", {**XYXY, "score": 50}, "score is 50; a score goes from 0 to 1 (percents are divided by 100)."),
    (
        "nothing",
        {},
        "it has neither a region (xyxy, xywh, rle or polygon) nor a status (no_region, say).",
    ),
    (
        "two regions",
        {**XYXY, "xywh": [1, 2, 3, 4]},
        "it has xyxy and xywh; a region is one of xyxy, xywh, rle, polygon.",
    ),
    ("box and mask", {**XYXY, "rle": RLE}, "it has xyxy and rle; a region is one of xyxy, xywh, rle, polygon."),
    ("final too", {**XYXY, "final": XYXY}, "it has final and also xyxy; a region is given in one place."),
    (
        "a score of nothing",
        {"status": "no_region", "score": 0.5},
        "it has score; a region is one of xyxy, xywh, rle, polygon.",
    ),
    (
        "another box in a run's line",
        {"final": {**XYXY, "rle": RLE}},
        "its box 1, 2, 30, 40 is not the one around its mask, 0, 0, 64, 24.",
    ),
    ("no final shape", {"final": {"score": 1}}, "a region is one of xyxy, xywh, rle, polygon; here is none."),
    (
        "flat corners",
        {"polygon": [[1, 1, 9, 1, 9, 9]]},
        "polygon is [[1, 1, 9, 1, 9, 9]]; a list of outlines is needed here, each a list of points: "
        "[[[x, y], [x, y], [x, y]]].",
    ),
    (
        "transposed size",
        {**XYXY, "size_hw": [64, 48]},
        "the line is for a photo 48 wide and 64 high, not 64 wide and 48 high; it looks transposed, see the photo's "
        "EXIF rotation.",
    ),
    (
        "a state of its own",
        {"status": "fine"},
        "status is 'fine'; input should be 'ok', 'no_region', 'invalid_output', 'error' or 'timeout'.",
    ),
    (
        "a region that is none",
        {**XYXY, "status": "no_region"},
        "a prediction has a final region exactly when it is ok; here status is no_region.",
    ),
    (
        "candidates in disorder",
        {**XYXY, "candidates": [{**XYXY, "score": 0.1}, {**XYXY, "score": 0.2}]},
        "candidates come in the order of their score, best first.",
    ),
    (
        "a score map",
        {**XYXY, "map": {"shard": "maps-0.bin"}},
        "it names a score map, which only the folder of its run has; score the run itself.",
    ),
]


@pytest.mark.parametrize(("build", "sentence", "left"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_broken_entry(build: Build, sentence: str, left: list[str] | None, tmp_path: Path) -> None:
    path = build(tmp_path)
    with pytest.raises(InputError) as caught:
        list(read_form(path, SIZES))
    assert str(caught.value) == sentence.replace("{path}", str(path))
    if left is None:
        with pytest.raises(InputError):
            list(read_form(path, SIZES, lambda _: None))
    else:
        assert states(path) == left


@pytest.mark.parametrize(("entries", "sentence"), [case[1:] for case in ENTRIES], ids=[case[0] for case in ENTRIES])
def test_a_broken_entry_of_coco_results(entries: list[Any], sentence: str, tmp_path: Path) -> None:
    path = coco(*entries, result(image="b.jpg", **BOX))(tmp_path)
    with pytest.raises(InputError) as caught:
        list(read_form(path, SIZES))
    assert str(caught.value) == f"{path}, entry 1, image a.jpg: {sentence} Fix the entry, or pass --skip-invalid."
    assert states(path) == ["invalid_output", "ok"]


@pytest.mark.parametrize(("values", "sentence"), [case[1:] for case in LINES], ids=[case[0] for case in LINES])
def test_a_broken_line(values: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    path = lines({"id": "a.jpg", **values}, {"id": "b.jpg", **XYXY})(tmp_path)
    with pytest.raises(InputError) as caught:
        list(read_form(path, SIZES))
    assert str(caught.value) == f"{path}, line 1, a.jpg: {sentence} Fix the line, or pass --skip-invalid."
    assert states(path) == ["invalid_output", "ok"]


@pytest.mark.parametrize(
    ("key", "remedy"),
    [("confidence", "score"), ("bbox", "xywh or xyxy"), ("segmentation", "rle or polygon"), ("image_id", "id")],
)
def test_what_other_files_call_what_we_have(key: str, remedy: str, tmp_path: Path) -> None:
    path = lines({"id": "a.jpg", **XYXY, key: 1})(tmp_path)
    with pytest.raises(InputError, match=f"there is no key {key}. Did you mean {remedy}?"):
        list(read_form(path, SIZES))
