"""Floors under the figures of design/understanding-questions.md, which `python benchmarks/understanding.py` prints."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from foveate.perception.meaning import look_for, stored_phrases
from foveate.perception.questions import understand
from tests.helpers import REPOSITORY, needs_shared

pytestmark = pytest.mark.reference


@pytest.fixture(scope="module")
def benchmark() -> dict[str, Any]:
    return runpy.run_path(str(REPOSITORY / "benchmarks" / "understanding.py"))


def precision_and_recall(figures: tuple[NDArray[np.bool_], NDArray[np.bool_]]) -> tuple[float, float]:
    said, true = figures
    both = float((said & true).sum())
    return both / float(said.sum()), both / float(true.sum())


def test_meaning_beats_words_on_questions_that_it_has_not_seen(benchmark: dict[str, Any]) -> None:
    asked, scores = benchmark["cross_validated"]()
    known = np.array([bool(each.kind) for each in asked])
    right = np.array([benchmark["place"](each.thing) for each in asked])
    first = {name: (rows[:, :80].argmax(1) == right)[known].mean() for name, rows in scores.items()}
    assert first["meaning"] >= 0.75
    assert first["meaning"] > first["words"] + 0.1
    assert first["meaning"] > first["first rule"] + 0.1
    found = benchmark["found_or_not"](scores)
    assert benchmark["area"](found["sum of the 80 p, all things"], known) >= 0.93
    assert benchmark["ece"](benchmark["shares"](scores["meaning"]), right) <= 0.06


@needs_shared
@pytest.mark.parametrize(
    ("skill", "precision", "recall"), [("text", 0.76, 0.62), ("colour", 0.97, 0.65), ("count", 0.6, 0.1)]
)
def test_skills_agree_with_the_votes(benchmark: dict[str, Any], skill: str, precision: float, recall: float) -> None:
    found = precision_and_recall(benchmark["skills"]("val")[skill])
    assert found[0] >= precision
    assert found[1] >= recall


@needs_shared
def test_types_agree_with_the_data_set_and_with_our_reading(benchmark: dict[str, Any]) -> None:
    precision, recall = precision_and_recall(benchmark["answer_types"]()["yes_no"])
    assert precision >= 0.75
    assert recall >= 0.65
    by_hand = {name: precision_and_recall(found) for name, found in benchmark["by_hand"]().items() if found[0].any()}
    for name in ("text", "colour", "yes_no", "what_is_this", "scene"):
        assert by_hand[name][0] >= 0.9
        assert by_hand[name][1] >= 0.75
    assert min(by_hand["several in one"]) >= 0.8


@needs_shared
def test_the_right_kind_is_first_for_the_questions_about_cocos_photos(benchmark: dict[str, Any]) -> None:
    asked = benchmark["coco_questions"]()
    assert len(asked) == 110
    right = np.array([benchmark["place"](kind) for _, kind in asked])
    words = benchmark["words_alone"](question for question, _ in asked)
    assert (words[:, :80].argmax(1) == right).mean() >= 0.88


def test_the_stored_vectors_are_those_of_the_sentence_encoder() -> None:
    encoder = pytest.importorskip("foveate.perception.embed_text")
    stored = stored_phrases()
    rows = np.arange(0, len(stored.texts), 97)
    fresh = encoder.embed_text([stored.texts[row] for row in rows])
    # A whole number of -127 to 127 for each of 384 places is right to a thousandth or two.
    assert np.abs(stored.vectors[rows] - fresh).max() < 0.003


@needs_shared
def test_meaning_finds_the_kinds_of_the_questions_about_cocos_photos(benchmark: dict[str, Any]) -> None:
    encoder = pytest.importorskip("foveate.perception.embed_text")
    asked = benchmark["coco_questions"]()
    first = [next(iter(look_for(understand(question)[0], encoder.embed_text))) for question, _ in asked]
    assert np.mean([found == kind for found, (_, kind) in zip(first, asked, strict=True)]) >= 0.8


def test_without_the_samples_the_benchmark_says_where_they_belong(
    benchmark: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main = benchmark["main"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(main.__globals__, "DATA", tmp_path / "data")
        assert main() == 1
    assert str(tmp_path / "data") in capsys.readouterr().out
