from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from foveate.core.regions import Box
from foveate.datasets._open import Dataset, open_dataset
from foveate.errors import InputError
from tests.helpers import SHARED, needs_shared


def asked(number: int, image: int = 1, **changes: Any) -> dict[str, Any]:
    return {"qa_id": number, "image_id": image, "question": "What?", "answer": "A cat.", "a_objects": [], **changes}


def box(x: float, y: float, w: float, h: float) -> dict[str, Any]:
    return {"object_id": 5, "x": x, "y": y, "w": w, "h": h, "names": ["cat"], "synsets": ["cat.n.01"]}


def saved(root: Path, qas: list[Any], sizes: list[Any] | None = None, image: int = 1) -> Dataset:
    (root / "question_answers.json").write_text(json.dumps([{"id": image, "qas": qas}]))
    if sizes is not None:
        (root / "image_data.json").write_text(json.dumps(sizes))
    return open_dataset("visual_genome_qa", root)


SIZE = {"image_id": 1, "width": 64, "height": 48}


@needs_shared
def test_the_real_records(tmp_path: Path) -> None:
    (tmp_path / "question_answers.json").symlink_to(SHARED / "vqa_samples" / "vgqa" / "question_answers.json")
    (tmp_path / "VG_100K").symlink_to(SHARED / "vqa_samples" / "images" / "vgqa")
    data = open_dataset("visual_genome_qa", tmp_path)
    queries, truths = list(data.queries()), list(data.truths())
    assert len(queries) == 8
    assert (queries[0].id, queries[0].question, queries[0].image_name) == (
        "987278",
        "What is on the curtains?",
        "4.jpg",
    )
    assert (queries[-1].id, queries[-1].image_name) == ("987453", "5.jpg")
    assert all(q.image and q.image.size_hw == q.size_hw for q in queries)
    assert [t.id for t in truths] == [q.id for q in queries]
    assert [t.answers for t in truths][:2] == [("Sailboats.",), ("In a room.",)]
    assert all(t.targets == () and not t.polled for t in truths)


def test_boxes_of_answers_where_there_are_any(tmp_path: Path) -> None:
    qas = [asked(1, a_objects=[box(60, 2, 9, 4)]), asked(2, a_objects=[box(1, 2, 3, 4), box(5, 6, 7, 8)]), asked(3)]
    data = saved(tmp_path, qas, [SIZE])
    one, two, none = data.truths()
    assert [t.shape for t in one.targets] == [Box((60, 2, 64, 6))]
    assert (two.match, [t.shape for t in two.targets]) == ("union", [Box((1, 2, 4, 6)), Box((5, 6, 12, 14))])
    assert (none.targets, none.size_hw) == ((), (48, 64))
    assert data.remarks == ["boxes that reach over their photo, by at most 5 pixels, and were cut off there: 1, 1"]
    assert [q.size_hw for q in data.queries()] == [(48, 64)] * 3


def test_without_sizes_boxes_stay_as_they_are(tmp_path: Path) -> None:
    (truth,) = saved(tmp_path, [asked(1, a_objects=[box(60, 2, 9, 4)])]).truths()
    assert (truth.targets[0].shape, truth.size_hw) == (Box((60, 2, 69, 6)), None)


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        (asked(2, question=""), "photo 1, question 1: question is ''; a text is needed here."),
        (asked(2, answer=None), "photo 1, question 1: answer is None; input should be a valid string."),
        (asked(2, image=3), "photo 1, question 1: its image_id is 3, it stands below the photo 1."),
        (asked(2, a_objects=[{"x": 1}]), "photo 1, question 1: a_objects.0.y is missing."),
        (asked(2, a_objects=[box("1", 1, 1, 1)]), "photo 1, question 1: a_objects.0.x is '1'; input should be a valid"),  # type: ignore[arg-type]
        (7, "photo 1, question 1: this is a JSON int, not an object."),
    ],
)
def test_a_broken_question_stops_or_is_counted(tmp_path: Path, broken: Any, fault: str) -> None:
    data = saved(tmp_path, [broken, asked(9)])
    with pytest.raises(InputError) as caught:
        list(data.truths())
    assert caught.value.fault.startswith(f"{tmp_path / 'question_answers.json'}, {fault}")
    data = open_dataset("visual_genome_qa", tmp_path, skip_invalid=True)
    assert [q.id for q in data.queries()] == [t.id for t in data.truths()] == ["9"]
    assert len(data.skipped) == 1


def test_what_is_there_twice_and_photos_that_are_none(tmp_path: Path) -> None:
    saved(tmp_path, [asked(1), asked(1)])
    with pytest.raises(InputError, match="photo 1, question 2: the qa_id 1 is here a second time"):
        list(open_dataset("visual_genome_qa", tmp_path).queries())
    (tmp_path / "question_answers.json").write_text('[{"id": 1}, 5, {"id": 2, "qas": []}]')
    data = open_dataset("visual_genome_qa", tmp_path, skip_invalid=True)
    assert list(data.queries()) == []
    assert [fault.partition(", photo ")[2] for fault in data.skipped] == [
        "1: qas is missing.",
        "2: this is a JSON int, not an object.",
    ]


@pytest.mark.parametrize(
    ("sizes", "fault"),
    [
        ([SIZE | {"width": -1}], "photo 1: width is -1; input should be greater than 0."),
        ([SIZE, SIZE | {"width": 65}], "photo 2: the photo 1 has two sizes."),
        (
            [SIZE | {"width": 99_999, "height": 99_999}],
            "photo 1: an image has at most 4,294,967,295 pixels, not 99999 x",
        ),
    ],
)
def test_broken_sizes(tmp_path: Path, sizes: list[Any], fault: str) -> None:
    with pytest.raises(InputError) as caught:
        list(saved(tmp_path, [asked(1)], sizes).queries())
    assert caught.value.fault.startswith(f"{tmp_path / 'image_data.json'}, {fault}")
