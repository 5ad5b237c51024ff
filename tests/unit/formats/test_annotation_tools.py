"""Files of labelme, VIA, YOLO and COCO, written by hand from their published layouts."""

from __future__ import annotations

import base64
import io
import json
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL.PngImagePlugin import PngImageFile
from pycocotools.coco import COCO

from foveate.core.queries import Query
from foveate.core.regions import Box, Mask, Polygon, Shape
from foveate.core.rle import decode, encode
from foveate.core.truths import Target, Truth
from foveate.datasets._open import open_dataset
from foveate.errors import InputError
from foveate.formats import coco_samples, labelme, via, yolo
from foveate.formats._sample_forms import Form, Reading, Sample
from tests.helpers import SHARED, needs_shared, write

SIZE_HW = (60, 80)


def read(form: Form, path: Path, **settings: str) -> list[Sample]:
    return list(form.read(path, Reading(settings, size_of=lambda _: SIZE_HW)))


def faults(form: Form, path: Path, **settings: str) -> list[str]:
    found: list[InputError] = []
    list(form.read(path, Reading(settings, found.append, size_of=lambda _: SIZE_HW)))
    return [str(error) for error in found]


def save(path: Path, values: Any) -> Path:
    return write(path, json.dumps(values))


def shape(label: str, points: list[list[Any]], kind: str = "polygon", **more: Any) -> dict[str, Any]:
    return {"label": label, "points": points, "group_id": None, "shape_type": kind, "flags": {}, **more}


def labelme_file(path: Path, *shapes: Mapping[str, Any], **more: Any) -> Path:
    values = {"version": "5.4.1", "flags": {}, "shapes": list(shapes), "imagePath": "..\\img\\a.jpg", "imageData": "x"}
    return save(path, {**values, "imageHeight": 60, "imageWidth": 80, **more})


TRIANGLE = [[10.0, 10.0], [30.0, 10.0], [20.0, 40.0]]


def test_labelme_polygon_rectangle_and_parts_of_one_group(tmp_path: Path) -> None:
    path = labelme_file(
        tmp_path / "a.json",
        shape("dog", TRIANGLE),
        shape("cat", [[30.5, 20.0], [5.0, 2.0]], "rectangle"),
        shape("dog", TRIANGLE, group_id=7),
        shape("dog", [[50.0, 50.0], [60.0, 50.0], [60.0, 60.0]], group_id=7),
        shape("mug", TRIANGLE, question="What can I drink from?", answer="the mug", annotator="A"),
    )
    dog, cat, mug = read(labelme.FORM, path)
    assert (dog.query.id, dog.query.question) == ("a.jpg#dog", "Where is the dog?")
    assert [len(t.shape.parts) for t in dog.truth.targets if isinstance(t.shape, Polygon)] == [1, 2]
    assert (dog.truth.match, dog.truth.answers, dog.truth.polled) == ("union", ("dog",), False)
    assert cat.truth.targets == (Target(Box((5, 2, 30.5, 20)), "cat"),)
    assert (mug.query.id, mug.query.question) == ("a.jpg#2", "What can I drink from?")
    assert (mug.truth.answers, mug.truth.targets[0].annotator) == (("the mug",), "A")


def test_labelme_mask_lies_at_its_first_point(tmp_path: Path) -> None:
    inside = np.array([[1, 1, 0], [0, 1, 1]], dtype=np.uint8)
    data = io.BytesIO()
    PIL.Image.fromarray(inside).save(data, "PNG")
    code = base64.b64encode(data.getvalue()).decode()
    path = labelme_file(tmp_path / "a.json", shape("x", [[7, 5], [9, 6]], "mask", mask=code))
    whole = np.zeros(SIZE_HW, dtype=bool)
    whole[5:7, 7:10] = inside
    assert read(labelme.FORM, path)[0].truth.targets[0].shape == Mask(encode(whole))


