from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pytest

from foveate.cli.export import Form
from foveate.core.regions import Box, Mask
from foveate.core.rle import encode
from foveate.errors import UsageError
from foveate.runs.forms import SUFFIXES, WRITERS, form_of, read_form
from tests.helpers import predicted, write
from tests.unit.runs.form_files import SIZES, folder_of, png

INSIDE = np.zeros((48, 64), dtype=bool)
INSIDE[2:4, 1:5] = True


def test_the_command_knows_every_form() -> None:
    assert [form.value for form in Form] == list(WRITERS)
    assert set(SUFFIXES) == set(WRITERS)
    for writer in WRITERS.values():
        assert len(inspect.signature(writer).parameters) == 3


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("capitals", [False, True])
def test_the_suffix_says_which_form_it_is(form: str, capitals: bool, tmp_path: Path) -> None:
    suffix = SUFFIXES[form][-1]
    path = tmp_path / f"predictions{suffix.upper() if capitals else suffix}"
    assert form_of(path) == form
    assert WRITERS[form]([predicted("a.jpg", (1, 2, 5, 4), (48, 64))], path, print) == 1
    (prediction,) = read_form(path, SIZES)
    assert prediction.final is not None
    assert prediction.final.shape == (Mask(encode(INSIDE)) if form == "vizwiz" else Box((1, 2, 5, 4)))
    assert (prediction.id, prediction.status, prediction.size_hw) == ("a.jpg", "ok", (48, 64))


def test_a_folder_is_one_of_masks_whatever_it_is_called(tmp_path: Path) -> None:
    path = folder_of({"a.png": png(INSIDE.astype(np.uint8) * 255)})(tmp_path).rename(tmp_path / "masks.json")
    (prediction,) = read_form(path, SIZES)
    assert prediction.final is not None
    assert prediction.final.shape == Mask(encode(INSIDE))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("answer.csv", "\ufeffimage,left,right,top,bottom\r\na.jpg,1,5,2,4\r\n"),
        ("answer.txt", "bottom,top,right,left,image\n4,2,5,1,https://example.invalid/a.jpg?size=1"),
        ("lines.ndjson", '\ufeff\n{"xyxy": [1, 2, 5, 4], "id": "a.jpg"}\r\n'),
        ("results.json", '\ufeff[{"image_id": "a.jpg", "score": 0, "bbox": [1, 2, 4, 2]}]'),
    ],
)
def test_byte_order_marks_and_any_order_are_fine_and_absent_samples_are_absent(
    name: str, text: str, tmp_path: Path
) -> None:
    (prediction,) = read_form(write(tmp_path / name, text), SIZES)
    assert prediction.id == "a.jpg"
    assert prediction.final is not None
    assert prediction.final.shape == Box((1, 2, 5, 4))


def test_images_are_for_coco_results_only(tmp_path: Path) -> None:
    images = write(tmp_path / "instances.json", '{"images": [{"id": 7, "file_name": "a.jpg"}]}')
    results = write(tmp_path / "results.json", '[{"image_id": 7, "score": 1, "bbox": [1, 2, 4, 2]}]')
    assert [prediction.id for prediction in read_form(results, SIZES, images=images)] == ["a.jpg"]
    with pytest.raises(UsageError) as caught:
        read_form(tmp_path / "answer.csv", SIZES, images=images)
    assert str(caught.value) == "--images: it is for COCO results, a .json file. Leave it out."
