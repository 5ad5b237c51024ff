from __future__ import annotations

from pathlib import Path

import pytest

from foveate.datasets._open import open_dataset
from foveate.datasets._options import HiddenError
from foveate.errors import InputError, UsageError
from tests.helpers import save_photo, write


def table(tmp_path: Path, text: str, name: str = "questions.csv") -> Path:
    save_photo(tmp_path / "deep" / "down" / "a.png")
    save_photo(tmp_path / "b.png", (10, 20))
    return write(tmp_path / name, text)


def test_photos_are_found_however_deep_and_measured(tmp_path: Path) -> None:
    table(tmp_path, "image,question\na.png,Where?\nb.png,What?\n")
    queries = list(open_dataset("folder", tmp_path).queries())
    assert [(q.id, q.size_hw) for q in queries] == [("a.png", (48, 64)), ("b.png", (10, 20))]


def test_ids_are_given_or_numbered_by_photo(tmp_path: Path) -> None:
    table(tmp_path, "image,question\na.png,One?\nb.png,Two?\na.png,Three?\n")
    assert [q.id for q in open_dataset("folder", tmp_path).queries()] == ["a.png#0", "b.png#0", "a.png#1"]
    table(tmp_path, "image,question,id\na.png,One?,x\nb.png,Two?,y\n")
    assert [q.id for q in open_dataset("folder", tmp_path).queries()] == ["x", "y"]


def test_boxes_answers_and_rows_with_nothing_to_ground(tmp_path: Path) -> None:
    table(tmp_path, "image,question,answer,left,top,right,bottom\na.png,Q?,cup,1,2,3.5,4\nb.png,R?,,,,,\n")
    with_box, without = open_dataset("folder", tmp_path).truths()
    assert list(with_box.targets[0].shape.xyxy) == [1, 2, 3.5, 4]
    assert with_box.answers == ("cup",)
    assert (without.targets, without.answers, without.answerable) == ((), (), False)


def test_jsonl_with_numbers_and_some_boxes(tmp_path: Path) -> None:
    text = '{"image":"a.png","question":"Q?","id":7}\n'
    text += '{"image":"b.png","question":"R?","id":8,"left":0,"top":0,"right":5,"bottom":5}\n'
    questions = table(tmp_path, text, "own.jsonl")
    data = open_dataset("folder", questions=questions)
    assert [q.id for q in data.queries()] == ["7", "8"]
    assert [len(t.targets) for t in data.truths()] == [0, 1]


def test_a_table_alone_points_to_the_photos_beside_it(tmp_path: Path) -> None:
    questions = table(tmp_path, "image,question\ndeep/down/a.png,Where?\n", "mine.csv")
    (query,) = open_dataset("folder", questions=questions).queries()
    assert query.image is not None
    assert query.image.name == "a.png"


def test_a_photo_that_is_absent_or_broken_is_left_for_the_check_before_grounding(tmp_path: Path) -> None:
    table(tmp_path, "image,question,left,top,right,bottom\nzzz.png,Where?,0,0,5,5\nbad.png,Where?,0,0,5,5\n")
    write(tmp_path / "bad.png", "not a photo")
    data = open_dataset("folder", tmp_path)
    assert [(q.image is None, q.size_hw) for q in data.queries()] == [(True, None), (False, None)]
    assert len(list(data.truths())) == 2


@pytest.mark.parametrize(
    ("header", "row", "said"),
    [
        ("image,question", "a.png, ", "line 2: question is ' '; a text is needed here"),
        ("image,question", ",Where?", "image is ''"),
        ("image,question,left,top,right,bottom", "a.png,Q?,1,,3,4", "a box has four sides; top is empty"),
        ("image,question,width,height", "a.png,Q?,64,", "width and height come together"),
        ("image,question,left,top,right,bottom", "a.png,Q?,1_0,2,30,40", "left is '1_0'; a number is needed"),
        (
            "image,question,left,top,right,bottom",
            "a.png,Q?,30,0,10,10",
            "line 2, a.png: the box 30, 0, 10, 10 is inverted",
        ),
        ("image,question,left,top,right,bottom", "a.png,Q?,0,0,65,10", "lies outside the image, which is 64 wide"),
        ("image,question,left,top,right,bottom", "a.png,Q?,0,0,nan,10", "not a finite number"),
        ("image,question,id", "a.png,Q?,x\nb.png,R?,x", "line 3, x: the id is here a second time, first line 2"),
    ],
)
def test_broken_rows(header: str, row: str, said: str, tmp_path: Path) -> None:
    table(tmp_path, f"{header}\n{row}\n")
    with pytest.raises(InputError, match=said):
        list(open_dataset("folder", tmp_path).queries())