def png_header(height: int, width: int, mode: int = 0) -> bytes:
    """Returns a PNG of a size that has no pixel in it: decoding it fails, and asks for the memory first."""
    header = struct.pack(">IIBBBBB", width, height, 8, mode, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", b""), (b"IEND", b"")]
    made = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(made)


@pytest.mark.parametrize(
    ("png", "points", "said"),
    [
        (png_header(50_000, 60_000), [[7, 5], [9, 6]], "its mask is 60000 x 50000, and its points leave 3 x 2 pixels"),
        (png_header(3, 3), [[7, 5], [9, 6]], "its mask is 3 x 3, and its points leave 3 x 2 pixels"),
        (
            png_header(50_000, 60_000),
            [[0, 0], [59_999, 49_999]],
            "its mask, 60000 x 50000 at 0, 0, does not lie on the photo, 80 x 60",
        ),
        (png_header(2, 3), [[78, 5], [80, 6]], "its mask, 3 x 2 at 78, 5, does not lie on the photo, 80 x 60"),
        (png_header(2, 3, mode=2), [[7, 5], [9, 6]], "its mask is of the kind RGB, not of one channel"),
    ],
)
def test_a_mask_of_labelme_is_refused_from_its_header(
    png: bytes, points: list[list[int]], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PngImageFile, "load", lambda _: pytest.fail("it was decoded"))
    code = base64.b64encode(png).decode()
    (fault,) = faults(labelme.FORM, labelme_file(tmp_path / "a.json", shape("x", points, "mask", mask=code)))
    assert said in fault


def test_a_mask_of_labelme_as_large_as_a_stated_photo_is_refused_above_a_limit(tmp_path: Path) -> None:
    code = base64.b64encode(png_header(50_000, 60_000)).decode()
    mask = shape("x", [[0, 0], [59_999, 49_999]], "mask", mask=code)
    path = labelme_file(tmp_path / "a.json", mask, imageHeight=50_000, imageWidth=60_000)
    with pytest.raises(InputError, match="its mask is 60000 x 50000; 100,000,000 pixels are the most that are decoded"):
        list(open_dataset("own", path).pairs())


def test_the_photo_in_a_file_of_labelme_is_not_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PngImageFile, "load", lambda _: pytest.fail("it was decoded"))
    code = base64.b64encode(png_header(50_000, 60_000)).decode()
    (sample,) = read(labelme.FORM, labelme_file(tmp_path / "a.json", shape("dog", TRIANGLE), imageData=code))
    assert sample.query.size_hw == SIZE_HW


def test_a_small_mask_on_a_photo_that_no_memory_holds(tmp_path: Path) -> None:
    data = io.BytesIO()
    PIL.Image.fromarray(np.ones((2, 3), dtype=np.uint8)).save(data, "PNG")
    mask = shape("x", [[7, 5], [9, 6]], "mask", mask=base64.b64encode(data.getvalue()).decode())
    (sample,) = read(labelme.FORM, labelme_file(tmp_path / "a.json", mask, imageHeight=60_000, imageWidth=70_000))
    assert sample.truth.targets[0].shape.xyxy == (7, 5, 10, 7)


@given(inside=arrays(bool, st.tuples(st.integers(1, 6), st.integers(1, 6))), data=st.data())
def test_masks_of_labelme_are_laid_as_pixels_are(inside: np.ndarray, data: st.DataObject) -> None:
    height, width = (data.draw(st.integers(side, side + 4)) for side in inside.shape)
    top, left = (data.draw(st.integers(0, a - b)) for a, b in zip((height, width), inside.shape, strict=True))
    whole = np.zeros((height, width), dtype=bool)
    whole[top : top + inside.shape[0], left : left + inside.shape[1]] = inside
    assert np.array_equal(decode(labelme._laid(inside, left, top, (height, width))), whole)
    assert labelme._laid(inside, left, top, (height, width)) == encode(whole)


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (shape("x", TRIANGLE[:2]), "shape 1: the polygon has 2 points, it needs 3"),
        (shape("x", TRIANGLE[:1]), "the polygon has 1 points"),
        (shape("x", [[1, 1]], "rectangle"), "a rectangle has 2 points, not 1"),
        (shape("x", TRIANGLE, "circle"), "a shape of the type circle is no region"),
        (shape("x", [[1, 1], [2, 2]], "mask"), "needs its mask"),
        (shape("x", [[1, 1], [2, 2]], "mask", mask="no"), "no PNG in base64"),
        (shape("x", [[1, 1], [2, 2], [95, 3]]), "reaches 15 pixels outside the image"),
        (shape("x", [[1, 1], ["2", 2], [5, 3]]), "points.1.0 is '2'"),
        (shape("", TRIANGLE), "neither a class nor a question"),
        (shape("x", TRIANGLE, question=5), "question is 5; a text is needed"),
        ({"label": "x"}, "points is missing"),
        ([], "label is missing"),
    ],
)
def test_broken_shapes_of_labelme(broken: Any, said: str, tmp_path: Path) -> None:
    labelme_file(tmp_path / "a.json", broken, shape("fine", TRIANGLE))
    (fault,) = faults(labelme.FORM, tmp_path)
    assert said in fault


