from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from foveate.core.regions import Box
from foveate.datasets import gqa
from foveate.datasets._open import Dataset, open_dataset
from foveate.errors import InputError, UsageError
from tests.helpers import SHARED, needs_shared

REAL = SHARED / "vqa_samples" / "gqa"


def question(image: str = "1", **changes: Any) -> dict[str, Any]:
    return {"question": "What is it?", "imageId": image, "answer": "picture", **changes}


def naming(*objects: str, image: str = "1") -> dict[str, Any]:
    return question(image, annotations={"answer": {str(n): name for n, name in enumerate(objects)}})


def thing(x: float, y: float, w: float, h: float) -> dict[str, Any]:
    return {"name": "thing", "x": x, "y": y, "w": w, "h": h}


SCENES = {
    "1": {
        "width": 64,
        "height": 48,
        "objects": {"a": thing(1, 2, 3, 4), "b": thing(60, 40, 9, 10), "c": thing(5, 5, 0, 4)},
    }
}


def saved(root: Path, questions: Any, scenes: Any = SCENES, split: str = "val_balanced") -> Dataset:
    (root / f"{split}_questions.json").write_text(json.dumps(questions))
    if scenes is not None:
        (root / "val_sceneGraphs.json").write_text(json.dumps(scenes))
    return open_dataset(f"gqa:{split}", root)


@needs_shared
def test_the_real_questions(tmp_path: Path) -> None:
    (tmp_path / "val_balanced_questions.json").symlink_to(REAL / "questions.json")
    (tmp_path / "images").symlink_to(SHARED / "vqa_samples" / "images" / "gqa")
    data = open_dataset("gqa:val_balanced", tmp_path, settings={"targets": "leave_out"})
    (query,), (truth,) = list(data.queries()), list(data.truths())
    assert (query.id, query.question) == ("202218649", "What is hanging above the chalkboard?")
    assert query.image
    assert query.image.name == "n578564.jpg"
    assert query.size_hw == query.image.size_hw
    assert (truth.answers, truth.targets, truth.polled, truth.answerable) == (("picture",), (), False, True)
    assert truth.facts == {
        "structural": "query",
        "semantic": "rel",
        "detailed": "relS",
        "group": "thing",
        "full_answer": "The picture is hanging above the chalkboard.",
        "balanced": True,
    }
    with pytest.raises(
        InputError, match=r"val_sceneGraphs\.json: there is no such file, so that no answer has a target"
    ):
        list(open_dataset("gqa:val_balanced", tmp_path).truths())


@needs_shared
def test_the_parts_of_the_whole_training_split(tmp_path: Path) -> None:
    folder = tmp_path / "train_all_questions"
    folder.mkdir()
    for part in range(10):
        real = REAL / "question_dir" / f"questions{part}.json"
        text = real.read_text() if real.is_file() else "{}"
        (folder / f"train_all_questions_{part}.json").write_text(text)
    data = open_dataset("gqa:train_all", tmp_path, settings={"targets": "leave_out"})
    truths = list(data.truths())
    assert [t.id for t in truths] == [q.id for q in data.queries()] == ["202218649", "20240871"]
    assert truths[1].answers == ("yes",)
    assert "group" not in truths[1].facts
    (folder / "train_all_questions_9.json").write_text((REAL / "questions.json").read_text())
    with pytest.raises(InputError, match=r"train_all_questions_9\.json, 202218649: it is here a second time"):
        list(data.queries())
    (folder / "train_all_questions_3.json").unlink()
    with pytest.raises(InputError, match=r"train_all_questions_3\.json: there is no such file"):
        list(data.queries())


def test_the_boxes_of_the_answer(tmp_path: Path) -> None:
    data = saved(tmp_path, {"q": naming("a"), "yes": question(answer="yes"), "two": naming("a", "b", "a")})
    truths = {truth.id: truth for truth in data.truths()}
    assert [target.shape for target in truths["q"].targets] == [Box((1, 2, 4, 6))]
    assert truths["q"].targets[0].answer == "picture"
    assert truths["q"].size_hw == (48, 64)
    assert truths["yes"].targets == ()
    assert (truths["two"].match, [target.shape for target in truths["two"].targets]) == (
        "union",
        [Box((1, 2, 4, 6)), Box((60, 40, 64, 48))],
    )
    assert data.remarks == [
        "boxes that reach over their photo, by at most 5 pixels, and were cut off there: 1, b of two"
    ]
    assert [query.size_hw for query in data.queries()] == [(48, 64)] * 3


def test_exactly_one_region(tmp_path: Path) -> None:
    saved(tmp_path, {"q": naming("a"), "yes": question(answer="yes"), "two": naming("a", "b")})
    data = open_dataset("gqa:val_balanced", tmp_path, only_one_region=True)
    assert [query.id for query in data.queries()] == [truth.id for truth in data.truths()] == ["q"]


