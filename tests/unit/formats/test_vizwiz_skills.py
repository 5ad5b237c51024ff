from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from foveate.errors import InputError
from foveate.formats.vizwiz_skills import read_vizwiz_skills
from tests.helpers import SHARED, needs_shared, write

HEADER = "IMG,QSN,TXT,OBJ,COL,CNT,OTH\n"
GOOD = "a.jpg,What is this?,1,5,3,0,2\n"


def test_a_row(tmp_path: Path) -> None:
    (row,) = read_vizwiz_skills(write(tmp_path / "s.csv", HEADER + GOOD))
    assert (row.image, row.question) == ("a.jpg", "What is this?")
    assert row.votes == {"text": 1, "object": 5, "colour": 3, "counting": 0, "other": 2}


def test_the_test_split_tells_no_votes(tmp_path: Path) -> None:
    (row,) = read_vizwiz_skills(write(tmp_path / "s.csv", "IMG,QSN\na.jpg,What is this?\n"))
    assert row.votes is None


@pytest.mark.parametrize(
    "text",
    [
        f"\ufeff{HEADER}{GOOD}".replace("\n", "\r\n"),
        f"IMG,QSN,TXT,OBJ,COL,CNT,OTH,,,,\n{GOOD}",
        f"IMG,QSN,TXT,OBJ,COL,CNT,OTH,,\n{GOOD.strip()},,\n",
    ],
)
def test_what_spreadsheets_leave_is_fine(text: str, tmp_path: Path) -> None:
    (row,) = read_vizwiz_skills(write(tmp_path / "s.csv", text))
    assert row.votes == {"text": 1, "object": 5, "colour": 3, "counting": 0, "other": 2}


@needs_shared
@pytest.mark.parametrize(("split", "n"), [("train", 14_239), ("val", 2_245), ("test", 5_712)])
def test_the_real_files_are_read_as_they_are_written(split: str, n: int) -> None:
    path = SHARED / "vizwiz" / "skills" / f"vizwiz_skill_typ_{split}.csv"
    with path.open(encoding="utf-8-sig", newline="") as file:
        raw = list(csv.DictReader(file))
    rows = list(read_vizwiz_skills(path))
    assert len(rows) == len(raw) == n
    for row, values in zip(rows, raw, strict=True):
        votes = [int(values[name]) for name in ("TXT", "OBJ", "COL", "CNT", "OTH") if name in values]
        assert (row.image, row.question) == (values["IMG"], values["QSN"])
        assert list((row.votes or {}).values()) == votes


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("b.jpg,What?,1,5,,0,0\n", "line 3: COL is ''; a whole number of votes is needed here"),
        ("b.jpg,What?,1,5,x,0,0\n", "line 3: COL is 'x'; a whole number of votes is needed here"),
        ("b.jpg,What?,1,6,0,0,0\n", "line 3: OBJ is "),
        ("b.jpg,What?,1,-1,0,0,0\n", "line 3: OBJ is '-1'; a whole number of votes is needed here"),
        ("b.jpg,What?,1,2.0,0,0,0\n", "line 3: OBJ is '2.0'; a whole number of votes is needed here"),
        ("b.jpg,What?,1,٣,0,0,0\n", "line 3: OBJ is '٣'; a whole number of votes is needed here"),
        (",What?,1,5,0,0,0\n", "line 3: IMG is ''; a text is needed here"),
        ("b.jpg, ,1,5,0,0,0\n", "line 3: QSN is ' '; a text is needed here"),
        ("b.jpg,What?,1,5\n", "line 3: the row has 4 values, the header names 7 columns"),
        ("b.jpg,Red, or green?,0,0,5,0,0\n", "line 3: the row has 8 values, the header names 7 columns"),
        (GOOD, "line 3, a.jpg: it is here a second time, first line 2"),
    ],
)
def test_broken_rows_stop_or_are_counted(line: str, said: str, tmp_path: Path) -> None:
    path = write(tmp_path / "s.csv", HEADER + GOOD + line + GOOD.replace("a.jpg", "c.jpg"))
    with pytest.raises(InputError, match=re.escape(f"{path}, {said}")):
        list(read_vizwiz_skills(path))
    errors: list[InputError] = []
    assert [row.image for row in read_vizwiz_skills(path, errors.append)] == ["a.jpg", "c.jpg"]
    assert len(errors) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("IMG,TXT\na.jpg,1\n", "line 1: the column QSN is missing"),
        ("IMG,QSN,TXT,OBJ\na.jpg,What?,1,5\n", "line 2: it lacks COL, CNT, OTH, but has TXT, OBJ"),
        ("", "the file is empty"),
    ],
)
def test_files_of_another_form(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        list(read_vizwiz_skills(write(tmp_path / "s.csv", text)))
