from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from foveate.core.predictions import Prediction
from foveate.core.regions import Mask, Region
from foveate.core.rle import encode
from foveate.errors import InputError, OutputError
from foveate.runs.toloka_predictions import read_predictions, write_predictions
from tests.helpers import predicted, write

SIZES = {"a.jpg": (48, 64), "b.jpg": (48, 64)}


def test_a_file_of_answers_becomes_predictions(tmp_path: Path) -> None:
    path = write(tmp_path / "answer.csv", "image,left,top,right,bottom\na.jpg,1,2,30,40\n")
    (prediction,) = read_predictions(path, SIZES)
    assert prediction.status == "ok"
    assert prediction.final is not None
    assert list(prediction.final.shape.xyxy) == [1, 2, 30, 40]
    assert prediction.size_hw == (48, 64)
    assert prediction.final.score is None  # The form has none.


def test_a_photo_in_a_folder_is_not_the_one_of_its_name_outside(tmp_path: Path) -> None:
    rows = "sub/x.jpg,1,2,30,40\nx.jpg,2,2,30,40\n./jar.jpg,3,2,30,40\n"
    path = write(tmp_path / "answer.csv", f"image,left,top,right,bottom\n{rows}")
    read = read_predictions(path, dict.fromkeys(["x.jpg", "sub/x.jpg", "./jar.jpg"], (48, 64)))
    assert [(p.id, p.final and p.final.shape.xyxy[0]) for p in read] == [
        ("sub/x.jpg", 1),
        ("x.jpg", 2),
        ("./jar.jpg", 3),
    ]
    # Without the sample `sub/x.jpg` the row is for no sample, as long as samples are told apart by folders at all.
    read = read_predictions(path, dict.fromkeys(["x.jpg", "./jar.jpg"], (48, 64)))
    assert [(p.id, p.size_hw) for p in read] == [("sub/x.jpg", None), ("x.jpg", (48, 64)), ("./jar.jpg", (48, 64))]
    with pytest.raises(InputError, match="line 3, x.jpg: it is here a second time, first line 2"):
        list(read_predictions(path, dict.fromkeys(["x.jpg", "jar.jpg"], (48, 64))))


@pytest.mark.parametrize("sample", ["sub/x.jpg", "./jar.jpg", "a/b/c.jpg#1", "q/1", "https://example.invalid/a.jpg?b"])
def test_ids_with_folders_are_read_as_they_were_written(sample: str, tmp_path: Path) -> None:
    given = [predicted(sample, (1, 2, 30, 40), (48, 64)), predicted("x.jpg", (5, 5, 9, 9), (48, 64))]
    write_predictions(given, tmp_path / "answer.csv")
    again = read_predictions(tmp_path / "answer.csv", dict.fromkeys([sample, "x.jpg"], (48, 64)))
    assert [(p.id, p.final and p.final.shape) for p in again] == [(p.id, p.final and p.final.shape) for p in given]


def test_rows_that_name_nothing_are_each_told(tmp_path: Path) -> None:
    path = write(tmp_path / "answer.csv", "image,left,top,right,bottom\n,1,2,30,40\nsub/,1,2,30,40\n")
    errors: list[InputError] = []
    assert list(read_predictions(path, SIZES, errors.append)) == []
    assert [error.problem for error in errors] == [
        "image is '', which names no file",
        "image is 'sub/', which names no file",
    ]


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


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    given = [predicted("a.jpg", (1, 2.5, 30, 40), (48, 64)), predicted("b.jpg", (0, 0, 64, 48), (48, 64))]
    assert write_predictions(given, tmp_path / "answer.csv") == 2
    again = list(read_predictions(tmp_path / "answer.csv", SIZES))
    assert [(p.id, p.final and p.final.shape) for p in again] == [(p.id, p.final and p.final.shape) for p in given]


def test_all_that_the_form_cannot_hold_is_refused_at_once(tmp_path: Path) -> None:
    out = tmp_path / "answer.csv"
    mask = Region(Mask(encode(np.eye(4))), 1.0)
    given = [predicted(f"{n}.jpg", None) for n in range(4)]
    with pytest.raises(InputError) as caught:
        write_predictions([*given, predicted("a.jpg", (0, 0, 1, 1)), Prediction("m.jpg", "ok", final=mask)], out)
    assert str(caught.value) == (
        f"{out}: 4 predictions have no region (first 0.jpg, 1.jpg, 2.jpg), 1 prediction has a mask (m.jpg), and the "
        "form has no way to say that. Use a method that always gives one, or score the run itself. Use the form vizwiz."
    )
    assert not out.exists()


def test_a_file_that_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "answer.csv").touch()
    with pytest.raises(OutputError, match="there is a file already"):
        write_predictions([], tmp_path / "answer.csv")
    with pytest.raises(OutputError, match="it cannot be written"):
        write_predictions([], tmp_path / "nowhere" / "answer.csv")


def test_a_column_of_scores_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "image,left,top,right,bottom,score\na.jpg,0,0,9,9,0.25\nb.jpg,0,0,9,9,\n")
    found = list(read_predictions(path, {"a.jpg": (48, 64), "b.jpg": (48, 64)}))
    assert [p.final and p.final.score for p in found] == [0.25, None]
    write(path, "image,left,top,right,bottom,score\na.jpg,0,0,9,9,25\n")
    with pytest.raises(InputError, match="line 2, a.jpg: a region's score is a number from 0 to 1, not 25"):
        list(read_predictions(path, {"a.jpg": (48, 64)}))
