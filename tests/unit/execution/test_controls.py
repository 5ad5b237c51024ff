"""Controls change what a method gets and nothing else; a method that uses nothing of it stays the same."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.core.queries import Query
from foveate.core.question_texts import normalised
from foveate.datasets._open import Dataset, open_dataset
from foveate.errors import InputError, UsageError
from foveate.evaluation.score import score
from foveate.execution.controls import (
    CONTROLS,
    Control,
    change_of,
    controls_named,
    ground_controls,
    photo_order,
    question_order,
)
from foveate.runs.store import read_run
from tests.helpers import write

HEADER = "image,id,question,width,height,left,top,right,bottom\n"
# Two questions about the first photo; the last one has no target.
ROWS = (
    "a.png,q1,Where is it?,60,40,10,10,30,30\n"
    "a.png,q2,What colour?,60,40,0,0,60,20\n"
    "b.png,q3,Where is it,80,20,40,5,60,15\n"
    "c.png,q4,Who?,60,40,,,,\n"
)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    photos = {"a": ((60, 40), "red"), "b": ((80, 20), "lime"), "c": ((60, 40), "blue")}
    for name, (size, colour) in photos.items():
        PIL.Image.new("RGB", size, colour).save(tmp_path / f"{name}.png")
    return write(tmp_path / "q.csv", HEADER + ROWS)


def changed(table: Path, name: Control, seed: int = 0) -> tuple[Dataset, list[Query], list[Query]]:
    data = open_dataset("folder", table.parent, questions=table)
    before = list(data.queries())
    return data, before, change_of(name, seed).apply(data, before)


def mean_colours(queries: Sequence[Query]) -> list[list[int]]:
    return [np.rint(q.image.load().mean(axis=(0, 1))).astype(int).tolist() for q in queries if q.image]


@pytest.mark.parametrize("name", CONTROLS)
def test_ids_order_photos_names_and_sizes_stay(table: Path, name: Control) -> None:
    _, before, after = changed(table, name)
    for old, new in zip(before, after, strict=True):
        assert (old.id, old.image_name, old.size_hw) == (new.id, new.image_name, new.size_hw)
        assert old.image is not None
        assert new.image is not None
        assert new.image.name == old.image.name
        assert new.image.load().shape == (*new.image.size_hw, 3) == (*old.image.size_hw, 3)


def test_questions_are_shuffled_and_photos_are_not(table: Path) -> None:
    _, before, after = changed(table, "question_shuffled", 3)
    assert sorted(q.question for q in after) == sorted(q.question for q in before)
    assert all(normalised(a.question) != normalised(b.question) for a, b in zip(after, before, strict=True))
    assert [q.image for q in after] == [q.image for q in before]


def test_a_blank_question_is_one_character(table: Path) -> None:
    assert {q.question for q in changed(table, "question_blanked")[2]} == {"."}


def test_photos_are_swapped_as_a_whole(table: Path) -> None:
    _, before, after = changed(table, "photo_swapped")
    assert all(a != b for a, b in zip(mean_colours(before), mean_colours(after), strict=True))
    # Both questions about the first photo get the same other one, which is prepared once.
    assert after[0].image == after[1].image
    assert [q.question for q in after] == [q.question for q in before]


def test_evidence_is_erased_and_kept_alone(table: Path) -> None:
    PIL.Image.fromarray(np.arange(40 * 60 * 3, dtype=np.uint8).reshape(40, 60, 3)).save(table.parent / "a.png")
    _, before, erased = changed(table, "evidence_erased")
    alone = changed(table, "evidence_only")[2]
    photo, hole, rest = (queries[0].image for queries in (before, erased, alone))
    assert photo is not None and hole is not None and rest is not None  # noqa: PT018
    inside = np.zeros((40, 60), dtype=bool)
    inside[10:30, 10:30] = True
    mean = np.rint(photo.load().mean(axis=(0, 1))).astype(int).tolist()
    np.testing.assert_array_equal(hole.load()[~inside], photo.load()[~inside])
    np.testing.assert_array_equal(rest.load()[inside], photo.load()[inside])
    assert {tuple(pixel) for pixel in hole.load()[inside].tolist()} == {tuple(mean)}
    assert {tuple(pixel) for pixel in rest.load()[~inside].tolist()} == {tuple(mean)}
    # Where there is no target, there is no evidence to take away; what differs is not taken for the same photo.
    assert erased[3].image == before[3].image
    assert erased[0].image != erased[1].image


@given(st.lists(st.sampled_from("abcdefg"), min_size=2, max_size=60), st.integers(0, 1000))
def test_no_question_meets_its_own_text(texts: list[str], seed: int) -> None:
    most = max(texts.count(text) for text in texts)
    if most == len(texts):
        with pytest.raises(ValueError, match="all questions are the same"):
            question_order(texts, seed)
        return
    order = question_order(texts, seed).tolist()
    assert all(texts[other] != text for other, text in zip(order, texts, strict=True))
    if 2 * most <= len(texts):
        assert sorted(order) == list(range(len(texts)))
    assert order == question_order(texts, seed).tolist()


@given(st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=30), st.integers(0, 1000))
def test_no_photo_is_its_own_other(names: list[str], seed: int) -> None:
    if len(set(names)) == 1:
        with pytest.raises(ValueError, match="but one photo"):
            photo_order(names, seed)
        return
    other_of = photo_order(names, seed)
    assert set(other_of) == set(other_of.values()) == set(names)
    assert all(name != other for name, other in other_of.items())


def test_a_prior_gives_the_same_run_under_every_control(table: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = ground_controls("folder", tmp_path, questions=table, grounder="centre_box", out=out)
    assert list(done) == list(CONTROLS)
    runs = [read_run(out / name) for name in CONTROLS]
    assert len({tuple((p.id, p.final) for p in run.predictions) for run in runs}) == 1
    assert [run.header.control for run in runs] == [
        {},
        {"name": "question_shuffled", "seed": 0},
        {"name": "question_blanked", "question": "."},
        {"name": "photo_swapped", "seed": 0},
        {"name": "evidence_erased", "fill": "mean"},
        {"name": "evidence_only", "fill": "mean"},
    ]
    assert score(out / "as_is").notes == []
    assert score(out / "photo_swapped").notes == [
        "a control, photo_swapped (seed 0): the method was not asked what the data set asks"
    ]


def test_runs_are_continued_by_the_same_seed_only(table: Path, tmp_path: Path) -> None:
    asked: dict[str, Any] = {
        "questions": table,
        "grounder": "centre_box",
        "out": tmp_path / "out",
        "only": ["question_shuffled"],
    }
    assert list(ground_controls("folder", tmp_path, **asked)) == ["as_is", "question_shuffled"]
    again = ground_controls("folder", tmp_path, **asked, resume=True)
    assert [summary.n_new for summary in again.values()] == [0, 0]
    with pytest.raises(UsageError, match="the queries are changed in another way: there seed 0, here seed 1"):
        ground_controls("folder", tmp_path, **asked, seed=1, resume=True)


def test_without_photos_a_prior_goes_through_all_the_same(tmp_path: Path) -> None:
    table = write(tmp_path / "q.csv", HEADER + ROWS)
    done = ground_controls("folder", tmp_path, questions=table, grounder="whole_image", out=tmp_path / "out")
    assert {summary.n for summary in done.values()} == {4}


def test_one_question_cannot_be_exchanged(tmp_path: Path) -> None:
    rows = "".join(f"{n}.png,{n},{text},60,40,0,0,9,9\n" for n, text in enumerate(("What?", "what")))
    table = write(tmp_path / "q.csv", HEADER + rows)
    with pytest.raises(InputError, match="question_shuffled: all questions are the same, so that there is no question"):
        ground_controls("folder", tmp_path, questions=table, grounder="whole_image", out=tmp_path / "out")


def test_names_are_told() -> None:
    assert controls_named(["photo_swapped"]) == ["as_is", "photo_swapped"]
    with pytest.raises(UsageError, match="Did you mean photo_swapped"):
        controls_named(["photo_swaped"])
    with pytest.raises(UsageError, match="there is no fill means. Did you mean mean"):
        ground_controls("folder", grounder="whole_image", out="out", fill="means")  # type: ignore[arg-type]