def test_what_the_scene_graphs_lack_is_counted(tmp_path: Path) -> None:
    data = saved(tmp_path, {"q": naming("a", "z"), "flat": naming("c"), "other": naming("a", image="2")})
    assert [len(truth.targets) for truth in data.truths()] == [1, 0, 0]
    assert data.remarks == [
        "questions whose photo has no scene graph, so that they have no target: 1, other",
        "objects of answers that the scene graphs do not have, left out: 1, z of q",
        "boxes without an area inside their photo, left out: 1, c of flat",
    ]
    assert [query.size_hw for query in data.queries()] == [(48, 64), (48, 64), None]


def test_testdev_has_answers_only_and_test_has_none(tmp_path: Path) -> None:
    data = saved(tmp_path, {"q": naming("a")}, None, "testdev_balanced")
    (truth,) = data.truths()
    assert (truth.answers, truth.targets) == (("picture",), ())
    assert data.remarks == ["GQA publishes no scene graphs for testdev: answers only, no targets"]
    data = saved(tmp_path, {"q": {"question": "What?", "imageId": "1", "isBalanced": True}}, None, "test_balanced")
    assert [query.id for query in data.queries()] == ["q"]
    with pytest.raises(InputError, match=r"test_balanced_questions\.json: it holds no answers"):
        list(data.truths())


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        (question(question=" "), "q: question is ' '; a text is needed here."),
        ({"question": "What?"}, "q: imageId is missing."),
        (question(image=4), "q: imageId is 4; input should be a valid string."),  # type: ignore[arg-type]
        (
            question(annotations={"answer": ["0"]}),
            "q: annotations.answer is ['0']; input should be a valid dictionary.",
        ),
        (question(types="query"), "q: types is 'query'; input should be a valid dictionary or instance of GqaTypes."),
        ([], "q: this is a JSON list, not an object."),
    ],
)
def test_a_broken_question_stops_or_is_counted(tmp_path: Path, broken: Any, fault: str) -> None:
    data = saved(tmp_path, {"q": broken, "fine": naming("a")})
    with pytest.raises(InputError) as caught:
        list(data.truths())
    assert caught.value.fault == f"{tmp_path / 'val_balanced_questions.json'}, {fault}"
    data = open_dataset("gqa:val_balanced", tmp_path, skip_invalid=True)
    assert [query.id for query in data.queries()] == [truth.id for truth in data.truths()] == ["fine"]
    assert data.skipped == [caught.value.fault]


@pytest.mark.parametrize(
    ("scene", "fault"),
    [
        ({"width": 64, "objects": {}}, "1: height is missing."),
        ({"width": 64, "height": 0}, "1: height is 0; input should be greater than 0."),
        ({"width": 64, "height": 48, "objects": {"a": {"x": 1}}}, "1: objects.a.y is missing."),
        ({"width": 64, "height": 48, "objects": {"a": thing("1", 2, 3, 4)}}, "1: objects.a.x is '1'; input should be "),  # type: ignore[arg-type]
        ({"width": 99_999, "height": 99_999}, "1: an image has at most 4,294,967,295 pixels, not 99999 x 99999."),
    ],
)
def test_a_broken_scene_graph_stops_or_is_counted(tmp_path: Path, scene: Any, fault: str) -> None:
    data = saved(tmp_path, {"q": naming("a")}, {"1": scene})
    with pytest.raises(InputError) as caught:
        list(data.truths())
    assert caught.value.fault.startswith(f"{tmp_path / 'val_sceneGraphs.json'}, {fault}")
    data = open_dataset("gqa:val_balanced", tmp_path, skip_invalid=True)
    assert len(list(data.queries())) == len(list(data.truths())) == 1
    assert len(data.skipped) == 1
    assert "no scene graph" in data.remarks[0]


def test_a_cut_off_file_and_an_unknown_setting(tmp_path: Path) -> None:
    data = saved(tmp_path, {"q": naming("a"), "r": naming("a")})
    path = tmp_path / "val_balanced_questions.json"
    path.write_text(path.read_text()[:-20])
    with pytest.raises(InputError, match=r"questions\.json, after 1 entry: the file is empty or cut off"):
        list(data.truths())
    with pytest.raises(UsageError, match=r"targets is masks\. Give one of boxes, leave_out\."):
        list(open_dataset("gqa:val_balanced", tmp_path, settings={"targets": "masks"}).queries())


def test_opening_reads_one_question_only(tmp_path: Path) -> None:
    gqa.write_tiny(tmp_path)
    path = tmp_path / "testdev_balanced_questions.json"
    first = path.read_text()[:-1] + ", " + ", ".join(f'"{n}": {{}}' for n in range(20_000))
    path.write_text(first)  # Cut off, and broken from the fourth question on: who asks for one never gets there.
    assert next(open_dataset("gqa:testdev_balanced", tmp_path).queries()).id == "200"