def test_a_little_outside_is_cut_off_and_a_bow_tie_is_taken(tmp_path: Path) -> None:
    path = labelme_file(tmp_path / "a.json", shape("x", [[-3, 5], [20, 5], [20, 68], [-3, 68]]))
    assert read(labelme.FORM, path)[0].truth.targets[0].shape.xyxy == (0, 5, 20, 60)
    path = labelme_file(tmp_path / "b.json", shape("x", [[0, 0], [20, 20], [20, 0], [0, 20]]))
    assert read(labelme.FORM, path)[0].truth.targets[0].shape.xyxy == (0, 0, 20, 20)


def test_two_files_of_labelme_about_one_photo(tmp_path: Path) -> None:
    labelme_file(tmp_path / "a.json", shape("x", TRIANGLE))
    labelme_file(tmp_path / "b.json", shape("x", TRIANGLE))
    (fault,) = faults(labelme.FORM, tmp_path)
    assert "b.json, a.jpg: the photo is here a second time, first " in fault
    assert "a.json. Keep one" in fault


def via_entry(**more: Any) -> dict[str, Any]:
    rect = {"shape_attributes": {"name": "rect", "x": 10, "y": 20, "width": 30, "height": 15}}
    corners = {"name": "polygon", "all_points_x": [1, 9, 5], "all_points_y": [2, 2, 8]}
    regions = [
        {**rect, "region_attributes": {"class": "dog", "occluded": "no"}},
        {"shape_attributes": corners, "region_attributes": {"question": "What is red?", "answer": "cup"}},
    ]
    return {"filename": "a.jpg", "size": 123, "regions": regions, "file_attributes": {}, **more}


EXPECTED = [("a.jpg#dog", "Where is the dog?", (10, 20, 40, 35)), ("a.jpg#1", "What is red?", (1, 2, 9, 8))]


def found(samples: list[Sample]) -> list[tuple[str, str, tuple[float, ...]]]:
    return [(s.query.id, s.query.question, s.truth.targets[0].shape.xyxy) for s in samples]


def test_via_project_annotations_and_the_objects_of_version_1(tmp_path: Path) -> None:
    entry = via_entry()
    numbered = {**entry, "regions": {str(n): region for n, region in enumerate(entry["regions"])}}
    for values in ({"_via_settings": {}, "_via_img_metadata": {"a.jpg123": entry}}, {"a": entry}, {"a": numbered}):
        assert found(read(via.FORM, save(tmp_path / "via.json", values))) == EXPECTED


def test_via_csv(tmp_path: Path) -> None:
    lines = ["filename,file_size,file_attributes,region_count,region_id,region_shape_attributes,region_attributes"]
    for number, region in enumerate(via_entry()["regions"]):
        cells = [json.dumps(region[key]).replace('"', '""') for key in ("shape_attributes", "region_attributes")]
        lines.append(f'a.jpg,123,"{{}}",2,{number},"{cells[0]}","{cells[1]}"')
    lines.append('b.jpg,5,"{}",0,0,"{}","{}"')
    assert found(read(via.FORM, write(tmp_path / "via.csv", "\ufeff" + "\r\n".join(lines) + "\r\n"))) == EXPECTED


@pytest.mark.parametrize(
    ("shape_attributes", "said"),
    [
        ({"name": "circle", "cx": 1, "cy": 1, "r": 3}, "region 1: a shape of the kind circle is no region"),
        ({"name": "rect", "x": 1, "y": 1, "width": 0, "height": 2}, "the box has no area"),
        ({"name": "rect", "x": 1, "y": 1, "width": 3}, "height is missing"),
        ({"name": "polygon", "all_points_x": [1, 2], "all_points_y": [1, 2]}, "the polygon has 2 points"),
        ({"name": "polygon", "all_points_x": [1, 2, 3], "all_points_y": [1, 2]}, "it has 3 x and 2 y"),
        ({"name": "polygon", "all_points_x": [1, "b", 3], "all_points_y": [1, 2, 3]}, "all_points_x.1 is 'b'"),
    ],
)
def test_broken_regions_of_via(shape_attributes: dict[str, Any], said: str, tmp_path: Path) -> None:
    region = {"shape_attributes": shape_attributes, "region_attributes": {"class": "x"}}
    (fault,) = faults(via.FORM, save(tmp_path / "v.json", {"a": via_entry(regions=[region])}))
    assert said in fault


