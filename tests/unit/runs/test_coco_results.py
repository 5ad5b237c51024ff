from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foveate.core.boxes import SizeHW
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask, Polygon, Region
from foveate.core.rle import Rle, encode, to_runs
from foveate.errors import InputError, OutputError
from foveate.runs.coco_results import read_coco_results, write_coco_results
from tests.helpers import predicted, write
from tests.unit.runs.form_files import SIZES, coco

# Rows 2 and 3, columns 1 to 4: its box is 1, 2, 5, 4.
PIXELS = np.zeros((48, 64), dtype=bool)
PIXELS[2:4, 1:5] = True
MASK = Mask(encode(PIXELS))
PACKED = {"size": [48, 64], "counts": MASK.encoded.counts.decode()}
RUNS = {"size": [48, 64], "counts": to_runs(MASK.encoded)}
CORNERS = [[1, 2, 5, 2, 5, 4, 1, 4]]


def result(image: object, score: float = 0.5, **region: Any) -> dict[str, Any]:
    return {"image_id": image, "category_id": 18, "score": score, **region}


def read(folder: Path, *entries: Any, images: Path | None = None) -> list[Prediction]:
    return list(read_coco_results(coco(*entries)(folder), {**SIZES, "42": (48, 64)}, images=images))


def test_the_best_region_is_final_and_the_others_are_candidates_in_order(tmp_path: Path) -> None:
    (first, second) = read(
        tmp_path,
        result("b.jpg", bbox=[0, 0, 64, 48]),
        result("a.jpg", 0.2, bbox=[1, 2, 3, 4]),
        result("a.jpg", 0.9, bbox=[10, 20, 30, 20.5]),
        result("a.jpg", 0.2, bbox=[1, 2, 3, 5]),
    )
    assert (first.id, first.status, first.size_hw) == ("b.jpg", "ok", (48, 64))
    assert second.final == Region(Box((10, 20, 40, 40.5)), 0.9)
    assert second.candidates == (second.final, Region(Box((1, 2, 4, 6)), 0.2), Region(Box((1, 2, 4, 7)), 0.2))


@pytest.mark.parametrize("segmentation", [PACKED, RUNS, CORNERS], ids=["packed", "runs", "corners"])
@pytest.mark.parametrize("bbox", [{}, {"bbox": []}, {"bbox": [1, 2, 4, 2]}, {"bbox": [0.5, 2, 3.6, 1.2]}], ids=str)
def test_a_segmentation_wins_over_its_box(segmentation: Any, bbox: dict[str, Any], tmp_path: Path) -> None:
    (prediction,) = read(tmp_path, result("a.jpg", segmentation=segmentation, **bbox))
    assert prediction.final == Region(MASK, 0.5)


def finals(folder: Path, *entries: Any) -> list[Prediction]:
    return list(read_coco_results(coco(*entries)(folder), SIZES, finals_only=True))


