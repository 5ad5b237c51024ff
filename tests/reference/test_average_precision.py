"""Average precision against pycocotools itself, on random and on adversarial samples, and the traps on its way.

`pycocotools_ap` is its value on everything, `coco_ap` where no two scores are equal, and `image_ap` the mean of its
values on each photo alone.
"""

from __future__ import annotations

import contextlib
import io
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foveate import plugins
from foveate.core.boxes import SizeHW
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask, Region
from foveate.core.rle import area, encode
from foveate.core.truths import Target, Truth
from foveate.evaluation.evaluate import evaluate

pytestmark = [
    pytest.mark.reference,
    pytest.mark.filterwarnings("ignore:__array__ implementation"),  # COCO's code speaks an old dialect of NumPy.
]

SIZE: SizeHW = (12, 16)
Sample = tuple[Prediction, Truth]


def official(samples: Sequence[Sample], *, masks: bool, first_id: int = 1) -> Any:
    """Returns COCO's evaluation of samples, photo ids in their order."""
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    reader = COCO()
    images = [{"id": n + 1, "height": SIZE[0], "width": SIZE[1]} for n in range(len(samples))]
    reader.dataset = {"info": {}, "images": images, "annotations": [], "categories": [{"id": 1, "name": "evidence"}]}
    found = []
    for n, (prediction, truth) in enumerate(samples):
        for target in truth.targets:
            entry = {"id": first_id + len(reader.dataset["annotations"]), "iscrowd": 0}
            reader.dataset["annotations"].append({**shape_of(target.shape, n + 1, masks), **entry})
        if prediction.final:
            found.append({**shape_of(prediction.final.shape, n + 1, masks), "score": prediction.final.score})
    with contextlib.redirect_stdout(io.StringIO()):
        reader.createIndex()
        results = reader.loadRes(found) if found else COCO()
        if not found:
            results.dataset = {**reader.dataset, "annotations": []}
            results.createIndex()
        official = COCOeval(reader, results, "segm" if masks else "bbox")
        official.evaluate()
        official.accumulate()
        official.summarize()
    return official


def shape_of(shape: Any, photo: int, masks: bool) -> dict[str, Any]:
    left, top, right, bottom = shape.xyxy
    entry = {"image_id": photo, "category_id": 1, "bbox": [left, top, right - left, bottom - top]}
    if masks:
        rle = shape.rle(SIZE)
        entry |= {"segmentation": {"size": list(SIZE), "counts": rle.counts}, "area": area(rle)}
    return entry | {"area": entry.get("area", (right - left) * (bottom - top))}


def value_of(name: str, samples: Sequence[Sample], parameter: float | None = None) -> float:
    module = plugins.load("metrics", name)
    columns = module.measure([p for p, _ in samples], [t for _, t in samples])
    return float(module.reduce(columns, np.ones((1, len(samples))), parameter)["value"][0])


def theirs(official: Any, threshold: float | None = None) -> float:
    """Returns COCO's value; NaN where it says -1, that there is none."""
    precision = official.eval["precision"][:, :, 0, 0, -1]
    if threshold is not None:
        precision = precision[np.isclose(official.params.iouThrs, threshold)]
    return math.nan if (precision < 0).all() else float(precision.mean())


# Sides that are whole, in halves, and no number of binary digits; overlaps of exactly a threshold come of the whole.
SIDES = st.integers(0, 11) | st.integers(0, 22).map(lambda n: n / 2) | st.floats(0, 11.75).map(lambda x: round(x, 3))


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    (left, right), (top, bottom) = (
        sorted(draw(st.lists(SIDES, min_size=2, max_size=2, unique=True))) for _ in range(2)
    )
    return Box((left, top, right, bottom))


@st.composite
def masks_(draw: st.DrawFn) -> Mask:
    random = draw(st.randoms(use_true_random=False))
    bits = np.array([[random.random() < 0.4 for _ in range(SIZE[1])] for _ in range(SIZE[0])])
    bits[random.randrange(SIZE[0]), random.randrange(SIZE[1])] = True
    return Mask(encode(bits))