def test_a_box_with_a_column_too_few(tmp_path: Path) -> None:
    table(tmp_path, "image,question,left,top,right\na.png,Q?,1,2,3\n")
    with pytest.raises(InputError, match="a box has four sides; bottom is empty"):
        list(open_dataset("folder", tmp_path).queries())
    table(tmp_path, "image,question,left,top,right\na.png,Q?,,,\n")
    with pytest.raises(InputError, match="a box has four sides; the column bottom is missing"):
        list(open_dataset("folder", tmp_path).truths())


def test_truth_values_are_no_numbers(tmp_path: Path) -> None:
    table(tmp_path, '{"image":"a.png","question":"Q?","left":true,"top":0,"right":5,"bottom":5}\n', "questions.jsonl")
    with pytest.raises(InputError, match="left is True; a number is needed here"):
        list(open_dataset("folder", tmp_path).queries())


def test_a_path_that_is_not_there_is_not_another_photo_of_that_name(tmp_path: Path) -> None:
    table(tmp_path, "image,question\ndeep/up/a.png,Where?\n")
    (query,) = open_dataset("folder", tmp_path).queries()
    assert query.image is None


def test_a_header_is_read_once_a_photo(tmp_path: Path) -> None:
    table(tmp_path, "image,question\na.png,One?\na.png,Two?\n")
    first, second = open_dataset("folder", tmp_path).queries()
    assert first.image is second.image


def test_skipping_counts_and_keeps_the_sides_equal(tmp_path: Path) -> None:
    table(tmp_path, "image,question,left,top,right,bottom\na.png,Q?,0,0,5,5\nb.png,R?,9,9,5,5\n,S?,0,0,5,5\n")
    data = open_dataset("folder", tmp_path, skip_invalid=True)
    assert [q.id for q in data.queries()] == [t.id for t in data.truths()] == ["a.png"]
    assert len(data.skipped) == 2


def test_one_name_with_different_bytes_is_refused_and_with_equal_bytes_is_fine(tmp_path: Path) -> None:
    table(tmp_path, "image,question\na.png,Where?\n")
    save_photo(tmp_path / "elsewhere" / "a.png")
    assert len(list(open_dataset("folder", tmp_path).queries())) == 1
    save_photo(tmp_path / "elsewhere" / "a.png", colour=(1, 2, 3))
    with pytest.raises(InputError, match=r"a\.png: 2 different photos have this name: .*deep.*elsewhere"):
        list(open_dataset("folder", tmp_path).queries())


def test_the_table_must_be_given(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the table of questions is not given"):
        list(open_dataset("folder").queries())
    with pytest.raises(UsageError, match="the table of questions is not given"):
        list(open_dataset("folder", tmp_path).queries())
    questions = table(tmp_path, "image,question\na.png,Q?\n")
    with pytest.raises(InputError, match="there is no such folder"):
        list(open_dataset("folder", tmp_path / "nowhere", questions=questions).queries())


@pytest.mark.parametrize(
    ("name", "text", "remedy"),
    [
        ("questions.csv", "image,question,lft,top,right,bottom\na.png,Q?,0,0,5,5\n", "Write left for 'lft'."),
        ("questions.csv", "image;question;left;top;right;bottom\n", "Save the table with commas as separators."),
        ("questions.csv", "image\tquestion\tleft\ttop\tright\tbottom\n", "Save the table with commas as separators."),
        (
            "questions.jsonl",
            '{"image":"a.png","question":"Q?","lft":0,"tp":0,"rght":5,"botom":5}\n',
            "Write left for 'lft', top for 'tp', right for 'rght', bottom for 'botom'.",
        ),
    ],
)
def test_damaged_columns_are_no_table_without_boxes(name: str, text: str, remedy: str, tmp_path: Path) -> None:
    table(tmp_path, text, name)
    with pytest.raises(InputError, match="missing; it has image") as raised:
        list(open_dataset("folder", tmp_path).truths())
    assert not isinstance(raised.value, HiddenError)
    assert raised.value.remedy == remedy


def test_columns_of_ones_own_are_no_misspelt_box(tmp_path: Path) -> None:
    table(tmp_path, "image,question,light,topic\na.png,Q?,dim,kitchen\n")
    with pytest.raises(HiddenError, match="the table has no columns left, top, right, bottom"):
        list(open_dataset("folder", tmp_path).truths())


def test_a_table_without_boxes_cannot_be_scored(tmp_path: Path) -> None:
    table(tmp_path, "image,question\na.png,Q?\n")
    with pytest.raises(InputError, match="the table has no columns left, top, right, bottom"):
        list(open_dataset("folder", tmp_path).truths())