def test_of_finals_only_the_best_outline_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, draw = [], Polygon.rle

    def drawing(polygon: Polygon, size_hw: SizeHW) -> Rle:
        drawn.append(polygon)
        return draw(polygon, size_hw)

    monkeypatch.setattr(Polygon, "rle", drawing)
    others = [result("a.jpg", n / 1000, segmentation=[[n % 9, 0, 40, 1, 30, 40]]) for n in range(500)]
    best = result("a.jpg", 0.9, segmentation=CORNERS, bbox=[1, 2, 4, 2])
    (prediction,) = finals(tmp_path, *others[:250], best, best, *others[250:])
    assert prediction.final == Region(MASK, 0.9)
    assert prediction.candidates == (prediction.final,)
    assert len(drawn) == 1


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (result("a.jpg", 0.1, segmentation=[[1, 2, 5, 2, 5]]), "come in pairs"),
        (result("a.jpg", 0.1, segmentation=[[1, 2, 99, 2, 5, 9]]), "35 pixels outside"),
        (result("a.jpg", 0.1, segmentation=CORNERS, bbox=[9, 9, 9, 9]), "is not the one around its mask"),
        (result("a.jpg", 0.1, segmentation={"size": [48, 64], "counts": [1, 2]}), "the runs cover 3 pixels"),
        (result("a.jpg", 0.1, bbox=[1, 2, 99, 4]), "the box"),
        (result("a.jpg", 0.5, bbox=[1, 2, 3, 4]), "two regions with the best score"),
        (result("a.jpg", 0.7, segmentation=[[1.1, 1.1, 1.2, 1.1, 1.2, 1.2]]), "the mask is empty"),
    ],
)
def test_what_is_not_drawn_is_looked_at_all_the_same(entry: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        finals(tmp_path, result("a.jpg", 0.5, segmentation=CORNERS), entry)


def test_an_empty_segmentation_is_none(tmp_path: Path) -> None:
    (prediction,) = read(tmp_path, result("a.jpg", segmentation=[], bbox=[1, 2, 3, 4]))
    assert prediction.final == Region(Box((1, 2, 4, 6)), 0.5)


def test_what_rounding_puts_outside_is_moved_onto_the_edge_and_no_more(tmp_path: Path) -> None:
    (prediction,) = read(tmp_path, result("a.jpg", bbox=[-0.01, 10.13, 64.015, 37.88]))
    assert prediction.final is not None
    assert prediction.final.shape == Box((0, 10.13, 64, 48))
    with pytest.raises(InputError, match=r"the box -0\.03, 10, 9\.97, 20 lies outside"):
        read(tmp_path, result("a.jpg", bbox=[-0.03, 10, 10, 10]))
    (prediction,) = read(tmp_path, result("a.jpg", segmentation=[[-0.01, 0, 64.01, 0, 64.01, 48, -0.01, 48]]))
    assert prediction.final is not None
    assert prediction.final.shape.xyxy == (0, 0, 64, 48)


def test_a_number_is_the_sample_of_that_number_and_nothing_else(tmp_path: Path) -> None:
    assert [p.id for p in read(tmp_path, result(42, bbox=[1, 2, 3, 4]))] == ["42"]
    path = coco(result(42, bbox=[1, 2, 3, 4]))(tmp_path)
    with pytest.raises(InputError) as caught:
        list(read_coco_results(path, {"000000000042.jpg": None}, lambda _: None))
    assert str(caught.value) == (
        f"{path}, entry 1, image 42: the data set has no sample 42; its own are like 000000000042.jpg. Say which photo "
        "each number is, with --images and a COCO file that lists them."
    )


def test_a_coco_file_tells_the_names_of_numbers(tmp_path: Path) -> None:
    images = write(tmp_path / "instances.json", '{"images": [{"id": 7, "file_name": "val2017/a.jpg"}], "info": {}}')
    (prediction,) = read(tmp_path, result(7, bbox=[1, 2, 3, 4]), images=images)
    assert prediction.id == "a.jpg"
    with pytest.raises(InputError, match=rf"image 8: {images} has no image of this number\. Give the COCO file"):
        read(tmp_path, result(8, bbox=[1, 2, 3, 4]), images=images)


def test_a_coco_file_names_photos_in_folders(tmp_path: Path) -> None:
    listed = [{"id": n, "file_name": name} for n, name in ((7, "sub/x.jpg"), (8, "x.jpg"), (9, "y/x.jpg"))]
    images = write(tmp_path / "instances.json", json.dumps({"images": listed}))
    path = coco(*(result(n, bbox=[n, 2, 3, 4]) for n in (7, 8)))(tmp_path)
    read = read_coco_results(path, dict.fromkeys(["x.jpg", "sub/x.jpg"]), images=images)
    assert [(p.id, p.final and p.final.shape.xyxy[0]) for p in read] == [("sub/x.jpg", 7), ("x.jpg", 8)]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[]", ": it has no list of images. Give the COCO file with images: [{id, file_name}, …]."),
        ('{"images": [{"id": 7}]}', ", image 1: it has no file_name. Give the official file."),
        ('{"images": [{"file_name": "a"}]}', ", image 1: id is missing. Give the official file."),
        (
            '{"images": [{"id": 7, "file_name": "a"}, {"id": 7, "file_name": "b"}]}',
            ", image 2: the id 7 has two names. Give each number one photo.",
        ),
        (
            '{"images": [{"id": 7, "file_name": "a.jpg"}, {"id": 3, "file_name": "b"}, '
            '{"id": 9, "file_name": "a.jpg"}]}',
            ", image 3: the photo a.jpg has two numbers, 7 and 9. Give each photo one number.",
        ),
        (
            '{"images": [{"id": 7, "file_name": "train/a.jpg"}, {"id": 9, "file_name": "val/a.jpg"}]}',
            ", image 2: the photo a.jpg has two numbers, 7 and 9. Give each photo one number.",
        ),
    ],
)
def test_a_coco_file_without_the_names(text: str, sentence: str, tmp_path: Path) -> None:
    images = write(tmp_path / "instances.json", text)
    with pytest.raises(InputError) as caught:
        read(tmp_path, result(7, bbox=[1, 2, 3, 4]), images=images)
    assert str(caught.value) == f"{images}{sentence}"


