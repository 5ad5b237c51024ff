"""The check never sees a target: its words are the same whatever the targets are."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from foveate.challenges.checking import check
from foveate.challenges.definition import DataReference, Phase
from foveate.challenges.pack import write_pack
from foveate.errors import InputError
from foveate.formats import samples_jsonl
from foveate.formats._sample_forms import Reading
from foveate.runs.forms import read_form
from tests.unit.challenges.samples import SIZE_HW, box_samples

PHASE = Phase("evaluation", "Evaluation", "evaluation", "data")
NUMBER = st.one_of(
    st.integers(-5, 130), st.floats(-5, 130).map(lambda x: round(x, 2)), st.sampled_from(["", "x", "nan", "inf", True])
)
SAMPLE = st.sampled_from(["0.jpg", "1.jpg", "2.jpg", "1", "9.jpg", "p/2.jpg", ""])
ROWS = st.lists(st.tuples(SAMPLE, NUMBER, NUMBER, NUMBER, NUMBER), max_size=5)
BOX = st.tuples(st.integers(0, 50), st.integers(0, 30), st.integers(51, 64), st.integers(31, 48))


def written(form: str, rows: list[tuple[Any, ...]], folder: Path) -> Path:
    if form == "toloka":
        text = "".join(",".join(map(str, row)) + "\n" for row in [("image", "left", "top", "right", "bottom"), *rows])
        path = folder / "answer.csv"
    elif form == "jsonl":
        text = "".join(json.dumps({"id": row[0], "xyxy": row[1:]}) + "\n" for row in rows)
        path = folder / "answer.jsonl"
    else:
        text = json.dumps([{"image_id": row[0], "category_id": 1, "score": 0.5, "bbox": row[1:]} for row in rows])
        path = folder / "answer.json"
    path.write_text(text)
    return path


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(["toloka", "jsonl", "coco"]),
    ROWS,
    st.lists(BOX, min_size=3, max_size=3),
    st.lists(BOX, min_size=3, max_size=3),
)
def test_problems_are_the_same_whatever_the_targets_are(
    form: str, rows: list[tuple[Any, ...]], one: list[Any], other: list[Any]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = written(form, rows, folder)
        found = []
        for number, boxes in enumerate((one, other, None)):
            data = folder / f"data{number}.jsonl"
            samples_jsonl.write(box_samples(boxes), data)
            if boxes is None:  # A pack has targets; the sizes of data without any are these.
                read = samples_jsonl.read(data, Reading())
                sizes = {sample.truth.id: sample.truth.size_hw or sample.query.size_hw for sample in read}
            else:
                sizes = dict(write_pack(DataReference("own:all", data), folder / "packs").sizes)
            found.append(check(path, sizes, PHASE))
        assert found[0] == found[1] == found[2]
        assert sizes == dict.fromkeys(("0.jpg", "1.jpg", "2.jpg"), SIZE_HW)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(["toloka", "jsonl", "coco"]), ROWS)
def test_what_the_check_passes_can_be_scored_and_what_it_refuses_cannot(form: str, rows: list[tuple[Any, ...]]) -> None:
    """`foveate score` reads with the same readers: the two must agree on every file."""
    sizes = dict.fromkeys(("0.jpg", "1.jpg", "2.jpg"), SIZE_HW)
    with tempfile.TemporaryDirectory() as name:
        path = written(form, rows, Path(name))
        found = check(path, sizes, replace(PHASE, missing="zero"))
        try:
            ids = [prediction.id for prediction in read_form(path, sizes)]
        except InputError:
            assert not found.ok
        else:
            assert found.ok == (set(ids) <= sizes.keys())


def test_the_check_takes_no_truth() -> None:
    with pytest.raises(TypeError):
        check(Path("x"), {}, PHASE, truths=())  # type: ignore[call-arg]
