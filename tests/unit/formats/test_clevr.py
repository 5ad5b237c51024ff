from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from foveate.errors import InputError
from foveate.formats.clevr import ClevrQuestion, read_boxes, read_evidence, read_questions, read_scenes

# As CLEVR 1.0 writes it, and as its generator does.
OFFICIAL = {
    "image_index": 0,
    "program": [
        {"inputs": [], "function": "scene", "value_inputs": []},
        {"inputs": [0], "function": "filter_size", "value_inputs": ["large"]},
        {"inputs": [1], "function": "unique", "value_inputs": []},
        {"inputs": [2], "function": "same_shape", "value_inputs": []},
        {"inputs": [3], "function": "exist", "value_inputs": []},
    ],
    "question_index": 7,
    "image_filename": "CLEVR_train_000000.png",
    "question_family_index": 52,
    "split": "train",
    "answer": "yes",
    "question": "Is there anything else that has the same shape as the large thing?",
}


def saved(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value))
    return path


def questions(tmp_path: Path, *rows: Any) -> list[ClevrQuestion]:
    return list(read_questions(saved(tmp_path / "q.json", {"info": {"split": "train"}, "questions": rows})))


def test_the_official_form(tmp_path: Path) -> None:
    (found,) = questions(tmp_path, OFFICIAL)
    assert (found.number, found.image, found.answer, found.kind) == (7, "CLEVR_train_000000.png", "yes", 52)
    assert found.text == "exist(same_shape(unique(filter_size[large](scene))))"
    assert found.hops == 1


def test_the_generators_form(tmp_path: Path) -> None:
    steps = [{"inputs": step["inputs"], "type": step["function"]} for step in OFFICIAL["program"]]  # type: ignore[attr-defined]
    steps[1]["side_inputs"] = ["large"]
    (found,) = questions(tmp_path, {**OFFICIAL, "program": steps})
    assert found.program == questions(tmp_path, OFFICIAL)[0].program


@pytest.mark.parametrize(("written", "word"), [(True, "yes"), (False, "no"), (3, "3"), ("cyan", "cyan"), (None, None)])
def test_answers_become_words(tmp_path: Path, written: Any, word: str | None) -> None:
    (found,) = questions(tmp_path, {**OFFICIAL, "answer": written})
    assert found.answer == word


def test_the_tests_questions_have_no_answer(tmp_path: Path) -> None:
    hidden = {name: OFFICIAL[name] for name in ("image_filename", "question_index", "question", "split")}
    (found,) = questions(tmp_path, hidden)
    assert (found.answer, found.program, found.text, found.hops) == (None, (), "", 0)


def test_a_program_of_two_branches(tmp_path: Path) -> None:
    steps = [
        {"inputs": [], "function": "scene", "value_inputs": []},
        {"inputs": [0], "function": "count", "value_inputs": []},
        {"inputs": [], "function": "scene", "value_inputs": []},
        {"inputs": [2], "function": "count", "value_inputs": []},
        {"inputs": [1, 3], "function": "equal_integer", "value_inputs": []},
    ]
    assert questions(tmp_path, {**OFFICIAL, "program": steps})[0].text == "equal_integer(count(scene), count(scene))"


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"question": " "}, "question 1: question is ' '; a text is needed here."),
        ({"question_index": "7"}, "question 1: question_index is '7'; input should be a valid integer."),
        ({"image_filename": 3}, "question 1: image_filename is 3; input should be a valid string."),
        ({"program": [{"inputs": []}]}, "question 1: program.0.function is missing."),
    ],
)
def test_a_broken_question_is_told(tmp_path: Path, change: dict[str, Any], fault: str) -> None:
    with pytest.raises(InputError) as caught:
        questions(tmp_path, {**OFFICIAL, **change})
    assert caught.value.fault == f"{tmp_path / 'q.json'}, {fault}"
    path = tmp_path / "q.json"
    told: list[InputError] = []
    kept = list(read_questions(saved(path, {"questions": [{**OFFICIAL, **change}, OFFICIAL, OFFICIAL]}), told.append))
    assert [one.number for one in kept] == [7]
    assert [error.fault.partition(": ")[2] for error in told][1:] == ["question_index 7 is here a second time."]


THING = {"shape": "cube", "size": "small", "color": "red", "material": "metal", "3d_coords": [0, 1, 2], "rotation": 3.5}


def test_scenes(tmp_path: Path) -> None:
    mask = {"size": [2, 2], "counts": [1, 2, 1]}
    more = {**THING, "bbox": [0, 0, 2, 2], "mask": mask}
    rows: list[Any] = [
        {"image_filename": "a.png", "objects": [THING]},
        {"image_filename": "b.png", "objects": [more, THING]},
    ]
    found = read_scenes(saved(tmp_path / "s.json", {"info": {}, "scenes": rows}))
    assert list(found) == ["a.png", "b.png"]
    assert [[thing.bbox for thing in scene.objects] for scene in found.values()] == [[None], [(0, 0, 2, 2), None]]
    assert [thing.mask is None for scene in found.values() for thing in scene.objects] == [True, False, True]
    told: list[InputError] = []
    rows += [rows[0], {"image_filename": "c.png", "objects": [{**THING, "bbox": [1, 2, 3]}]}]
    assert list(read_scenes(saved(tmp_path / "s.json", {"scenes": rows}), told.append)) == ["a.png", "b.png"]
    assert [error.fault.partition("s.json, ")[2] for error in told] == [
        "scene 3: the scene of a.png is here a second time.",
        "scene 4: objects.0.bbox is [1, 2, 3]; a list of four numbers is needed here.",
    ]


def test_boxes_and_evidence(tmp_path: Path) -> None:
    path = saved(tmp_path / "b.json", {"7": {"0": [1, 2, 3, 4]}, "8": {}})
    assert read_boxes(path) == {"7": {"0": (1, 2, 3, 4)}, "8": {}}
    path = saved(tmp_path / "b.json", {"7": {"0": [1, 2, 3]}, "8": {"2": [1, 2, 3, 4]}})
    with pytest.raises(InputError, match=r"b\.json, 7: 0 is no box; a list of four numbers is needed here"):
        read_boxes(path)
    assert list(read_boxes(path, lambda _: None)) == ["8"]
    path = saved(tmp_path / "e.json", {"7": {"family": "count", "objects": [0, 2]}, "8": {"objects": []}})
    with pytest.raises(InputError, match=r"e\.json, 8: family is missing"):
        read_evidence(path)
    assert read_evidence(path, lambda _: None)["7"].objects == (0, 2)