def test_two_best_regions_are_refused_but_one_given_twice_is_one(tmp_path: Path) -> None:
    tied = [result("a.jpg", 0.9, bbox=[1, 2, 3, 4]), result("b.jpg", 0.9, bbox=[1, 2, 3, 4])]
    tied += [result("a.jpg", 0.1, bbox=[5, 5, 1, 1]), result("a.jpg", 0.9, bbox=[1, 2, 3, 5])]
    path = coco(*tied)(tmp_path)
    with pytest.raises(InputError) as caught:
        list(read_coco_results(path, SIZES))
    assert str(caught.value) == (
        f"{path}, image a.jpg: entries 1 and 4 are two regions with the best score, 0.9. Give the one that is meant a "
        "higher score, or pass --skip-invalid."
    )
    errors: list[InputError] = []
    assert [p.status for p in read_coco_results(path, SIZES, errors.append)] == ["invalid_output", "ok"]
    assert len(errors) == 1
    (prediction,) = read(tmp_path, *[result("a.jpg", bbox=[1, 2, 3, 4])] * 2)
    assert prediction.status == "ok"


def test_a_broken_entry_among_sound_ones_makes_the_image_invalid_once(tmp_path: Path) -> None:
    good, bad = result("a.jpg", bbox=[1, 2, 3, 4]), result("a.jpg", 0.9, bbox=[1, 2, 0, 4])
    errors: list[InputError] = []
    path = coco(good, bad, bad, result("b.jpg", bbox=[1, 2, 3, 4]))(tmp_path)
    first, second = read_coco_results(path, SIZES, errors.append)
    assert [error.where.rpartition("entry ")[2] for error in errors] == ["2, image a.jpg", "3, image a.jpg"]
    assert (first.status, first.reason, first.candidates) == ("invalid_output", errors[0].fault, ())
    assert second.status == "ok"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "this is not valid JSON (Expecting value: line 1 column 1 (char 0)). Give a file of JSON."),
        ('{"annotations": []}', "this is not a list of results. Give the list of {image_id, category_id, score, bbox}"),
        ('[{"score": 1, "score": 2}]', "this is not valid JSON (the key score appears twice). Give a file of JSON."),
    ],
)
def test_files_that_are_no_results(text: str, sentence: str, tmp_path: Path) -> None:
    path = write(tmp_path / "results.json", text)
    with pytest.raises(InputError) as caught:
        list(read_coco_results(path, SIZES, lambda _: None))
    assert str(caught.value).startswith(f"{path}: {sentence}")
    with pytest.raises(InputError, match="it cannot be read .No such file"):
        list(read_coco_results(tmp_path / "none.json", SIZES))


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (3, "this is a JSON int, not an object"),
        ({"score": 1}, "image_id is missing"),
        (result(True), "image_id is True; a text or a whole number is needed here"),
        (result(42.0), "image_id is 42.0; a text or a whole number is needed here"),
        (result(" "), "image_id is ' '; a text or a whole number is needed here"),
    ],
)
def test_an_entry_that_names_no_image_is_counted(entry: object, said: str, tmp_path: Path) -> None:
    path = coco(entry, result("b.jpg", bbox=[1, 2, 3, 4]))(tmp_path)
    errors: list[InputError] = []
    assert [p.id for p in read_coco_results(path, SIZES, errors.append)] == ["b.jpg"]
    assert [str(e) for e in errors] == [f"{path}, entry 1: {said}. Fix the entry, or pass --skip-invalid."]


def test_an_entry_that_names_no_image_changes_no_prediction_though_it_may_have_been_the_best(tmp_path: Path) -> None:
    path = coco(result("a.jpg", 0.5, bbox=[1, 2, 3, 4]), result(None, 0.9, bbox=[5, 6, 7, 8]))(tmp_path)
    errors: list[InputError] = []
    (prediction,) = read_coco_results(path, SIZES, errors.append)
    assert prediction.final == Region(Box((1, 2, 4, 6)), 0.5)
    assert [error.where for error in errors] == [f"{path}, entry 2"]


