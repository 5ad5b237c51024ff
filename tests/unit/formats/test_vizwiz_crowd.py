from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from foveate.errors import InputError
from foveate.formats.vizwiz_crowd import CrowdResult, read_crowd, read_grouped, to_canvas, to_photo
from tests.helpers import SHARED, needs_shared, write

ANSWERS = {"MULTI_QUESTION_DETECT": "N", "MULTI_FOCUS_DETECT": "N", "NoDraw": "Draw", "NoDrawReason": ""}
RING = [{"x": 0, "y": 0}, {"x": 9, "y": 0}, {"x": 9, "y": 9.5}, {"x": 0, "y": 0}]
CROWD = SHARED / "vizwiz" / "crowdsourcing"


def saved(folder: Path, values: object) -> Path:
    return write(folder / "results.json", json.dumps(values))


def read(folder: Path, points: Any = RING, **more: Any) -> CrowdResult:
    result = {"useranswersTAB1": ANSWERS, "xyTAB1": points, **more}
    (found,) = read_crowd(saved(folder, {"train_12": result}))
    return found


def test_a_result(tmp_path: Path) -> None:
    found = read(tmp_path, UseTime="265.499", Hit_id="3X", comments=None)
    assert (found.dataset, found.number, found.worker, found.hit, found.seconds) == ("train", 12, None, "3X", 265.499)
    assert list(found.tabs[1].points) == [(0, 0), (9, 0), (9, 9.5)]
    assert (found.comments, found.tabs[1].answers.several_questions) == ("", "N")


def test_results_of_several_people(tmp_path: Path) -> None:
    people: list[dict[str, Any]] = [{"Worker_id": name, "useranswersTAB2": {}, "UseTime": ""} for name in ("A", "B")]
    first, second = read_crowd(saved(tmp_path, {"a_b_3": people}))
    assert (first.worker, second.worker, first.dataset, first.seconds) == ("A", "B", "a_b", None)
    assert second.where.endswith("a_b_3, result 2")
    assert list(first.tabs) == [2]


def test_tabs_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    more = {f"useranswersTAB{n}": ANSWERS for n in (10, 2)}
    assert list(read(tmp_path, **more).tabs) == [1, 2, 10]


@pytest.mark.parametrize("odd", [None, {}, {"x": 3}, {"x": None, "y": 1}, {"x": "undefined", "y": 1}, "undefined"])
def test_points_without_numbers_are_counted(tmp_path: Path, odd: object) -> None:
    tab = read(tmp_path, [odd, *RING]).tabs[1]
    assert (len(tab.points), tab.undefined) == (3, 1)


def test_a_point_that_is_not_a_number_is_one_without(tmp_path: Path) -> None:
    text = json.dumps({"a_0": {"useranswersTAB1": ANSWERS, "xyTAB1": [{"x": 1, "y": 2}]}}).replace("2}", "NaN}")
    assert read_crowd(write(tmp_path / "r.json", text))[0].tabs[1].undefined == 1


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"points": [[1, 2]]}, "a point is .* an object of x and y is needed here"),
        ({"points": [{"x": "1", "y": 2}]}, "a point is '1', 2; two numbers are needed here"),
        ({"points": "none"}, "xyTAB1 is 'none'; a list of points is needed here"),
        ({"UseTime": "long"}, "UseTime is 'long'; a number of seconds is needed here"),
        ({"UseTime": -1}, "UseTime is -1"),
        ({"useranswersTAB1": {"NoDraw": "Maybe"}}, "tab 1: NoDraw is 'Maybe'; it is one of 'Draw'"),
        ({"useranswersTAB1": "Draw no"}, "NoDraw is 'Draw no'"),
    ],
)
def test_broken_entries_are_told(tmp_path: Path, more: dict[str, Any], problem: str) -> None:
    with pytest.raises(InputError, match=f"train_12.*{problem}"):
        read(tmp_path, **more)


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ([], "it is not an object of one or several groups"),
        ({}, "it is not an object of one or several groups"),
        ({"train": {}}, "its key is not of the form DATASET_NUMBER"),
        ({"train_1": 3}, "a result is an object"),
    ],
)
def test_other_files_are_told(tmp_path: Path, values: object, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_crowd(saved(tmp_path, values))


def test_broken_entries_are_passed_over_where_the_user_says_so(tmp_path: Path) -> None:
    faults: list[InputError] = []
    values = {"train": {}, "train_1": {"useranswersTAB1": {"NoDraw": 3}, "useranswersTAB2": ANSWERS}}
    (found,) = read_crowd(saved(tmp_path, values), faults.append)
    assert (list(found.tabs), len(faults)) == ([2], 2)


def test_tasks(tmp_path: Path) -> None:
    task = {"image": "a.jpg", "question": "What?", "answers": ["cup"], "answer_type": "other"}
    ((found,),) = read_grouped(write(tmp_path / "t.json", json.dumps([[task]])))
    assert (found.image, found.answers, found.q_type) == ("a.jpg", ("cup",), None)
    with pytest.raises(InputError, match="group 0, task 2: image is missing"):
        read_grouped(write(tmp_path / "t.json", json.dumps([[task, 3]])))
    with pytest.raises(InputError, match="it is not a list of groups of tasks"):
        read_grouped(write(tmp_path / "t.json", json.dumps([task])))


def test_the_canvas_is_stretched_over_the_photo() -> None:
    assert to_photo([(400, 500), (200, 250), (-0.5, 0)], (1000, 2000)).tolist() == [
        [2000, 1000],
        [1000, 500],
        [-2.5, 0],
    ]
    assert to_canvas([(2000, 1000)], (1000, 2000)).tolist() == [[400, 500]]
    assert to_photo([], (1, 1)).shape == (0, 2)


@needs_shared
def test_the_real_files() -> None:
    (found,) = read_crowd(CROWD / "qualification_gt_results.json")
    assert [len(tab.points) for tab in found.tabs.values()] == [4, 4, 26, 30, 30, 26, 0, 0, 0, 22]
    assert found.seconds == 265.499
    counts = {name: read_grouped(CROWD / f"{name}_grouped.json") for name in ("train", "val", "qualification")}
    assert {name: sum(map(len, groups)) for name, groups in counts.items()} == {
        "train": 7_096,
        "val": 1_303,
        "qualification": 10,
    }
