"""Samples come back from every form as they went in, but for the losses that it states."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foveate.core.queries import Query
from foveate.core.regions import Box, Mask, Polygon
from foveate.core.truths import Target, Truth
from foveate.formats._losses import FEATURES, losses
from foveate.formats._sample_forms import Reading, Sample
from foveate.formats.sample_forms import FORMS
from tests.sample_strategies import SIZE_HW, boxes, masks, plain_truths, polygons, samples, soft_maps

LOSSLESS = ("jsonl", "parquet", "hf")


def through(form: str, given: list[Sample]) -> list[Sample]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"samples{''.join(FORMS[form].suffixes[:1])}"
        assert FORMS[form].write(given, path) == len(given)
        return list(FORMS[form].read(path, Reading()))


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
@settings(max_examples=60)
@given(given=samples())
def test_the_canonical_form_loses_nothing(form: str, given: list[Sample]) -> None:
    assert through(form, given) == given


@settings(max_examples=15)
@given(given=samples())
def test_a_saved_folder_loses_nothing(given: list[Sample]) -> None:
    assert through("hf", given) == given


def test_what_is_lost_has_a_name() -> None:
    for form in FORMS.values():
        assert set(form.lost) <= set(FEATURES)
        assert bool(form.lost) == (form.name not in LOSSLESS)


def alike(truth: Truth) -> Truth:
    """Whether there are votes says nothing where there are no answers."""
    return Truth(
        truth.id,
        truth.answers,
        truth.targets,
        truth.match,
        truth.answerable,
        truth.size_hw,
        truth.polled or not truth.answers,
        truth.facts,
    )


def kept(form: str, given: list[Sample]) -> list[Sample]:
    """Returns the samples of which a form says that it loses nothing; a file holds each photo once."""
    whole = [sample for sample in given if not losses(sample, FORMS[form])]
    return [Sample(sample.query, alike(sample.truth)) for sample in whole]


@settings(max_examples=50)
@given(given=samples())
def test_a_table_of_boxes_holds_what_it_says(given: list[Sample]) -> None:
    expected = kept("csv", given)
    assert [Sample(s.query, alike(s.truth)) for s in through("csv", expected)] == expected


foreign = boxes() | polygons | masks


def safe(given: list[Sample]) -> list[Sample]:
    """Returns the samples with photos of names that files can have, some of one photo."""
    return [
        Sample(
            Query(s.query.id, f"photo {n // 2}.jpg", None, s.query.question, s.query.size_hw),
            s.truth,
        )
        for n, s in enumerate(given)
    ]


plain = samples(lambda sample_id: plain_truths(sample_id, foreign)).map(safe)


def covered(target: Target) -> bool:
    try:
        Mask(target.shape.rle(SIZE_HW))
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("form", ["coco", "labelme", "via"])
@settings(max_examples=40)
@given(given=plain)
def test_tools_hold_what_they_say(form: str, given: list[Sample]) -> None:
    # COCO's reader refuses a polygon that covers no pixel.
    expected = [s for s in kept(form, given) if all(covered(target) for target in s.truth.targets)]
    assert through(form, expected) == expected


@pytest.mark.parametrize("form", ["coco", "labelme", "via", "csv"])
@settings(max_examples=25)
@given(given=samples(lambda sample_id: plain_truths(sample_id, boxes() | masks | soft_maps)).map(safe))
def test_what_is_lost_is_only_what_is_said(form: str, given: list[Sample]) -> None:
    """Ids, photos, questions and the number of regions come back from the tools whatever the region is."""
    read = through(form, given)
    assert [s.query for s in read] == [s.query for s in given]
    assert [s.truth.id for s in read] == [s.truth.id for s in given]
    if form in {"coco", "labelme"}:
        assert [[t.shape.rle(SIZE_HW) for t in s.truth.targets] for s in read] == [
            [t.shape.rle(SIZE_HW) for t in s.truth.targets] for s in given
        ]


@given(
    given=st.lists(st.tuples(boxes() | polygons.filter(lambda p: len(p.parts) == 1), st.sampled_from("ab")), max_size=4)
)
def test_yolo_holds_boxes_and_polygons_of_classes(given: list[tuple[Box | Polygon, str]]) -> None:
    by_class = {kind: [shape for shape, of in given if of == kind] for _, kind in given}
    made = [
        Sample(
            _query(f"a.jpg#{kind}", f"Where is the {kind}?"),
            Truth(
                f"a.jpg#{kind}",
                (kind,),
                tuple(Target(shape, kind) for shape in found),
                "union" if len(found) > 1 else "single",
                True,
                SIZE_HW,
                polled=False,
            ),
        )
        for kind, found in by_class.items()
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "yolo"
        FORMS["yolo"].write(made, path)
        (path / "images" / "a.jpg").write_bytes(b"")
        read = list(FORMS["yolo"].read(path, Reading(size_of=lambda _: SIZE_HW))) if made else []
    assert [s.query for s in read] == [s.query for s in made]
    for one, other in zip(read, made, strict=True):
        assert one.truth.match == other.truth.match
        for mine, theirs in zip(one.truth.targets, other.truth.targets, strict=True):
            assert mine.answer == theirs.answer
            assert mine.shape.xyxy == pytest.approx(theirs.shape.xyxy, abs=1e-9)
    assert Counter(len(s.truth.targets) for s in read) == Counter(len(s.truth.targets) for s in made)


def _query(sample_id: str, question: str) -> Query:
    return Query(sample_id, "a.jpg", None, question, SIZE_HW)