def test_a_polygon_needs_the_size_of_its_photo(tmp_path: Path) -> None:
    path = coco(result("a.jpg", segmentation=CORNERS))(tmp_path)
    with pytest.raises(InputError, match="by the size of its photo, which nothing tells"):
        list(read_coco_results(path, {"a.jpg": None}))


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    best, other = Region(Box((1, 2.5, 30, 40)), 0.75), Region(MASK, 0.5)
    given = [
        Prediction("a.jpg", "ok", final=best, candidates=(best, other), size_hw=(48, 64)),
        Prediction("b.jpg", "ok", final=other, candidates=(other,), size_hw=(48, 64)),
    ]
    assert write_coco_results(given, tmp_path / "results.json") == 2
    assert list(read_coco_results(tmp_path / "results.json", SIZES)) == given
    assert json.loads((tmp_path / "results.json").read_bytes()) == [
        {"image_id": "a.jpg", "category_id": 1, "score": 0.75, "bbox": [1, 2.5, 29, 37.5]},
        {"image_id": "a.jpg", "category_id": 1, "score": 0.5, "bbox": [1, 2, 4, 2], "segmentation": PACKED},
        {"image_id": "b.jpg", "category_id": 1, "score": 0.5, "bbox": [1, 2, 4, 2], "segmentation": PACKED},
    ]


@pytest.mark.parametrize(
    ("ids", "written"),
    [(["42", "0"], [42, 0]), (["42", "007"], ["42", "007"]), (["42", "-1"], ["42", "-1"]), (["٣"], ["٣"])],
)
def test_ids_are_numbers_where_all_are(ids: list[str], written: list[object], tmp_path: Path) -> None:
    write_coco_results([predicted(sample, (1, 2, 3, 4)) for sample in ids], tmp_path / "results.json")
    assert [entry["image_id"] for entry in json.loads((tmp_path / "results.json").read_bytes())] == written
    assert [p.id for p in read_coco_results(tmp_path / "results.json", dict.fromkeys(ids))] == ids


def test_candidates_that_would_take_the_place_of_the_final_are_left_out_and_told(tmp_path: Path) -> None:
    final, as_high, lower = Region(Box((0, 0, 9, 9)), 0.5), Region(Box((0, 0, 8, 8)), 0.5), Region(Box((0, 0, 7, 7)), 0)
    higher = Region(Box((0, 0, 6, 6)), 0.75)
    given = [
        Prediction("a.jpg", "ok", final=final, candidates=(higher, final, as_high, lower)),
        Prediction("b.jpg", "ok", final=final, candidates=(final, lower)),
    ]
    remarks: list[str] = []
    write_coco_results(given, tmp_path / "results.json", remarks.append)
    assert remarks == [
        "1 prediction has candidates without a score below the final region's (a.jpg); they were left out"
    ]
    read = list(read_coco_results(tmp_path / "results.json", dict.fromkeys(SIZES)))
    assert [p.final for p in read] == [final, final]
    assert [p.candidates for p in read] == [(final, lower), (final, lower)]


def test_what_has_no_score_is_written_as_sure_and_told(tmp_path: Path) -> None:
    final, rated, unrated = (
        Region(Box((0, 0, 9, 9)), None),
        Region(Box((0, 0, 8, 8)), 0.5),
        Region(Box((0, 0, 7, 7)), None),
    )
    given = [
        Prediction("a.jpg", "ok", final=final, candidates=(final, rated, unrated)),
        Prediction("b.jpg", "ok", final=rated, candidates=(rated, unrated)),
    ]
    remarks: list[str] = []
    write_coco_results(given, tmp_path / "results.json", remarks.append)
    assert remarks == [
        "2 predictions have candidates without a score below the final region's (a.jpg, b.jpg); they were left out",
        "1 prediction has no score (a.jpg), and the form asks for one; 1 was written",
    ]
    first, second = read_coco_results(tmp_path / "results.json", dict.fromkeys(SIZES))
    assert first.candidates == (Region(Box((0, 0, 9, 9)), 1.0), rated)
    assert second.candidates == (rated,)


def test_a_polygon_is_written_as_its_corners(tmp_path: Path) -> None:
    polygon = Polygon((((1, 2), (5, 2), (5, 4), (1, 4)),))
    write_coco_results([Prediction("a.jpg", "ok", final=Region(polygon, 1))], tmp_path / "results.json")
    (prediction,) = read_coco_results(tmp_path / "results.json", SIZES)
    assert prediction.final == Region(MASK, 1)


def test_what_the_form_cannot_hold_is_refused_at_once(tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    failed = Prediction("c.jpg", "error", reason="It broke.")
    with pytest.raises(InputError) as caught:
        write_coco_results([predicted("a.jpg", (1, 2, 3, 4)), predicted("b.jpg", None), failed], out)
    assert str(caught.value) == (
        f"{out}: 2 predictions have no region (b.jpg, c.jpg), and the form has no way to say that. Use the form jsonl, "
        "or score the run itself."
    )
    assert not out.exists()
    out.touch()
    with pytest.raises(OutputError, match="there is a file already"):
        write_coco_results([], out)