def yolo_folder(root: Path, labels: str, data: str = "names: [dog, 'traffic light']\n") -> Path:
    write(root / "data.yaml", data)
    for folder in ("images/train", "labels/train"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "images/train/a.JPG").write_bytes(b"")
    write(root / "labels/train/a.txt", labels)
    return root


def test_yolo_boxes_and_polygons_are_shares_of_the_photo(tmp_path: Path) -> None:
    root = yolo_folder(tmp_path, "\ufeff0 0.5 0.5 0.25 0.5\r\n1 0.25 0.5 0.75 0.5 0.5 1.0\r\n")
    for settings in ({}, {"split": "train"}):
        dog, light = read(yolo.FORM, root, **settings)
        assert (dog.query.id, dog.query.image_name, dog.query.size_hw) == ("a.JPG#dog", "a.JPG", SIZE_HW)
        assert dog.truth.targets == (Target(Box((30, 15, 50, 45)), "dog"),)
        assert light.query.question == "Where is the traffic light?"
        assert light.truth.targets[0].shape == Polygon((((20, 30), (60, 30), (40, 60)),))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("2 .5 .5 .1 .1", "line 1: the class 2 is none of data.yaml; there are from 0 to 1"),
        ("dog .5 .5 .1 .1", "the class dog is none"),
        ("0 .5 .5 .1", "here are 3 numbers"),
        ("0 1.2 .5 .1 .1", "1.2 is no share of the photo"),
        ("0 300 .5 .1 .1", "are these pixels?"),
        ("0 x .5 .1 .1", "could not convert"),
        ("0 .1 .1 .2 .2 .3 .3", "no area"),
        ("0 nan .1 .2 .2", "nan is no share"),
    ],
)
def test_broken_lines_of_yolo(line: str, said: str, tmp_path: Path) -> None:
    (fault,) = faults(yolo.FORM, yolo_folder(tmp_path, f"{line}\n1 .5 .5 .1 .1\n"))
    assert said in fault


def test_yolo_labels_without_photo_and_photos_without_labels(tmp_path: Path) -> None:
    root = yolo_folder(tmp_path, "0 .5 .5 .1 .1\n")
    write(root / "labels/train/lost.txt", "0 .5 .5 .1 .1\n")
    (root / "images/train/b.png").write_bytes(b"")
    said: list[str] = []
    errors: list[InputError] = []
    assert len(list(yolo.read(root, Reading({}, errors.append, said.append, lambda _: SIZE_HW)))) == 1
    assert "lost.txt: there is no photo" in str(errors[0])
    assert said == ["photos without a label file, about which nothing is asked: 1, first train/b.png"]


@pytest.mark.parametrize("data", ["names: 5\n", "a: [\n", "", "names: {x: dog}\n"])
def test_yolo_needs_names(data: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"data\.yaml: "):
        read(yolo.FORM, yolo_folder(tmp_path, "0 .5 .5 .1 .1\n", data))
    (tmp_path / "data.yaml").unlink()
    with pytest.raises(InputError, match=r"there is no data\.yaml"):
        read(yolo.FORM, tmp_path)
    assert read(yolo.FORM, tmp_path, classes="bear, cat")[0].truth.answers == ("bear",)


def coco_values() -> dict[str, Any]:
    one = {"id": 1, "image_id": 5, "category_id": 3, "bbox": [10, 10, 20, 20], "area": 400, "iscrowd": 0}
    flat = [10.0, 10.0, 30.0, 10.0, 30.0, 30.0, 10.0, 30.0]
    return {
        "images": [{"id": 5, "file_name": "a.jpg", "width": 80, "height": 60}],
        "annotations": [
            {**one, "segmentation": [flat]},
            {**one, "id": 2, "question": "What is soft?"},
        ],
        "categories": [{"id": 3, "name": "rug", "supercategory": ""}],
    }


