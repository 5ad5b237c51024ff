from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from foveate.datasets import vizwiz_vqa
from foveate.datasets._open import open_dataset
from foveate.datasets._options import Options
from foveate.errors import InputError, UsageError
from tests.helpers import SHARED, needs_shared, save_photo


def record(image: str, **others: Any) -> dict[str, Any]:
    answers = [{"answer": "cup", "answer_confidence": "yes"}] * 10
    return {
        "image": image,
        "question": "What is this?",
        "answers": answers,
        "answer_type": "other",
        "answerable": 1,
    } | others


def saved(root: Path, *records: dict[str, Any], split: str = "val") -> Path:
    (root / "Annotations").mkdir(exist_ok=True)
    (root / "Annotations" / f"{split}.json").write_text(json.dumps(records))
    return root


@needs_shared
def test_the_real_part() -> None:
    data = open_dataset("vizwiz_vqa:val", SHARED / "vizwiz")
    samples = list(data.samples())
    assert len(samples) == 3_039
    there = [query for query, _ in samples if query.image]
    assert all(query.image and query.size_hw == query.image.size_hw for query in there)
    assert {query.size_hw is None for query, _ in samples if not query.image} == {True}
    raw = {r["image"]: r for r in json.loads((SHARED / "vizwiz" / "val_vqa_partial.json").read_bytes())}
    for query, truth in samples:
        assert query.question == raw[query.id]["question"]
        assert truth.answerable == bool(raw[query.id]["answerable"])
    assert "image quality issues: 3,039 of 3,039 samples (val.json)" in data.remarks


def test_a_record(tmp_path: Path) -> None:
    save_photo(tmp_path / "val" / "a.jpg", (30, 40))
    saved(tmp_path, record("a.jpg"), record("b.jpg", answer_type="unanswerable", answerable=0))
    data = open_dataset("vizwiz_vqa:val", tmp_path)
    (a, told), (b, hidden) = data.samples()
    assert (a.id, a.image_name, a.question, a.size_hw) == ("a.jpg", "a.jpg", "What is this?", (30, 40))
    assert (b.image, b.size_hw) == (None, None)
    assert (told.answers, told.targets, told.answerable, told.polled) == (("cup",) * 10, (), True, True)
    assert told.facts == {"answer_type": "other", "confidences": ("yes",) * 10}
    assert (hidden.answerable, hidden.facts["answer_type"]) == (False, "unanswerable")
    assert data.remarks == []


def test_photos_are_not_looked_up_where_they_are_not_needed(tmp_path: Path) -> None:
    save_photo(tmp_path / "a.jpg")
    (query,) = open_dataset("vizwiz_vqa:val", saved(tmp_path, record("a.jpg"))).queries(with_images=False)
    assert (query.image, query.size_hw) == (None, None)


def test_other_than_ten_answers_are_taken_and_counted(tmp_path: Path) -> None:
    few = [{"answer": "cup", "answer_confidence": "yes"}] * 9
    saved(tmp_path, record("a.jpg"), record("b.jpg", answers=few), record("c.jpg", answers=few * 2))
    data = open_dataset("vizwiz_vqa:val", tmp_path)
    assert [len(truth.answers) for truth in data.truths()] == [10, 9, 18]
    assert data.remarks == ["samples without just 10 answers: 2, b.jpg, c.jpg"]


def test_the_test_split_has_questions_only(tmp_path: Path) -> None:
    saved(tmp_path, {"image": "a.jpg", "question": "What is this?"}, split="test")
    data = open_dataset("vizwiz_vqa:test", tmp_path)
    assert [query.id for query in data.queries()] == ["a.jpg"]
    with pytest.raises(InputError, match="it holds no answers. Take a split whose answers are public: train or val"):
        list(data.truths())


def test_queries_and_truths_pass_over_the_same_broken_records(tmp_path: Path) -> None:
    saved(tmp_path, record("a.jpg"), record("b.jpg", answer_type="colour"), record("a.jpg"), record("c.jpg"))
    data = open_dataset("vizwiz_vqa:val", tmp_path, skip_invalid=True)
    assert [query.id for query in data.queries()] == [truth.id for truth in data.truths()] == ["a.jpg", "c.jpg"]
    assert len(data.skipped) == 2


def test_the_other_sets_are_joined_and_the_absent_ones_found(tmp_path: Path) -> None:
    saved(tmp_path, record("a.jpg"))
    (tmp_path / "vizwiz_skill_typ_val.csv").write_text(
        "IMG,QSN,TXT,OBJ,COL,CNT,OTH\na.jpg,What is this?,0,5,0,0,0\n", encoding="utf-8"
    )
    data = open_dataset("vizwiz_vqa:val", tmp_path)
    (truth,) = data.truths()
    assert truth.facts["skills"] == ("object",)
    assert data.remarks == [
        "VizWiz-VQA-Skills: 1 of 1 samples (vizwiz_skill_typ_val.csv)",
        "not below the folder, so nothing is known by: image quality issues",
    ]
    (finding,) = vizwiz_vqa.findings(tmp_path, "val", Options())
    assert finding.what == "the file of image quality issues is not below the root: quality and flaws are not known"


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        list(open_dataset("vizwiz_vqa:train", tmp_path).queries())
    assert str(caught.value) == (
        f"{tmp_path}: no train.json of VizWiz-VQA is below it. Give with --root the folder that holds train.json."
    )
    with pytest.raises(InputError, match="there is no such folder"):
        list(open_dataset("vizwiz_vqa:train", tmp_path / "nowhere").queries())
    with pytest.raises(UsageError, match="the folder of its files is not given"):
        open_dataset("vizwiz_vqa:val")


def test_the_tiny_copy_is_of_every_quality(tmp_path: Path) -> None:
    vizwiz_vqa.write_tiny(tmp_path)
    truths = list(open_dataset("vizwiz_vqa:train", tmp_path).truths())
    assert [truth.facts["quality"] for truth in truths] == ["none", "medium", "severe"]
    assert {fact for truth in truths for fact in truth.facts} == set(vizwiz_vqa.CARD.facts)
