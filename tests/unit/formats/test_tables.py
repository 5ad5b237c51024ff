from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from foveate.errors import InputError
from foveate.formats.tables import columns, json_value, read_rows
from tests.helpers import write

NEED = ("image", "question")


def rows(path: Path) -> list[dict[str, object]]:
    return [dict(row.values) for row in read_rows(path, NEED, optional=("left",))]


def test_csv_rows_know_their_line(tmp_path: Path) -> None:
    path = write(tmp_path / "q.csv", 'image,question\na.jpg,"two\nlines"\n\nb.jpg,"a, b"\n')
    found = list(read_rows(path, NEED))
    assert [row.values["question"] for row in found] == ["two\nlines", "a, b"]
    assert [row.where.rpartition(", ")[2] for row in found] == ["line 3", "line 5"]


@pytest.mark.parametrize("text", ["\ufeffimage,question\r\na.jpg,What?\r\n", "image,question\na.jpg,What?"])
def test_byte_order_mark_crlf_and_a_missing_last_line_feed_are_fine(text: str, tmp_path: Path) -> None:
    assert rows(write(tmp_path / "q.csv", text)) == [{"image": "a.jpg", "question": "What?"}]


def test_jsonl_is_as_good(tmp_path: Path) -> None:
    path = write(
        tmp_path / "q.jsonl",
        '{"image": "a.jpg", "question": "Was ist groß?"}\n\n{"image":"b","question":"?","left":1}\n',
    )
    assert [row["question"] for row in rows(path)] == ["Was ist groß?", "?"]
    assert columns(path) == ("image", "question", "left")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("q.csv", "", "q.csv: the file is empty. The first line must name the columns: image, question"),
        ("q.csv", "image;question\na;b\n", "line 1: the columns are not separated by commas"),
        ("q.csv", "image\tquestion\n", "not separated by commas"),
        ("q.csv", "picture,question\n", "line 1: the column image is missing; the file has picture, question"),
        ("q.csv", "image,question,image\n", "the column image appears twice"),
        ("q.csv", "image,,question,,id\n", "line 1: a column without a name appears twice. Give each column a name"),
        ("q.csv", "image, ,question, ,image\n", "line 1: a column without a name appears twice"),
        ("q.csv", "image,question\na,b,c\n", "line 2: the row has 3 values, the header names 2 columns"),
        ("q.csv", "image,question\na\n", "the row has 1 values"),
        ("q.csv", 'image,question\na,"b"c\n', "line 2: this is not valid CSV"),
        ("q.csv", 'image,question\na,"never closed\n', "not valid CSV"),
        ("q.csv", "Image, Question\n", "line 1: the column image is spelt 'Image'. Write it as image"),
        ("q.csv", "image,question, left\n", "the column left is spelt ' left'"),
        ("q.csv", "\n", "the columns image, question are missing; the file has none"),
        ("q.jsonl", '{"image": "a", "image": "b"}\n', "the key image appears twice"),
        ("q.jsonl", '{"image": "a", "question": "b", "Left": 1}\n', "line 1: the key left is spelt 'Left'"),
        (
            "q.jsonl",
            '{"image": "a", "question": "b \\ud800"}\n',
            "line 1: this is not valid JSON (half a character at the end of ",
        ),
        ("q.jsonl", "[" * 100_000 + "\n", "not valid JSON"),
        ("q.jsonl", "", "the file is empty"),
        ("q.jsonl", "{broken\n", "line 1: this is not valid JSON"),
        ("q.jsonl", '["image"]\n', "this is a JSON list, not an object"),
        ("q.jsonl", '{"image": "a"}\n', "line 1: the key question is missing"),
    ],
)
def test_broken_tables(name: str, text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        rows(write(tmp_path / name, text))


def test_a_nameless_column_is_none_of_ours(tmp_path: Path) -> None:
    path = write(tmp_path / "q.csv", ",image,question\n0,a.jpg,What?\n")
    assert rows(path) == [{"": "0", "image": "a.jpg", "question": "What?"}]


@pytest.mark.parametrize("name", ["q.csv", "q.jsonl"])
def test_a_pipe_is_not_waited_for(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(InputError) as caught:
        rows(tmp_path / name)
    assert str(caught.value) == (
        f"{tmp_path / name}: it is no ordinary file, and reading it might never end. Save what it gives as a file."
    )
    with pytest.raises(InputError, match="no ordinary file"):
        columns(tmp_path / name)


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        rows(tmp_path / "q.csv")
    with pytest.raises(InputError, match="it is a folder"):
        rows(tmp_path)


@pytest.mark.parametrize("name", ["q.csv", "q.jsonl"])
def test_latin_1_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes("image,question\na,größe\n".encode("latin-1"))
    with pytest.raises(InputError, match="not UTF-8"):
        rows(tmp_path / name)


def test_invalid_rows_can_be_counted_instead(tmp_path: Path) -> None:
    path = write(tmp_path / "q.csv", "image,question\na\nb.jpg,What?\nc,d,e\n")
    errors: list[InputError] = []
    assert [row.values["image"] for row in read_rows(path, NEED, errors.append)] == ["b.jpg"]
    assert [error.where.rpartition(", ")[2] for error in errors] == ["line 2", "line 4"]


def test_columns_of_a_table_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        columns(tmp_path / "q.csv")


def test_json_with_a_byte_order_mark_is_fine_and_nan_comes_through_to_be_named() -> None:
    assert json_value('\ufeff{"a": [1]}'.encode(), "a.json", "Fix it.") == {"a": [1]}
    assert repr(json_value("[NaN, 1e999]", "a.json", "Fix it.")) == "[nan, inf]"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a.jpg": 1, "b.jpg": {"x": 1}, "a.jpg": 2}', "the key a.jpg appears twice"),
        ('[{"b": {"x": 1, "x": 1}}]', "the key x appears twice"),
        (b'{"\\ud83d.jpg": 1}', r"""half a character at the end of '{"\ud83d'"""),
        (b'{"a": "\xed\xa0\xbd"}', r"""half a character at the end of '{"a": "\ud83d'"""),
        (b'{"a": "\xff"}', "'utf-8' codec can't decode byte 0xff"),
    ],
)
def test_nothing_is_lost_of_a_json_text(text: str | bytes, said: str) -> None:
    with pytest.raises(InputError) as caught:
        json_value(text, "a.json", "Fix it.")
    assert str(caught.value).startswith(f"a.json: this is not valid JSON ({said}")
    assert str(caught.value).endswith("Fix it.")


def test_whole_characters_are_fine_however_they_are_written() -> None:
    assert json_value(r'{"\u00e9": "\ud83d\ude00"}', "a.json", "Fix it.") == {"é": "😀"}
    assert json_value('{"é": "😀"}'.encode(), "a.json", "Fix it.") == {"é": "😀"}
    assert json_value('{"é": 1}'.encode("utf-16"), "a.json", "Fix it.") == {"é": 1}