@st.composite
def many(draw: st.DrawFn, masks: bool, distinct: bool) -> list[Sample]:
    shapes: Any = masks_() if masks else boxes()
    n = draw(st.integers(1, 12))
    scores = (
        draw(st.lists(st.integers(0, 1000), min_size=n, max_size=n, unique=True))
        if distinct
        else draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    )
    samples = []
    for number, score in enumerate(scores):
        target = draw(st.none() | shapes)
        # Often the target itself or nearly, else there would be few hits.
        near = st.just(target) if target else st.nothing()
        final = draw(st.none() | near | shapes)
        name = str(number)
        region = Region(final, score / 1000) if final else None
        samples.append(
            (
                Prediction(name, "ok" if region else "no_region", final=region, size_hw=SIZE, reason="nothing"),
                Truth(name, (), (Target(target),) if target else (), size_hw=SIZE),
            )
        )
    return samples


@pytest.mark.parametrize("masks", [False, True])
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_pycocotools_ap_is_the_value_of_pycocotools(masks: bool, data: st.DataObject) -> None:
    samples = data.draw(many(masks, distinct=False))
    official_ = official(samples, masks=masks)
    for threshold in (None, 0.5, 0.75, 0.9):
        wanted = pytest.approx(theirs(official_, threshold), abs=1e-12, nan_ok=True)
        given_ = 0.8999999999999999 if threshold == 0.9 else threshold
        assert value_of("pycocotools_ap", samples, given_) == wanted


@pytest.mark.parametrize("masks", [False, True])
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_coco_ap_is_its_value_where_no_two_scores_are_equal(masks: bool, data: st.DataObject) -> None:
    samples = data.draw(many(masks, distinct=True))
    official_ = official(samples, masks=masks)
    for threshold in (None, 0.5):
        assert value_of("coco_ap", samples, threshold) == pytest.approx(
            theirs(official_, threshold), abs=1e-12, nan_ok=True
        )


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_the_order_of_samples_changes_pycocotools_ap_alone(data: st.DataObject) -> None:
    samples = data.draw(many(masks=False, distinct=False))
    turned = data.draw(st.permutations(samples))
    for name in ("coco_ap", "image_ap"):
        assert value_of(name, samples) == pytest.approx(value_of(name, turned), abs=1e-12, nan_ok=True)
    assert value_of("pycocotools_ap", turned) == pytest.approx(
        theirs(official(turned, masks=False)), abs=1e-12, nan_ok=True
    )


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_image_ap_is_the_mean_of_the_values_of_each_photo(data: st.DataObject) -> None:
    samples = data.draw(many(masks=True, distinct=False))
    alone = [theirs(official([one], masks=True)) for one in samples if one[1].targets]
    wanted = float(np.mean(alone)) if alone else math.nan
    assert value_of("image_ap", samples) == pytest.approx(wanted, abs=1e-12, nan_ok=True)


def hits(*right: bool, score: float | None = 0.5) -> list[Sample]:
    """Returns samples of one score: the target itself, or a box that does not touch it."""
    target, away = Box((0, 0, 4, 4)), Box((8, 8, 12, 12))
    return [
        (
            Prediction(str(n), "ok", final=Region(target if hit else away, score), size_hw=SIZE),
            Truth(str(n), (), (Target(target),), size_hw=SIZE),
        )
        for n, hit in enumerate(right)
    ]


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75])
def test_of_one_score_the_order_makes_the_value_anything_from_half_to_the_share(share: float) -> None:
    n, right = 400, round(400 * share)
    first, last = [True] * right + [False] * (n - right), [False] * (n - right) + [True] * right
    # 101 recalls lie in 0 … share, at which precision is 1, or that of the whole list.
    reached = math.floor(share * 100) + 1
    assert value_of("pycocotools_ap", hits(*first)) == pytest.approx(reached / 101)
    assert value_of("pycocotools_ap", hits(*last)) == pytest.approx(reached * share / 101)
    assert theirs(official(hits(*first), masks=False)) > theirs(official(hits(*last), masks=False)) + 0.1
    for order in (first, last):
        # One group: precision `share` up to recall `share`, nearly its square.
        assert value_of("coco_ap", hits(*order)) == pytest.approx(reached * share / 101)
        assert value_of("coco_ap", hits(*order)) == pytest.approx(share**2, abs=0.01)
        assert value_of("image_ap", hits(*order)) == pytest.approx(share)