def test_coco_without_and_with_questions(tmp_path: Path) -> None:
    made, asked = read(coco_samples.FORM, save(tmp_path / "c.json", coco_values()))
    assert (made.query.id, made.query.question) == ("a.jpg#rug", "Where is the rug?")
    assert isinstance(made.truth.targets[0].shape, Polygon)
    assert (asked.query.id, asked.query.question) == ("a.jpg#1", "What is soft?")
    assert asked.truth.targets == (Target(Box((10, 10, 30, 30)), "rug"),)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"category_id": 9}, "category_id is 9"),
        ({"image_id": 9}, "image_id is 9"),
        ({"id": 2}, "id 2 is here a second time"),
        ({"segmentation": [[1, 1, 5, 5]]}, "the polygon has 2 points"),
        ({"segmentation": {"size": [80, 60], "counts": "01"}}, "transposed"),
        ({"segmentation": None, "bbox": None}, "neither a segmentation nor a bbox"),
    ],
)
def test_broken_annotations_of_coco(change: dict[str, Any], said: str, tmp_path: Path) -> None:
    values = coco_values()
    values["annotations"][0].update(change)
    (fault,) = faults(coco_samples.FORM, save(tmp_path / "c.json", values))
    assert said in fault


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
@pytest.mark.reference
def test_pycocotools_reads_our_file_as_the_same_masks(tmp_path: Path) -> None:
    ring = np.zeros(SIZE_HW, dtype=bool)
    ring[10:40, 10:40] = True
    ring[20:30, 20:30] = False  # A hole, which outlines could not hold.
    shapes: list[Shape] = [
        Mask(encode(ring)),
        Polygon((((5, 5), (40, 8), (20, 50)), ((50, 5), (70, 5), (60, 30)))),
        Box((3, 4, 33, 44)),
    ]
    targets = tuple(Target(shape, str(n)) for n, shape in enumerate(shapes))
    sample = Sample(Query("x", "a.jpg", None, "Q?", SIZE_HW), Truth("x", targets=targets, match="any"))
    coco_samples.write([sample], tmp_path / "c.json")
    loaded = COCO(tmp_path / "c.json")
    assert loaded.getAnnIds() == [1, 2, 3]
    for number, shape_ in enumerate(shapes, start=1):
        assert (loaded.annToMask(loaded.anns[number]).astype(bool) == decode(shape_.rle(SIZE_HW))).all()
        x, y, width, height = loaded.anns[number]["bbox"]
        assert (x, y, x + width, y + height) == shape_.xyxy
        assert loaded.anns[number]["area"] == decode(shape_.rle(SIZE_HW)).sum()


@needs_shared
@pytest.mark.reference
def test_cocos_own_file(tmp_path: Path) -> None:
    path = SHARED / "coco" / "instances.json"
    official = COCO(path)
    samples = read(coco_samples.FORM, path)
    assert sum(len(sample.truth.targets) for sample in samples) == len(official.anns) == 542
    kinds = {(a["image_id"], a["category_id"]) for a in official.anns.values()}
    assert len(samples) == len(kinds)


def test_one_id_for_two_samples_is_refused_in_a_photo_and_among_photos(tmp_path: Path) -> None:
    triangle = [[1, 1], [9, 1], [9, 9]]
    one, other = shape("cat", triangle, sample="1"), shape("cat", triangle, sample="1", question="Why?")
    for name in "ab":
        labelme_file(tmp_path / f"{name}.json", one, other, imagePath=f"{name}.jpg")
    first, second, third = faults(labelme.FORM, tmp_path)
    again = f"1: the id is here a second time, first {tmp_path}/a.json, shape 1. Keep one"
    assert first.startswith(f"{tmp_path}/a.json, shape 2, {again}")
    assert second.startswith(f"{tmp_path}/b.json, shape 1, {again}")
    assert third.startswith(f"{tmp_path}/b.json, shape 2, {again}")


def test_labels_behind_links_are_read(tmp_path: Path) -> None:
    for folder in ("elsewhere", "yolo/images/train", "yolo/labels"):
        (tmp_path / folder).mkdir(parents=True)
    write(tmp_path / "elsewhere" / "a.txt", "0 0.5 0.5 0.5 0.5\n")
    write(tmp_path / "yolo" / "data.yaml", "names: [cat]\n")
    write(tmp_path / "yolo" / "images" / "train" / "a.jpg", "")
    (tmp_path / "yolo" / "labels" / "train").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "yolo" / "labels" / "circle").symlink_to(tmp_path / "yolo" / "labels")
    assert [sample.query.id for sample in read(yolo.FORM, tmp_path / "yolo")] == ["a.jpg#cat"]


def test_photos_of_via_without_a_region_are_told(tmp_path: Path) -> None:
    told: list[str] = []
    path = save(tmp_path / "via.json", {"a.jpg-1": {"filename": "a.jpg", "regions": []}})
    assert not list(via.FORM.read(path, Reading(on_remark=told.append)))
    assert told == ["photos without a shape, about which nothing is asked: 1, first a.jpg"]
