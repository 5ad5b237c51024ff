"""What a form holds comes back from it as it went in."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from foveate.core.predictions import STATUSES, Prediction, Status
from foveate.core.regions import Box, Mask, Region
from foveate.core.rle import area, decode, encode
from foveate.errors import InputError
from foveate.formats.mask_png import mask_png, read_mask_png
from foveate.runs.forms import WRITERS, read_form

SIZE_HW = (9, 13)
unit = st.floats(0, 1)
texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=9)
# Ids that every form can tell apart: letters and signs, without a suffix to lose.
stems = st.text("aZ09-_ é#", min_size=1, max_size=6).map(lambda stem: f"x{stem}x.jpg")
names = st.lists(stems, unique=True, max_size=4)
folders = st.sampled_from(["", "", "sub/", "./", "sub/sub/", "https://example.invalid/"])
paths = st.lists(st.tuples(folders, stems | st.just("x.jpg")).map("".join), unique=True, max_size=4)


def sure(region: Region) -> float:
    """The form of COCO must have a score; what has none is written as 1."""
    return 1.0 if region.score is None else region.score


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    height, width = SIZE_HW
    left, right = sorted(draw(st.lists(st.floats(0, width), min_size=2, max_size=2, unique=True)))
    top, bottom = sorted(draw(st.lists(st.floats(0, height), min_size=2, max_size=2, unique=True)))
    return Box((left, top, right, bottom))


masks = arrays(np.bool_, SIZE_HW).filter(np.any).map(lambda inside: Mask(encode(inside)))


@st.composite
def predictions(
    draw: st.DrawFn,
    shapes: st.SearchStrategy[Box | Mask],
    states: Sequence[Status] = STATUSES,
    ids: st.SearchStrategy[list[str]] = paths,
) -> list[Prediction]:
    def region(scores: st.SearchStrategy[float | None] = unit) -> Region:
        return Region(draw(shapes), draw(scores), draw(st.none() | texts))

    made = []
    for name in draw(ids):
        candidates = tuple(sorted((region() for _ in range(draw(st.integers(0, 3)))), key=sure, reverse=True))
        status = draw(st.sampled_from(states))
        final = None if status != "ok" else draw(st.sampled_from([*candidates, region(unit | st.none())]))
        answer, score = draw(st.none() | texts), draw(st.none() | unit)
        made.append(Prediction(name, status, answer, score, final, candidates, SIZE_HW, draw(unit), "because"))
    return made


def through(form: str, suffix: str, given: list[Prediction]) -> list[Prediction]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"predictions{suffix}"
        assert WRITERS[form](given, path, lambda _: None) == len(given)
        return list(read_form(path, {prediction.id: SIZE_HW for prediction in given}))


@given(predictions(boxes() | masks).filter(bool))
def test_lines_lose_nothing(given: list[Prediction]) -> None:
    assert through("jsonl", ".jsonl", given) == given


@given(predictions(boxes(), ["ok"]))
def test_the_cups_table_keeps_the_boxes(given: list[Prediction]) -> None:
    read = through("toloka", ".csv", given)
    assert [(p.id, p.final and p.final.shape) for p in read] == [(p.id, p.final and p.final.shape) for p in given]


@given(predictions(boxes() | masks, ["ok", "no_region"], names))
def test_masks_keep_the_pixels_and_regions_without_one_are_refused(given: list[Prediction]) -> None:
    pixels = {p.id: p.final and p.final.shape.rle(SIZE_HW) for p in given}
    if any(own and area(own) == 0 for own in pixels.values()):
        with pytest.raises(InputError, match="a region that covers the middle of no pixel"):
            through("vizwiz", ".zip", given)
        return
    read = {prediction.id: prediction for prediction in through("vizwiz", ".zip", given)}
    assert list(read) == sorted(pixels)
    for sample, own in pixels.items():
        again = read[sample].final
        assert (again and again.shape) == (Mask(own) if own else None)


@given(predictions(masks, ["ok"]))
def test_coco_results_keep_the_final_region_and_what_scores_lower(given: list[Prediction]) -> None:
    for again, prediction in zip(through("coco", ".json", given), given, strict=True):
        final, *others = (Region(region.shape, sure(region)) for region in prediction.groundings)
        assert (again.id, again.final) == (prediction.id, final)
        assert again.candidates == (final, *(region for region in others if sure(region) < sure(final)))


@given(boxes())
def test_coco_results_keep_boxes_but_for_the_last_digit(box: Box) -> None:
    (again,) = through("coco", ".json", [Prediction("a.jpg", "ok", final=Region(box, 0.5), size_hw=SIZE_HW)])
    assert again.final is not None
    np.testing.assert_allclose(again.final.shape.xyxy, box.xyxy, rtol=0, atol=1e-14)


@given(st.tuples(st.integers(1, 40), st.integers(1, 40)).flatmap(lambda size_hw: arrays(np.bool_, size_hw)))
def test_a_picture_of_a_mask_is_the_mask(inside: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> None:
    data = mask_png(inside)
    assert (np.asarray(PIL.Image.open(io.BytesIO(data))) == inside * np.uint8(255)).all()
    assert mask_png(decode(encode(inside))) == data  # Its columns, not its rows, lie side by side in memory.
    assert read_mask_png(io.BytesIO(data), inside.shape, where="a.png") == encode(inside)
