from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from foveate.core.regions import Box
from foveate.datasets import clevr
from foveate.datasets._open import Dataset, open_dataset
from foveate.errors import InputError, UsageError


def question(number: int, **changes: Any) -> dict[str, Any]:
    name = "CLEVR_val_000001.png"
    return {"question_index": number, "image_filename": name, "question": "Is it?", "answer": "yes", **changes}


def opened(root: Path, split: str = "val", **settings: str) -> Dataset:
    return open_dataset(f"clevr:{split}", root, settings=settings)


def saved(root: Path, name: str, value: Any) -> None:
    (root / name).write_text(json.dumps(value))


def test_answers_only_without_the_file_of_boxes(tmp_path: Path) -> None:
    saved(tmp_path, "CLEVR_val_questions.json", {"questions": [question(0), question(1, answer=3)]})
    data = opened(tmp_path)
    truths = list(data.truths())
    assert [(t.id, t.answers, t.targets, t.polled) for t in truths] == [
        ("0", ("yes",), (), False),
        ("1", ("3",), (), False),
    ]
    assert data.remarks == ["val has no boxes of its own: answers only, no targets"]
    assert [(q.id, q.image_name, q.size_hw, q.image) for q in data.queries()] == [
        (str(n), "CLEVR_val_000001.png", (320, 480), None) for n in (0, 1)
    ]


def test_boxes_of_the_answers(tmp_path: Path) -> None:
    rows = [question(n) for n in range(4)]
    saved(tmp_path, "CLEVR_val_questions_new.json", {"questions": rows})
    boxes = {"0": {"3": [10, 20, 30, 40]}, "1": {"0": [470, 0, 20, 5], "1": [0, 0, 2, 2]}, "2": {}}
    saved(tmp_path, "CLEVR_val_question2bboxes.json", boxes)
    data = opened(tmp_path, "answers_val")
    truths = list(data.truths())
    assert [[target.shape for target in truth.targets] for truth in truths] == [
        [Box((10, 20, 40, 60))],
        [Box((470, 0, 480, 5)), Box((0, 0, 2, 2))],
        [],
        [],
    ]
    assert [truth.match for truth in truths] == ["single", "union", "single", "single"]
    assert data.remarks == [
        "questions of which the file of boxes tells nothing: 1, 3",
        "boxes that reach over their photo, by at most 10 pixels, and were cut off there: 1, 0 of 1",
    ]
    # These boxes are not those of CLEVR's own questions, whose numbers are the same.
    saved(tmp_path, "CLEVR_val_questions.json", {"questions": rows})
    data = opened(tmp_path)
    assert [truth.targets for truth in data.truths()] == [()] * 4
    assert data.remarks[0].endswith("; the boxes there belong to answers_val")
    data = opened(tmp_path, "answers_val", targets="leave_out")
    assert [truth.targets for truth in data.truths()] == [()] * 4
    assert data.remarks == []
    with pytest.raises(UsageError, match=r"targets is masks\. Give one of boxes, leave_out"):
        list(opened(tmp_path, targets="masks").truths())


def test_boxes_that_lie_beside_the_questions_of_their_own_set(tmp_path: Path) -> None:
    saved(tmp_path, "CLEVR_val_questions.json", {"questions": [question(0)]})
    saved(tmp_path, "CLEVR_val_question2bboxes.json", {"0": {"0": [1, 2, 3, 4]}})
    (truth,) = opened(tmp_path).truths()
    assert [target.shape for target in truth.targets] == [Box((1, 2, 4, 6))]


def test_the_test_split_has_no_answers(tmp_path: Path) -> None:
    hidden = question(0)
    del hidden["answer"]
    saved(tmp_path, "CLEVR_test_questions.json", {"questions": [hidden]})
    data = opened(tmp_path, "test")
    assert [query.id for query in data.queries()] == ["0"]
    with pytest.raises(InputError, match=r"CLEVR_test_questions\.json: it holds no answers"):
        list(data.truths())


def test_missing_boxes_of_clevr_answers_are_told(tmp_path: Path) -> None:
    saved(tmp_path, "CLEVR_train_questions_new.json", {"questions": [question(0)]})
    with pytest.raises(InputError, match=r"CLEVR_train_question2bboxes\.json: there is no such file"):
        list(opened(tmp_path, "answers_train").truths())


def test_what_is_known_of_a_question(tmp_path: Path) -> None:
    clevr.write_tiny(tmp_path)
    (truth, *_) = opened(tmp_path, "train").truths()
    assert truth.facts == {
        "kind": 77,
        "function": "query_shape",
        "hops": 0,
        "program": "query_shape(unique(filter_color[blue](scene)))",
    }
