from __future__ import annotations

from pathlib import Path

import pytest

from foveate.datasets import toloka_vqa
from foveate.datasets._open import open_dataset
from foveate.datasets._options import HiddenError
from foveate.errors import InputError, UsageError
from tests.helpers import SHARED, needs_shared, write

HEADER = "image,width,height,left,top,right,bottom,question\n"


@needs_shared
@pytest.mark.parametrize("split", ["train_sample", "test_public", "test_private"])
def test_the_real_files_have_the_published_number_of_samples(split: str) -> None:
    data = open_dataset(f"toloka_vqa:{split}", SHARED / "toloka")
    assert sum(1 for _ in data.truths()) == toloka_vqa.CARD.splits[split]


@needs_shared
def test_first_tenth_and_last_of_the_real_public_test() -> None:
    data = open_dataset("toloka_vqa:test_public", SHARED / "toloka")
    queries, truths = list(data.queries()), list(data.truths())
    assert (queries[0].id, queries[0].question, queries[0].size_hw) == (
        "000000001066.jpg",
        "Where can we cook meals",
        (375, 500),
    )
    assert list(truths[0].targets[0].shape.xyxy) == [130, 160, 217, 367]
    lines = (SHARED / "toloka" / "test_public.csv").read_text().splitlines()
    for index in (9, -1):
        assert queries[index].id in lines[index + 1 if index >= 0 else index]
    assert sum(query.image is not None for query in queries) == 2


def test_photos_may_be_absent(tmp_path: Path) -> None:
    write(tmp_path / "test_public.csv", HEADER + "a.jpg,64,48,0,0,5,5,Q?\n")
    (query,) = open_dataset("toloka_vqa:test_public", tmp_path).queries()
    assert query.image is None
    assert query.size_hw == (48, 64)


def test_the_csv_may_lie_deeper_but_only_once(tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
    write(tmp_path / "x" / "train.csv", HEADER + "a.jpg,64,48,0,0,5,5,Q?\n")
    assert len(list(open_dataset("toloka_vqa:train", tmp_path).queries())) == 1
    write(tmp_path / "y" / "train.csv", HEADER)
    with pytest.raises(InputError, match="2 files have this name below the folder"):
        list(open_dataset("toloka_vqa:train", tmp_path).queries())


def test_a_split_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"train\.csv: there is no such file. Give with --root the folder"):
        list(open_dataset("toloka_vqa:train", tmp_path).queries())
    with pytest.raises(UsageError, match="the folder of its files is not given"):
        open_dataset("toloka_vqa:train")
    with pytest.raises(UsageError, match="it has several splits. Name one: toloka_vqa:train, "):
        open_dataset("toloka_vqa", tmp_path)
    with pytest.raises(UsageError, match="takes no table of questions"):
        open_dataset("toloka_vqa:train", tmp_path, questions="q.csv")


def test_hidden_targets_leave_queries_only(tmp_path: Path) -> None:
    write(tmp_path / "test_private.csv", "image,width,height,question\na.jpg,64,48,Q?\n")
    data = open_dataset("toloka_vqa:test_private", tmp_path)
    assert len(list(data.queries())) == 1
    with pytest.raises(InputError, match="no columns left, top, right, bottom"):
        list(data.truths())


@pytest.mark.parametrize(
    ("header", "said", "remedy"),
    [
        (
            "image,width,height,lft,top,right,bottom,question",
            "a box has four sides; the column left is missing; it has image, width, height, lft, top, right, bottom, "
            "question",
            "Write left for 'lft'.",
        ),
        (
            "image,width,height,Left,tpo,Right,Bottom,question",
            "a box has four sides; the columns left, top, right, bottom are missing; it has image, width, height, "
            "Left, tpo, Right, Bottom, question",
            "Write left for 'Left', right for 'Right', bottom for 'Bottom'.",
        ),
        (
            "image;width;height;left;top;right;bottom;question",
            "the columns image, width, height, question, left, top, right, bottom are missing; it has image;width;",
            "Save the table with commas as separators.",
        ),
        (
            "image,width,height,left,top,right,botom,qstion",
            "the columns question, bottom are missing; it has ",
            "Write question for 'qstion', bottom for 'botom'.",
        ),
        (
            "image,width,height,left,a,right,b,question",
            "a box has four sides; the columns top, bottom are missing; it has ",
            "Add what is missing, or take the file again.",
        ),
    ],
)
def test_a_damaged_header_is_no_split_with_hidden_targets(header: str, said: str, remedy: str, tmp_path: Path) -> None:
    write(tmp_path / "train.csv", f"{header}\na.jpg,64,48,0,0,5,5,Q?\n")
    data = open_dataset("toloka_vqa:train", tmp_path)
    for reading in (data.truths, data.queries):
        with pytest.raises(InputError) as raised:
            list(reading())
        assert not isinstance(raised.value, HiddenError)
        assert raised.value.problem.startswith(said)
        assert raised.value.remedy == remedy


def test_an_empty_file_hides_nothing(tmp_path: Path) -> None:
    write(tmp_path / "train.csv", "")
    with pytest.raises(InputError, match=r"train\.csv: the file is empty"):
        list(open_dataset("toloka_vqa:train", tmp_path).truths())


def test_an_invalid_row_stops_or_is_counted_and_both_sides_agree(tmp_path: Path) -> None:
    rows = "a.jpg,64,48,0,0,5,5,Q?\nb.jpg,64,48,5,0,5,5,Q?\nc.jpg,64,48,0,0,5,5,\nd.jpg,64,48,0,0,5,5,Q?\n"
    write(tmp_path / "train.csv", HEADER + rows)
    with pytest.raises(InputError, match=r"line 3, b\.jpg: the box 5, 0, 5, 5 has no area\. Fix the row, or pass"):
        list(open_dataset("toloka_vqa:train", tmp_path).truths())
    data = open_dataset("toloka_vqa:train", tmp_path, skip_invalid=True)
    assert [query.id for query in data.queries()] == [truth.id for truth in data.truths()] == ["a.jpg", "d.jpg"]
    assert len(data.skipped) == 2
