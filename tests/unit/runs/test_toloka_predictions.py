from __future__ import annotations

from pathlib import Path

import pytest

from foveate.errors import InputError
from foveate.runs.toloka_predictions import read_predictions
from tests.helpers import write

SIZES = {"a.jpg": (48, 64), "b.jpg": (48, 64)}


def test_a_file_of_answers_becomes_predictions(tmp_path: Path) -> None:
    path = write(tmp_path / "answer.csv", "image,left,top,right,bottom\na.jpg,1,2,30,40\n")
    (prediction,) = read_predictions(path, SIZES)
    assert prediction.status == "ok"
    assert prediction.final is not None
    assert list(prediction.final.shape.xyxy) == [1, 2, 30, 40]
    assert prediction.size_hw == (48, 64)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("a.jpg,30,2,1,40", r"answer.csv, line 2, a.jpg: the box 30, 2, 1, 40 is inverted"),
        ("a.jpg,1,2,1,40", "no area"),
        ("a.jpg,1,2,70,40", "lies outside the image, which is 64 wide and 48 high"),
        ("a.jpg,1,2,inf,40", "not a finite number"),
    ],
)
def test_an_unusable_box_stops_or_counts_zero(row: str, said: str, tmp_path: Path) -> None:
    path = write(tmp_path / "answer.csv", f"image,left,top,right,bottom\n{row}\nb.jpg,1,2,30,40\n")
    with pytest.raises(InputError, match=said):
        list(read_predictions(path, SIZES))
    errors: list[InputError] = []
    predictions = list(read_predictions(path, SIZES, errors.append))
    assert [p.status for p in predictions] == ["invalid_output", "ok"]
    assert len(errors) == 1
