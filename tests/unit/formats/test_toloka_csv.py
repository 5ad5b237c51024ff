from __future__ import annotations

from pathlib import Path

import pytest

from foveate.errors import InputError
from foveate.formats.toloka_csv import ANSWER_COLUMNS, QUESTION_COLUMNS, read_toloka
from tests.helpers import write

HEADER = "image,width,height,left,top,right,bottom,question\n"


def test_a_row_as_the_cup_publishes_it(tmp_path: Path) -> None:
    address = "https://example.invalid/wsdmcup2023/000000001066.jpg"
    path = write(tmp_path / "a.csv", f"{HEADER}{address},500,375,130,160,217,367,Where can we cook meals\n")
    ((row, _),) = read_toloka(path, QUESTION_COLUMNS)
    assert row.image_name == "000000001066.jpg"
    assert row.size_hw == (375, 500)
    assert row.box().xyxy == (130, 160, 217, 367)


def test_an_answer_file_has_five_columns_in_any_order(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "bottom,right,top,left,image\n4,3,2,1,a.jpg\n")
    ((row, _),) = read_toloka(path, ANSWER_COLUMNS)
    assert row.box().xyxy == (1, 2, 3, 4)
    assert row.size_hw is None


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("a.jpg,64,48,x,0,1,1,Q", r"line 2: left is 'x'; a number is needed here"),
        ("a.jpg,64,48,1_0,0,1,1,Q", "left is '1_0'; a number is needed here"),
        ("a.jpg,64,,0,0,1,1,Q", "width and height come together; one of them is missing"),
        ("https://example.invalid/,64,48,0,0,1,1,Q", "which names no file"),
        ("a.jpg,0,48,0,0,1,1,Q", "width is '0'; input should be greater than 0"),
        ("a.jpg,64.5,48,0,0,1,1,Q", "width is '64.5'"),
        ("a.jpg,64,48,0,0,1,1, ", "question is ' '; a text is needed here"),
        (",64,48,0,0,1,1,Q", "image is '', which names no file"),
        ("val/ ,64,48,0,0,1,1,Q", "image is 'val/ ', which names no file"),
        ("a.jpg,99999,99999,0,0,1,1,Q", "line 2: an image has at most 4,294,967,295 pixels, not 99999 x 99999"),
        (
            "a.jpg,64,48,0,0,1,1,Q\nb/a.jpg,64,48,0,0,1,1,Q",
            "line 3, a.jpg: it is here a second time, first line 2",
        ),
    ],
)
def test_broken_rows(row: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        list(read_toloka(write(tmp_path / "a.csv", HEADER + row + "\n"), QUESTION_COLUMNS))


@pytest.mark.parametrize(
    ("box", "said"),
    [
        ("nan,0,1,1", "not a finite number"),
        ("10,0,5,5", "inverted"),
        ("5,5,5,9", "no area"),
        ("0,0,65,5", "outside"),
        ("0,0,10,60", "transposed"),
    ],
)
def test_broken_boxes(box: str, said: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", f"{HEADER}a.jpg,64,48,{box},Q\n")
    ((row, _),) = read_toloka(path, QUESTION_COLUMNS)
    with pytest.raises(ValueError, match=said):
        row.box()


def test_a_box_with_missing_sides(tmp_path: Path) -> None:
    ((row, _),) = read_toloka(write(tmp_path / "a.csv", "image,left\na.jpg,1\n"), ("image",))
    with pytest.raises(ValueError, match="fewer than four sides"):
        row.box()
