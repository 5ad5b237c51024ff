"""Submissions and their targets come back from every form as they went in, but for what the form says that it loses."""

from __future__ import annotations

import json
import tempfile
from datetime import UTC
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycocotools import mask as coco

from foveate.annotation.crowd import import_crowd
from foveate.annotation.crowd_files import write_crowd
from foveate.annotation.export import export_samples
from foveate.annotation.kinds import STAGES
from foveate.annotation.submissions import Submission, read_submissions, write_submissions
from foveate.annotation.targets import samples_of
from foveate.annotation.work import GroundingWork
from foveate.core.regions import Box, Polygon
from foveate.core.truths import TargetShape
from foveate.datasets._open import open_dataset
from foveate.formats.mask_png import read_mask_png
from foveate.formats.toloka_samples import whole_pixels
from foveate.formats.vizwiz_json import read_vizwiz
from tests.sample_strategies import SIZE_HW, said, texts
from tests.submissions import boxed, drawn, random_outlines, sent, sides, works

# Each stands for many shapes at once, so that thousands go through files in seconds.
seeds = st.integers(0, 2**32 - 1)
times = st.none() | st.datetimes(timezones=st.just(UTC))
Outline = list[tuple[float, float]]


@st.composite
def many(draw: st.DrawFn, *stages: str) -> list[Submission]:
    """Returns submissions of one project, each of another person or task."""
    found = []
    for number, work in enumerate(draw(st.lists(works(*stages), min_size=1, max_size=5))):
        task = f"{number // 2}.jpg"
        more = {"started": draw(times), "sent": draw(times), "gold": draw(st.booleans())}
        found.append(sent(work, f"ann{number % 2}", task, None, **more))
    return found


def put(folder: str, name: str) -> Path:
    return Path(folder) / name


@settings(max_examples=100, deadline=None)
@given(many(*STAGES), st.lists(st.tuples(said, texts, st.none() | texts), min_size=5, max_size=5))
def test_json_lines_lose_nothing(given_: list[Submission], told: list[tuple[str, str, str | None]]) -> None:
    made = [
        submission.model_copy(
            update={"annotator": f"{n}{name}", "question": question, "answer": answer, "adjudicated": n % 2 == 1}
        )
        for n, (submission, (name, question, answer)) in enumerate(zip(given_, told, strict=False))
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = put(folder, "s.jsonl")
        assert write_submissions(made, path) == len(made)
        assert read_submissions(path) == made


@settings(max_examples=100, deadline=None)
@given(many("grounding"))
def test_the_original_tools_files_hold_every_answer(given_: list[Submission]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = put(folder, "out")
        write_crowd(given_, out)
        stored = json.loads((out / "results.json").read_text())
        made = import_crowd(out / "results.json", out / "grouped.json", lambda _: SIZE_HW)
    assert sorted(s.task for s in made.submissions) == sorted(s.task for s in given_)
    # People are numbered in the order of the file.
    people = dict.fromkeys(result["Worker_id"] for group in stored.values() for result in group)
    names = {name: f"person-{n}" for n, name in enumerate(people, start=1)}
    found = {(s.task, s.annotator): s for s in made.submissions}
    for submission in given_:
        _is_alike(submission, found[submission.task, names[submission.annotator]])


def _is_alike(given_: Submission, found: Submission) -> None:
    mine, theirs = given_.work, found.work
    assert isinstance(mine, GroundingWork)
    assert isinstance(theirs, GroundingWork)
    same = ("several_questions", "several_regions", "outcome", "closed", "reason")
    assert [getattr(theirs, name) for name in same] == [getattr(mine, name) for name in same]
    assert theirs.reason_text == mine.reason_text.strip()
    assert np.allclose(np.array(theirs.polygon).reshape(-1, 2), np.array(mine.polygon).reshape(-1, 2), atol=1e-9)


@settings(max_examples=20, deadline=None)
@given(seeds.map(random_outlines))
def test_official_json_is_exact_and_masks_are_those_of_pycocotools(outlines: list[Outline]) -> None:
    given_ = [sent(drawn(outline), task=f"{n}.jpg") for n, outline in enumerate(outlines)]
    with tempfile.TemporaryDirectory() as folder:
        out = put(folder, "out")
        export_samples(given_, out, to="vizwiz", lossy=True)
        for outline, (name, _, polygon) in zip(outlines, read_vizwiz(out / "val_grounding.json"), strict=True):
            assert polygon == Polygon((tuple(outline),))
            mask = read_mask_png(out / "binary_masks_png" / "val" / f"{Path(name).stem}.png", SIZE_HW)
            (witness,) = coco.frPyObjects([np.array(outline).ravel().tolist()], *SIZE_HW)
            assert mask.counts == witness["counts"]


@pytest.mark.parametrize(
    ("form", "name"),
    [("coco", "a.json"), ("via", "a.json"), ("labelme", "a"), ("jsonl", "a.jsonl"), ("parquet", "a.parquet")],
)
@settings(max_examples=12, deadline=None)
@given(seed=seeds, some=st.lists(sides(), max_size=3))
def test_tools_hold_the_very_shapes(form: str, name: str, seed: int, some: list[tuple[float, ...]]) -> None:
    shapes: list[Outline | tuple[float, ...]] = [*random_outlines(seed), *some]
    given_ = [
        sent(boxed(*shape) if isinstance(shape, tuple) else drawn(shape), task=f"{n:03}.jpg", kind="reannotation")
        for n, shape in enumerate(shapes)
    ]
    expected: list[TargetShape] = [s.truth.targets[0].shape for s in samples_of(given_).samples]
    with tempfile.TemporaryDirectory() as folder:
        export_samples(given_, put(folder, name), to=form, lossy=True)
        found = list(open_dataset(str(put(folder, name))).truths())
        assert [truth.targets[0].shape for truth in found] == expected
        assert [truth.id for truth in found] == [s.task for s in given_]


@settings(max_examples=100, deadline=None)
@given(st.lists(sides(), min_size=1, max_size=20))
def test_the_cups_boxes_are_the_nearest_whole_pixels(shapes: list[tuple[float, float, float, float]]) -> None:
    given_ = [sent(boxed(*shape), task=f"{n}.jpg") for n, shape in enumerate(shapes)]
    with tempfile.TemporaryDirectory() as folder:
        export_samples(given_, put(folder, "test_public.csv"), to="toloka", lossy=True)
        found = [truth.targets[0].shape for truth in open_dataset("toloka_vqa:test_public", folder).truths()]
    assert found == [Box(whole_pixels(shape)) for shape in shapes]
    for one, shape in zip(found, shapes, strict=True):
        assert np.abs(np.array(one.xyxy) - shape).max() <= 0.5
