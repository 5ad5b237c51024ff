from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from foveate.annotation.submissions import (
    Submission,
    is_submissions,
    of_people,
    one_project,
    read_submissions,
    write_submissions,
)
from foveate.annotation.work import GroundingWork
from foveate.errors import InputError, OutputError
from tests.helpers import write
from tests.submissions import boxed, drawn, sent

HEADER = '{"foveate_submissions": 1}\n'
DRAWN = drawn().model_dump(mode="json")
BOX = boxed(1, 1, 5, 5).model_dump(mode="json")


def line(**more: Any) -> str:
    return json.dumps(sent(drawn()).model_dump(mode="json") | more) + "\n"


def test_there_and_back(tmp_path: Path) -> None:
    given = [sent(drawn(), "a"), sent(GroundingWork(several_questions=True, seconds=1.5), "b", minute=None)]
    assert write_submissions(given, tmp_path / "s.jsonl") == 2
    assert read_submissions(tmp_path / "s.jsonl") == given
    with pytest.raises(OutputError, match="there is a file already"):
        write_submissions(given, tmp_path / "s.jsonl")


def test_time_is_utc_to_the_microsecond(tmp_path: Path) -> None:
    here = datetime(2026, 7, 1, 12, 0, 0, 123456, tzinfo=timezone(timedelta(hours=2)))
    (found,) = read_submissions(write(tmp_path / "s.jsonl", HEADER + line(sent=here.isoformat())))
    assert found.sent == datetime(2026, 7, 1, 10, 0, 0, 123456, tzinfo=UTC)
    assert found.sent.tzinfo is UTC
    with pytest.raises(InputError, match=r"line 2: sent is .*timezone"):
        read_submissions(write(tmp_path / "s.jsonl", HEADER + line(sent="2026-07-01T12:00:00")))


def test_stage_and_seconds_are_those_of_the_work() -> None:
    submission = sent(drawn(seconds=2.5))
    assert (submission.stage, submission.seconds) == ("grounding", 2.5)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the file is empty|no foveate_submissions header"),
        ('{"id": "a"}\n', "its first line is no foveate_submissions header"),
        ('{"foveate_submissions": true}\n', "its first line is no foveate_submissions header"),
        ('{"foveate_submissions": 2}\n', "it is of version 2, this version of Foveate reads 1"),
        (HEADER + line(size_hw=[0, 4]), "line 2: an image is at least 1 x 1 pixels, not 4 x 0"),
        (HEADER + line(kind="x"), "line 2: kind is 'x'"),
        (HEADER + line(sent="0001-01-01T00:00:00+14:00"), "line 2: sent is .*before the first or after the last year"),
        (HEADER + line(image_name="a\0.jpg"), "line 2: image_name is .*a character of value 0"),
        (HEADER + line(task="a\0"), "line 2: task is .*a character of value 0"),
        (HEADER + line(work=DRAWN | {"polygon": []}), "line 2: a polygon is a list of points"),
        (HEADER + line(work=DRAWN | {"polygon": [[1, 1], [2, 2]]}), "line 2: the polygon has 2 points, it needs 3"),
        (HEADER + line(work=DRAWN | {"polygon": [[1, 1], [2, 2], [3, 3]]}), "line 2: the polygon has no area"),
        (HEADER + line(work=BOX | {"box": [5, 5, 1, 1]}), "line 2: the box 5, 5, 1, 1 is inverted"),
        (HEADER + line(work=BOX | {"box": [1, 1, 1, 1]}), "line 2: the box 1, 1, 1, 1 has no area"),
        (HEADER + line(more=1), "line 2: more is 1"),
        (HEADER + line() + line(annotator=" "), "line 3: annotator is ' '; a text is needed here"),
        (HEADER + line() + line(), r"line 3: ann has a second submission for a.jpg, first .*s.jsonl, line 2"),
    ],
)
def test_broken_files_are_told_with_their_line(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_submissions(write(tmp_path / "s.jsonl", text))


def test_broken_lines_are_counted_where_the_user_says_so(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", HEADER + line(kind="x") + line() + line())
    faults: list[InputError] = []
    assert read_submissions(path, faults.append) == [sent(drawn())]
    assert len(faults) == 2


def test_half_a_character_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it cannot be written as JSON"):
        write_submissions([sent(drawn()).model_copy(update={"question": "\ud800"})], tmp_path / "s.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_of_one_project() -> None:
    one: Submission = sent(drawn())
    assert one_project([one, one], "s.jsonl") == "p"
    with pytest.raises(InputError, match=r"submissions of 2 projects are in it: p \(2\), q \(1\)"):
        one_project([one, sent(drawn(), project="q"), one], "s.jsonl")
    with pytest.raises(InputError, match="there is no submission in it"):
        one_project([], "s.jsonl")


def test_decisions_are_apart_from_what_the_person_drew(tmp_path: Path) -> None:
    """Whoever decides may have drawn, and may decide again; but drawing twice is refused beside it too."""
    text = HEADER + line() + line(adjudicated=True) + line(adjudicated=True, gold=True)
    found = read_submissions(write(tmp_path / "s.jsonl", text))
    assert [(one.adjudicated, one.gold) for one in found] == [(False, False), (True, False), (True, True)]
    assert of_people(found) == found[:1]
    with pytest.raises(InputError, match="ann has a second submission for a.jpg"):
        read_submissions(write(tmp_path / "s.jsonl", text + line(gold=True)))


@pytest.mark.parametrize("name", ["s.jsonl", "s.JSONL", "s.txt", "s.csv", "s"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_file_is_known_by_its_first_line_whatever_it_is_called(tmp_path: Path, name: str, mark: str) -> None:
    path = write(tmp_path / name, mark + HEADER + line())
    assert is_submissions(path)
    assert [one.task for one in read_submissions(path)] == ["a.jpg"]


@pytest.mark.parametrize("text", [b"", b"[1]\n", b'{"id": "a"}\n', b"id,question\na,b\n", b"\xff"])
def test_another_file_is_none_and_refused_in_a_sentence(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "s.txt"
    path.write_bytes(text)
    assert not is_submissions(path)
    with pytest.raises(InputError):
        read_submissions(path)
    assert not is_submissions(tmp_path / "nowhere")
