from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from foveate.errors import InputError
from foveate.formats.vqa_v2 import VqaAnnotation, VqaQuestion, read_pairs


def question(number: int, image: int = 1) -> dict[str, Any]:
    return {"question_id": number, "image_id": image, "question": f"What is {number}?"}


def annotation(number: int, **changes: Any) -> dict[str, Any]:
    return {"question_id": number, "answers": [{"answer": "net", "answer_confidence": "yes"}] * 10, **changes}


def pairs(root: Path, questions: Any, annotations: Any) -> tuple[list[int], list[str]]:
    """Returns the ids that are kept, each with its own annotation, and the faults, files by their first letter."""
    (root / "q").write_text(json.dumps({"questions": questions}))
    (root / "a").write_text(json.dumps({"annotations": annotations}))
    errors: list[InputError] = []
    kept: list[tuple[VqaQuestion, VqaAnnotation | None]] = list(read_pairs(root / "q", root / "a", errors.append))
    assert all(found and found.question_id == asked.question_id for asked, found in kept)
    return [asked.question_id for asked, _ in kept], [e.fault.replace(f"{root}/", "") for e in errors]


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 2, 1), (2, 3, 1)])
def test_the_order_of_annotations_does_not_matter(tmp_path: Path, order: tuple[int, ...]) -> None:
    assert pairs(tmp_path, [question(n) for n in (1, 2, 3)], [annotation(n) for n in order]) == ([1, 2, 3], [])


def test_what_has_no_other_half_is_counted(tmp_path: Path) -> None:
    kept, faults = pairs(tmp_path, [question(1), question(2)], [annotation(2), annotation(3), annotation(4)])
    assert kept == [2]
    assert faults == [
        "q, question 1, 1: a has no annotation of this question.",
        "a, question_id 3: q has no such question.",
        "a, question_id 4: q has no such question.",
    ]


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        (
            annotation(2, answers=[{"answer": "net"}] * 9),
            "a, annotation 2: answers is [{'answer': 'net'}, {'answer': 'ne",
        ),
        (annotation(2, answers="net"), "a, annotation 2: answers is 'net'; input should be a valid tuple."),
        (
            annotation(2, answers=[{"answer": 1}] * 10),
            "a, annotation 2: answers.0.answer is 1; input should be a valid ",
        ),
        (annotation(2, answers=[{}] * 10), "a, annotation 2: answers.0.answer is missing."),
        (
            annotation(2, answers=[{"answer": "net", "answer_confidence": "sure"}] * 10),
            "a, annotation 2: answers.0.answer_confidence is 'sure'; input should be 'yes', 'maybe' or 'no'.",
        ),
        (annotation(2, image_id=8), "q, question 2, 2: its image_id is 1, in a it is 8."),
        (annotation(2, image_id="1"), "a, annotation 2: image_id is '1'; input should be a valid integer."),
    ],
)
def test_a_broken_annotation_is_one_sentence_and_takes_its_question_along(
    tmp_path: Path, broken: Any, fault: str
) -> None:
    kept, faults = pairs(tmp_path, [question(n) for n in (1, 2, 3)], [annotation(1), broken, annotation(3)])
    assert kept == [1, 3]
    assert len(faults) == 1
    assert faults[0].startswith(fault)


def test_a_broken_question_is_one_sentence_and_takes_its_annotation_along(tmp_path: Path) -> None:
    broken = question(2) | {"question": ""}
    kept, faults = pairs(tmp_path, [question(1), broken, question(3)], [annotation(n) for n in (1, 2, 3)])
    assert kept == [1, 3]
    assert faults == ["q, question 2: question is ''; a text is needed here."]


def test_what_is_there_twice_is_kept_once(tmp_path: Path) -> None:
    kept, faults = pairs(tmp_path, [question(1), question(1)], [annotation(1), annotation(1)])
    assert kept == [1]
    assert sorted(faults) == [
        "a, annotation 2: the question_id 1 is here a second time.",
        "q, question 2: the question_id 1 is here a second time.",
    ]


def test_while_the_files_are_in_one_order_nothing_waits(tmp_path: Path) -> None:
    (tmp_path / "q").write_text(json.dumps({"questions": [question(1), question(2)]}))
    (tmp_path / "a").write_text(json.dumps({"annotations": [annotation(n) for n in range(1, 1000)] + [7]}))
    read = read_pairs(tmp_path / "q", tmp_path / "a")
    assert next(read)[0].question_id == 1
    assert next(read)[0].question_id == 2
    with pytest.raises(InputError, match="annotation 1000: this is a JSON int"):
        next(read)  # Only the end of the questions leads so far.


def test_not_ten_answers_says_how_many(tmp_path: Path) -> None:
    _, faults = pairs(tmp_path, [question(1)], [annotation(1, answers=[{"answer": "net"}] * 3)])
    assert faults[0].endswith("there are 3 answers, of 10 people.")
