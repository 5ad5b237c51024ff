from __future__ import annotations

import json
from pathlib import Path

import pytest

from foveate.datasets import vqa_v2
from foveate.datasets._open import open_dataset
from foveate.errors import InputError
from tests.helpers import SHARED, needs_shared

REAL = SHARED / "vqa_samples" / "vqav2"


@pytest.fixture
def real(tmp_path: Path) -> Path:
    """The real records under their official names; 262148 and 393225 of the photos belong to another split."""
    (tmp_path / "v2_OpenEnded_mscoco_train2014_questions.json").symlink_to(REAL / "questions.json")
    (tmp_path / "v2_mscoco_train2014_annotations.json").symlink_to(REAL / "annotations.json")
    (tmp_path / "train2014").symlink_to(SHARED / "vqa_samples" / "images" / "vqav2")
    return tmp_path


@needs_shared
def test_the_real_records(real: Path) -> None:
    data = open_dataset("vqa_v2:train2014", real)
    queries, truths = list(data.queries()), list(data.truths())
    assert [(q.id, q.question) for q in queries] == [
        ("458752000", "What is this photo taken looking through?"),
        ("458752001", "What position is this man playing?"),
        ("458752002", "What color is the players shirt?"),
    ]
    assert {q.image_name for q in queries} == {"COCO_train2014_000000458752.jpg"}
    assert all(q.image and q.image.size_hw == q.size_hw for q in queries)
    assert [t.id for t in truths] == [q.id for q in queries]
    assert truths[0].answers == ("net", "net", "net", "netting", "net", "net", "mesh", "net", "pitcher", "orange")
    sure = tuple(
        one["answer_confidence"]
        for one in json.loads((REAL / "annotations.json").read_text())["annotations"][0]["answers"]
    )
    assert truths[0].facts == {"confidence": sure}
    assert all((t.targets, t.polled, t.answerable, t.size_hw) == ((), True, True, None) for t in truths)


def test_the_publishers_kinds_of_question_and_answer_are_facts(tmp_path: Path) -> None:
    vqa_v2.write_tiny(tmp_path)
    truth = next(iter(open_dataset("vqa_v2:val2014", tmp_path).truths()))
    assert truth.facts == {
        "question_type": "what is",
        "answer_type": "other",
        "multiple_choice_answer": "red",
        "confidence": ("yes",) * 10,
    }


def test_without_annotations_there_are_questions_only(tmp_path: Path) -> None:
    vqa_v2.write_tiny(tmp_path)
    (tmp_path / "v2_mscoco_test2015_annotations.json").unlink()
    data = open_dataset("vqa_v2:test2015", tmp_path)
    assert len(list(data.queries())) == 3
    with pytest.raises(InputError, match=r"test2015_annotations\.json: there is no such file, and without it"):
        list(data.truths())


def test_test_dev_has_the_photos_of_the_test(tmp_path: Path) -> None:
    vqa_v2.write_tiny(tmp_path)
    names = [q.image_name for q in open_dataset("vqa_v2:test-dev2015", tmp_path).queries(with_images=False)]
    assert names[1] == "COCO_test2015_000000000001.jpg"


def test_without_photos_nothing_tells_the_size(tmp_path: Path) -> None:
    vqa_v2.write_tiny(tmp_path)
    data = open_dataset("vqa_v2:val2014", tmp_path)
    assert {q.size_hw for q in data.queries(with_images=False)} == {None}
    assert {q.size_hw for q in data.queries()} == {(48, 64)}


def test_a_question_without_annotation_is_counted_and_both_sides_agree(tmp_path: Path) -> None:
    vqa_v2.write_tiny(tmp_path)
    path = tmp_path / "v2_mscoco_val2014_annotations.json"
    whole = json.loads(path.read_text())
    path.write_text(json.dumps(whole | {"annotations": whole["annotations"][1:]}))
    with pytest.raises(InputError, match="question 1, 0: .* has no annotation of this question"):
        list(open_dataset("vqa_v2:val2014", tmp_path).truths())
    data = open_dataset("vqa_v2:val2014", tmp_path, skip_invalid=True)
    assert [q.id for q in data.queries()] == [t.id for t in data.truths()] == ["1000", "2000"]
    assert len(data.skipped) == 1
