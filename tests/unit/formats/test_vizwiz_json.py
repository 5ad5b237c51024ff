from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from foveate.core.regions import Polygon
from foveate.core.rle import area
from foveate.errors import InputError
from foveate.formats.vizwiz_json import read_vizwiz

GOOD: dict[str, Any] = {
    "width": 10,
    "height": 10,
    "question": "What is this?",
    "answers": ["cup"] * 10,
    "most_common_answer": "cup",
    "answer_grounding": [{"x": 0, "y": 0}, {"x": 9, "y": 0}, {"x": 9, "y": 9}, {"x": 0, "y": 9}, {"x": 0, "y": 0}],
}


def corners(*points: tuple[object, object]) -> dict[str, Any]:
    return {"answer_grounding": [{"x": x, "y": y} for x, y in points]}


def saved(folder: Path, values: object) -> Path:
    path = folder / "val_grounding.json"
    path.write_text(json.dumps(values), encoding="utf-8")
    return path


def polygon(folder: Path, *points: tuple[object, object]) -> Polygon:
    ((_, _, found),) = read_vizwiz(saved(folder, {"a.jpg": GOOD | corners(*points)}))
    assert found
    return found


def test_the_repeated_closing_point_is_no_corner(tmp_path: Path) -> None:
    ((name, record, found),) = read_vizwiz(saved(tmp_path, {"a.JPG": GOOD}))
    assert (name, record.size_hw, record.most_common_answer) == ("a.JPG", (10, 10), "cup")
    assert found == Polygon((((0, 0), (9, 0), (9, 9), (0, 9)),))


def test_a_line_that_crosses_itself_is_painted_by_the_even_odd_rule(tmp_path: Path) -> None:
    bow_tie = polygon(tmp_path, (0, 0), (10, 10), (10, 0), (0, 10))
    assert area(bow_tie.rle((10, 10))) == 50  # Two triangles of 5 x 10 / 2.


@pytest.mark.parametrize(
    ("outside", "moved"), [((-5.5, 0), (0, 0)), ((0, 10.4), (0, 10)), ((20, -10), (10, 0)), ((15, 4), (10, 4))]
)
def test_corners_up_to_ten_pixels_outside_are_moved_onto_the_photo(
    outside: tuple[float, float], moved: tuple[float, float], tmp_path: Path
) -> None:
    assert polygon(tmp_path, outside, (5, 5), (2, 9)) == Polygon(((moved, (5, 5), (2, 9)),))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (corners((1, 1)), "the polygon has 1 points, it needs 3"),
        (corners((1, 1), (5, 5)), "the polygon has 2 points, it needs 3"),
        (corners((1, 1), (5, 5), (1, 1)), "the polygon has 2 points, it needs 3"),
        (corners((1, 1), (5, 5), (9, 9)), "the polygon has no area"),
        (corners((1, 1), (1, 1), (1, 1), (1, 1)), "the polygon has"),
        (corners((0, 0), (20.5, 0), (5, 5)), "a corner 10.5 pixels outside the photo of 10 x 10"),
        (corners((0, 0), ("nine", 0), (5, 5)), "answer_grounding.1.x is 'nine'; "),
        (corners((0, 0), (None, 0), (5, 5)), "answer_grounding.1.x is None; "),
        (corners((0, 0), (float("nan"), 0), (5, 5)), "b.jpg: "),
        ({"answer_grounding": {"x": 1, "y": 2}}, "answer_grounding is {'x': 1, 'y': 2}; input should be a valid tuple"),
        ({"answer_grounding": [[0, 0], [9, 0], [9, 9]]}, "answer_grounding.0 is [0, 0]; "),
        ({"answers": "cup"}, "answers is 'cup'; "),
        ({"answers": [1, 2]}, "answers.0 is 1; input should be a valid string"),
        (corners((0, 0), ("9", 0), (5, 5)), "answer_grounding.1.x is '9'; input should be a valid number"),
        ({"width": "wide"}, "width is 'wide'; "),
        ({"width": "10"}, "width is '10'; input should be a valid integer"),
        ({"height": -3}, "height is -3; input should be greater than 0"),
        ({"question": None}, "question is None; input should be a valid string"),
    ],
)
def test_broken_records_stop_or_are_counted(change: dict[str, Any], said: str, tmp_path: Path) -> None:
    path = saved(tmp_path, {"a.jpg": GOOD, "b.jpg": GOOD | change, "c.jpg": GOOD})
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        list(read_vizwiz(path))
    assert caught.value.where == f"{path}, b.jpg"
    assert caught.value.remedy == "Fix the record, or pass --skip-invalid."
    errors: list[InputError] = []
    assert [name for name, _, _ in read_vizwiz(path, errors.append)] == ["a.jpg", "c.jpg"]
    assert len(errors) == 1


def test_targets_are_public_together_or_hidden_together(tmp_path: Path) -> None:
    bare = {name: value for name, value in GOOD.items() if name != "answer_grounding"}
    assert len(list(read_vizwiz(saved(tmp_path, {"a.jpg": bare, "b.jpg": bare})))) == 2
    path = saved(tmp_path, {"a.jpg": bare, "b.jpg": GOOD})
    with pytest.raises(InputError, match=r"a\.jpg: answer_grounding is missing, which other records have"):
        list(read_vizwiz(path))


@pytest.mark.parametrize("key", ["width", "height", "question"])
def test_missing_keys(key: str, tmp_path: Path) -> None:
    path = saved(tmp_path, {"a.jpg": {name: value for name, value in GOOD.items() if name != key}})
    with pytest.raises(InputError, match=re.escape(f"{path}, a.jpg: {key} is missing. Fix the record")):
        list(read_vizwiz(path))


def test_crlf_and_a_byte_order_mark_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "val_grounding.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps({"a.jpg": GOOD}, indent=1).replace("\n", "\r\n").encode())
    assert [name for name, _, _ in read_vizwiz(path)] == ["a.jpg"]


@pytest.mark.parametrize("values", [[], [GOOD], {"a.jpg": [GOOD]}, None])
def test_files_of_another_form(values: object, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it is not an object of one record a photo. Take the official file"):
        list(read_vizwiz(saved(tmp_path, values)))