def test_in_pycocotools_an_annotation_of_id_0_is_never_found() -> None:
    """The trap of `cocoapi` 546: id 0 reads as "no match". Foveate's samples have no such number to go wrong by."""
    one = hits(True)
    assert theirs(official(one, masks=False, first_id=0)) == 0.0
    assert theirs(official(one, masks=False, first_id=1)) == pytest.approx(1.0)
    assert value_of("pycocotools_ap", one) == pytest.approx(1.0)
    # Of ten photos one is lost, and the first in the list at that: precision 9/10 up to recall 9/10.
    ten = hits(*[True] * 10)
    assert theirs(official(ten, masks=False, first_id=0)) == pytest.approx(91 / 101 * 0.9)


def test_regions_where_nothing_is_count_against_the_value() -> None:
    """The trap of `supervision` 1836, which passed over photos without a target."""
    needless = (
        Prediction("x", "ok", final=Region(Box((0, 0, 4, 4)), 0.9), size_hw=SIZE),
        Truth("x", answerable=False, size_hw=SIZE),
    )
    samples = [needless, *hits(True)]
    assert theirs(official(samples, masks=False)) == pytest.approx(0.5)
    assert value_of("pycocotools_ap", samples) == pytest.approx(0.5)
    assert value_of("coco_ap", samples) == pytest.approx(0.5)


def test_one_score_is_told_once_with_the_names_of_the_metrics_it_is_about() -> None:
    samples = hits(True, False)
    found = evaluate(
        [p for p, _ in samples],
        [t for _, t in samples],
        metrics=["coco_ap", "coco_ap@0.5", "pycocotools_ap", "image_ap"],
        resamples=0,
    )
    assert len(found.notes) == 2
    assert found.notes[0].startswith("coco_ap, coco_ap@0.5: all regions have one score")
    assert found.notes[1].startswith("pycocotools_ap: all regions have one score, so that the order of the photos")


@pytest.mark.parametrize("scores", [(None, None), (0.1, 0.2)])
def test_no_scores_at_all_are_one_score_and_different_ones_are_no_news(scores: tuple[float | None, ...]) -> None:
    samples = [hits(True, score=scores[0])[0], hits(False, False, score=scores[1])[1]]
    found = evaluate([p for p, _ in samples], [t for _, t in samples], metrics=["coco_ap@0.5"], resamples=0)
    assert bool(found.notes) == (scores[0] is None)
    # Without scores precision 1/2 up to recall 1/2; with them the miss is first, which comes to the same.
    assert found.metrics["coco_ap@0.5"].value == pytest.approx(51 / 202)


def test_some_regions_without_a_score_are_in_no_order() -> None:
    samples = [hits(True, score=None)[0], hits(False, True, score=0.3)[1]]
    found = evaluate([p for p, _ in samples], [t for _, t in samples], metrics=["coco_ap", "image_ap"], resamples=0)
    assert found.metrics["coco_ap"].value is None
    assert found.metrics["coco_ap"].undefined == "1 of 2 regions have no score, the others have one"
    assert found.metrics["image_ap"].value == 1.0
    assert found.notes == []


def test_resamples_in_parts_are_as_in_one() -> None:
    """Weights of many resamples are worked on in parts; each row has the value that it has alone."""
    module = plugins.load("metrics", "coco_ap")
    rng = np.random.default_rng(0)
    samples = hits(*(rng.random(300) < 0.6))
    columns = dict(module.measure([p for p, _ in samples], [t for _, t in samples]))
    columns["score"] = rng.integers(0, 40, 300) / 40
    weights = rng.integers(0, 3, (20_000, 300)).astype(np.float64)
    together = module.reduce(columns, weights)["value"]
    for row in (0, 6_990, 6_991, 19_999):
        alone = module.reduce(columns, weights[row : row + 1])["value"][0]
        assert together[row] == pytest.approx(alone, abs=1e-12)


@pytest.mark.parametrize("name", ["image_ap", "coco_ap", "pycocotools_ap"])
def test_a_threshold_outside_0_to_1_is_refused(name: str) -> None:
    for threshold in (0.0, 1.01, math.nan):
        with pytest.raises(ValueError, match="threshold above 0 and at most 1"):
            value_of(name, hits(True), threshold)


@pytest.mark.parametrize("name", ["coco_ap", "pycocotools_ap"])
def test_nothing_is_remarked_or_excused_where_scores_differ(name: str) -> None:
    module = plugins.load("metrics", name)
    samples = [hits(True, score=0.1)[0], hits(False, True, score=0.2)[1]]
    columns = module.measure([p for p, _ in samples], [t for _, t in samples])
    assert module.remark(columns) is None
    assert module.why_not(columns) is None
