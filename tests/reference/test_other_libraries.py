"""IoU and average precision against every library that people use for them; each difference has its reason.

pycocotools, faster-coco-eval and hotcoco run here. What torchmetrics and supervision say is in `other_outputs.json`,
which `other_witness.py` makes. docs/other-libraries.md tells it for people.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foveate import plugins
from foveate.core.overlap import box_iou, mask_iou
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask, Region
from foveate.core.rle import encode
from foveate.core.truths import Target, Truth
from foveate.errors import InputError
from foveate.evaluation.evaluate import evaluate
from foveate.evaluation.join import join
from tests.reference.coco_samples import SIZE, Sample, as_coco, as_foveate, samples
from tests.reference.other_witness import CASES, KINDS, TRAPS, pairs

pytestmark = [
    pytest.mark.reference,
    pytest.mark.filterwarnings("ignore:__array__ implementation"),  # COCO's code speaks an old dialect of NumPy.
    # What two of them say of the traps, in words.
    pytest.mark.filterwarnings("ignore:Found annotation id 0", "ignore:hotcoco. max_dets differ"),
]

LIVE = ("pycocotools", "faster-coco-eval", "hotcoco")
STORED = json.loads(Path(__file__).with_name("other_outputs.json").read_text(encoding="utf-8"))
ASKED = (None, 0.5, 0.75)


def classes_of(library: str) -> tuple[Any, Any, Any]:
    """Returns a library's COCO, COCOeval and mask functions."""
    if library == "pycocotools":
        from pycocotools import mask
        from pycocotools.coco import COCO
        from pycocotools.cocoeval import COCOeval
    elif library == "faster-coco-eval":
        from faster_coco_eval import COCO, mask
        from faster_coco_eval import COCOeval_faster as COCOeval
    else:
        from hotcoco import COCO, COCOeval, mask
    return COCO, COCOeval, mask


def evaluated(library: str, of: Sequence[Sample], *, first_id: int = 1, **params: Any) -> Any:
    """Returns a library's evaluation of samples."""
    COCO, COCOeval, _ = classes_of(library)  # noqa: N806
    truth, found = as_coco(of, first_id=first_id)
    masks = any(isinstance(shape, Mask) for sample in of for shape in sample[:2])
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        reader = COCO() if library == "pycocotools" else COCO(truth)
        if library == "pycocotools":
            reader.dataset = truth
            reader.createIndex()
        results = reader.loadRes(found) if found else nothing(COCO, truth, library)
        official = COCOeval(reader, results, "segm" if masks else "bbox")
        for name, value in params.items():
            setattr(official.params, name, value)
        official.evaluate()
        official.accumulate()
        if not params:
            official.summarize()
    return official


def nothing(COCO: Any, truth: dict[str, Any], library: str) -> Any:  # noqa: N803
    """Returns results of no region; `loadRes` of pycocotools fails on an empty list."""
    empty = {**truth, "annotations": []}
    if library != "pycocotools":
        return COCO(empty)
    results = COCO()
    results.dataset = empty
    results.createIndex()
    return results


def theirs(library: str, of: Sequence[Sample], **settings: Any) -> list[float]:
    """Returns average precision, and that at 0.5 and at 0.75; −1 where a library has none."""
    return [float(value) for value in evaluated(library, of, **settings).stats[:3]]


def ours(name: str, of: Sequence[Sample]) -> list[float]:
    """Returns the same of ours; −1 where there is none."""
    module = plugins.load("metrics", name)
    columns = module.measure(*as_foveate(of))
    found = [float(module.reduce(columns, np.ones((1, len(of))), at)["value"][0]) for at in ASKED]
    return [-1.0 if math.isnan(value) else value for value in found]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("library", LIVE)
def test_average_precision_is_that_of_each_library_that_runs_here(library: str, kind: str) -> None:
    for seed in range(CASES):
        of = samples(seed, **KINDS[kind])
        value = theirs(library, of)
        assert ours("pycocotools_ap", of) == pytest.approx(value, abs=1e-12), seed
        if not KINDS[kind]["ties"]:
            assert ours("coco_ap", of) == pytest.approx(value, abs=1e-12), seed


@pytest.mark.parametrize("library", LIVE)
def test_image_ap_is_the_mean_of_each_photo_alone(library: str) -> None:
    for seed in range(20):
        of = samples(seed, masks=False, ties=False, whole=True)
        alone = [theirs(library, [one]) for one in of if one[1]]
        if alone:
            assert ours("image_ap", of) == pytest.approx(np.mean(alone, axis=0).tolist(), abs=1e-12), seed


@pytest.mark.parametrize("kind", KINDS)
def test_average_precision_is_that_of_supervision(kind: str) -> None:
    for seed, value in enumerate(STORED["average precision"][kind]["supervision"]):
        assert ours("pycocotools_ap", samples(seed, **KINDS[kind])) == pytest.approx(value, abs=1e-6), seed


@pytest.mark.parametrize("kind", KINDS)
def test_torchmetrics_has_thresholds_of_single_precision_and_leaves_out_photos_without_a_mask(kind: str) -> None:
    """Its IoUs and recalls are those of `torch.linspace`, half of them a little too high; the two account for all."""
    at = {name: np.array(STORED["thresholds of torchmetrics"][name]) for name in ("ious", "recalls")}
    parted = 0
    for seed, value in enumerate(STORED["average precision"][kind]["torchmetrics"]):
        of = samples(seed, **KINDS[kind])
        seen = [one for one in of if one[1] or not KINDS[kind]["masks"]]
        if not any(target for _, target, _ in seen) or not any(shape for shape, _, _ in seen):
            continue
        precision = evaluated("pycocotools", seen, iouThrs=at["ious"], recThrs=at["recalls"]).eval["precision"]
        found = [float(part[..., 0, 0, -1].mean()) for part in (precision, precision[0], precision[5])]
        assert found == pytest.approx(value, abs=1e-6), seed
        parted += ours("pycocotools_ap", of) != pytest.approx(value, abs=1e-6)
    # Of boxes a few cases differ, of masks most. The first of boxes has 20 targets, so that recalls are 0.05, 0.10, …
    assert STORED["average precision"]["boxes"]["torchmetrics"][0][0] == pytest.approx(0.0675, abs=5e-5)
    assert ours("pycocotools_ap", samples(0, masks=False, ties=False))[0] == pytest.approx(0.0671, abs=5e-5)
    assert parted > (50 if KINDS[kind]["masks"] else 0)


@pytest.mark.parametrize("trap", TRAPS)
@pytest.mark.parametrize("library", [*LIVE, "torchmetrics", "supervision"])
def test_traps(library: str, trap: str) -> None:
    of = TRAPS[trap]
    value = theirs(library, of) if library in LIVE else STORED["traps"][trap][library]
    wanted = ours("pycocotools_ap", of)
    if (library, trap) == ("torchmetrics", "an IoU of 0.6"):
        # 0.6 of single precision is 0.60000002: a hit at two of the ten thresholds, where there are three.
        assert value == [0.2, 1.0, 0.0]
        assert wanted == pytest.approx([0.3, 1.0, 0.0])
    elif (library, trap) == ("torchmetrics", "a needless mask first"):
        # The photo without a target is not among its photos, and the region there not in the list.
        assert value == [1.0, 1.0, 1.0]
        assert wanted == pytest.approx([0.5, 0.5, 0.5])
    else:
        assert wanted == pytest.approx(value, abs=1e-6)


def test_an_annotation_of_id_0_is_lost_in_two_libraries() -> None:
    """The trap of cocoapi 546; Foveate's samples have names, which none of them can be."""
    of = TRAPS["ten perfect"]
    lost = [theirs(library, of, first_id=0)[0] for library in LIVE]
    assert lost == pytest.approx([91 / 101 * 0.9, 91 / 101 * 0.9, 1.0])
    assert ours("pycocotools_ap", of) == [pytest.approx(1.0)] * 3


def test_the_number_of_regions_a_photo_is_no_part_of_the_value() -> None:
    """The trap of torchmetrics 2560: pycocotools reads the mean value at 100 regions whatever its parameters are."""
    assert STORED["at most ten regions"] == [-1.0, 1.0, 1.0]
    with_ten = {library: evaluated(library, TRAPS["one perfect"]) for library in LIVE}
    for library, official in with_ten.items():
        official.params.maxDets = [1, 5, 10]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            official.evaluate()
            official.accumulate()
            official.summarize()
        assert official.stats[0] == (-1.0 if library == "pycocotools" else pytest.approx(1.0)), library


def test_boxes_overlap_as_in_each_library() -> None:
    both = pairs(masks=False)
    of, to = (np.array([pair[n].xyxy for pair in both]) for n in (0, 1))
    value = box_iou(of, to, empty=0.0)
    sides = [np.hstack([xyxy[:, :2], xyxy[:, 2:] - xyxy[:, :2]]) for xyxy in (of, to)]
    for library in LIVE:
        table = np.asarray(classes_of(library)[2].iou(*sides, [0] * len(to)))
        # From left and width the right side is not always what it was, by a unit in the last place.
        np.testing.assert_allclose(box_iou(of[:, None], to, empty=0.0), table, rtol=0, atol=1e-9, err_msg=library)
    for library, found in STORED["overlaps"]["boxes"].items():
        np.testing.assert_allclose(value, found, rtol=0, atol=1e-6, err_msg=library)
    assert (value == 0).any()
    assert (value == 1).any()
    assert len(value) > 1_000


def test_masks_overlap_as_in_each_library() -> None:
    both = pairs(masks=True)
    value = mask_iou([a.encoded for a, _ in both], [b.encoded for _, b in both], empty=0.0)
    for library in LIVE:
        iou = classes_of(library)[2].iou
        raw = [[{"size": list(SIZE), "counts": shape.encoded.counts} for shape in pair] for pair in both]
        found = [np.asarray(iou([a], [b], [0])).item() for a, b in raw]
        np.testing.assert_allclose(value, found, rtol=0, atol=1e-15, err_msg=library)
    for library, found in STORED["overlaps"]["masks"].items():
        np.testing.assert_allclose(value, found, rtol=0, atol=1e-6, err_msg=library)
    # The mean of torchmetrics' IoU of each photo is mean IoU.
    truths = [Truth(str(n), (), (Target(b),), size_hw=SIZE) for n, (_, b) in enumerate(both)]
    predictions = [Prediction(str(n), "ok", final=Region(a, None), size_hw=SIZE) for n, (a, _) in enumerate(both)]
    mean = evaluate(predictions, truths, metrics=["mean_iou"], resamples=0).metrics["mean_iou"].value
    assert mean == pytest.approx(float(np.mean(STORED["overlaps"]["masks"]["torchmetrics"])), abs=1e-6)


EMPTY, DOT, WIDE = np.zeros((4, 4), bool), np.zeros((4, 4), bool), np.zeros((2, 8), bool)
DOT[0, 0], WIDE[:, :4] = True, True


def live_mask_iou(library: str, a: Any, b: Any) -> float:
    mask = classes_of(library)[2]
    return float(np.asarray(mask.iou(*([mask.encode(np.asfortranarray(x, np.uint8))] for x in (a, b)), [0])).item())


def test_two_empty_masks_have_as_many_answers_as_there_are_libraries() -> None:
    assert [live_mask_iou(library, EMPTY, EMPTY) for library in LIVE] == [0.0, 0.0, 0.0]
    # Of the classes nothing and mask: torchmetrics says 1 and −1, and its mean is of the first alone.
    assert STORED["edges"]["both masks empty"] == {"supervision": 0.0, "torchmetrics": [1.0, -1.0]}
    assert [mask_iou([encode(EMPTY)], [encode(EMPTY)], empty=said).item() for said in (0.0, 1.0)] == [0.0, 1.0]
    with pytest.raises(ValueError, match="the mask is empty"):
        Mask(encode(EMPTY))


def test_one_empty_mask_overlaps_nothing() -> None:
    assert [live_mask_iou(library, EMPTY, DOT) for library in LIVE] == [0.0, 0.0, 0.0]
    # With the background as a class, as is its default, torchmetrics' mean is 0.47.
    assert STORED["edges"]["one mask empty"] == {"supervision": 0.0, "torchmetrics": [0.9375, 0.0]}
    assert mask_iou([encode(EMPTY)], [encode(DOT)], empty=1.0).item() == 0.0


def test_a_transposed_mask_is_minus_1_in_three_libraries_and_refused_in_three() -> None:
    assert [live_mask_iou(library, WIDE, WIDE.T) for library in LIVE] == [-1.0, -1.0, -1.0]
    assert STORED["edges"]["a transposed mask"] == {"supervision": "ValueError", "torchmetrics": "RuntimeError"}
    with pytest.raises(ValueError, match="transposed"):
        mask_iou([encode(WIDE)], [encode(WIDE.T)], empty=0.0)
    prediction = Prediction("a", "ok", final=Region(Mask(encode(WIDE.T)), None), size_hw=(8, 2))
    with pytest.raises(InputError, match=r"runs/a, a: .*transposed"):
        join([prediction], [Truth("a", (), (Target(Mask(encode(WIDE))),), size_hw=(2, 8))], where="runs/a")


@pytest.mark.parametrize(
    ("edge", "of", "to"),
    [
        ("boxes that touch", (0, 0, 4, 4), (4, 0, 8, 4)),
        ("boxes without an area", (0, 0, 0, 4), (0, 0, 0, 4)),
        ("a side that is no number", (0, 0, math.nan, 4), (0, 0, 4, 4)),
    ],
)
def test_boxes_that_are_none(edge: str, of: Any, to: Any) -> None:
    boxes = [np.array([[x0, y0, x1 - x0, y1 - y0]], dtype=float) for x0, y0, x1, y1 in (of, to)]
    said = [np.asarray(classes_of(library)[2].iou(*boxes, [0])).item() for library in LIVE]
    stored = STORED["edges"][edge]
    if edge == "boxes that touch":
        assert said == [0.0, 0.0, 0.0]
        assert stored == {"supervision": 0.0, "torchmetrics": 0.0}
        assert box_iou(of, to, empty=1.0).item() == 0.0
    elif edge == "boxes without an area":
        assert said == [0.0, 0.0, 0.0]
        assert stored == {"supervision": 0.0, "torchmetrics": "nan"}
        assert [box_iou(of, to, empty=empty).item() for empty in (0.0, 1.0)] == [0.0, 1.0]
        with pytest.raises(ValueError, match="has no area"):
            Box(of)
    else:
        assert np.isnan(said).all()
        assert stored == {"supervision": 0.0, "torchmetrics": "nan"}
        with pytest.raises(ValueError, match="finite"):
            box_iou(of, to, empty=0.0)
        with pytest.raises(ValueError, match="not a finite number"):
            Box(of)


def test_no_region_at_all_is_an_error_in_pycocotools_and_0_elsewhere() -> None:
    truth, _ = as_coco(TRAPS["no region"])
    for library in LIVE:
        COCO = classes_of(library)[0]  # noqa: N806
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            reader = COCO() if library == "pycocotools" else COCO(truth)
            reader.dataset = truth
            if library == "pycocotools":
                reader.createIndex()
                with pytest.raises(IndexError):
                    reader.loadRes([])
            else:
                reader.loadRes([])
    assert ours("pycocotools_ap", TRAPS["no region"]) == [0.0, 0.0, 0.0]


def test_a_mask_in_rows_is_encoded_as_one_in_columns() -> None:
    """Pycocotools refuses it, the others turn it round themselves, as Foveate does."""
    rows = np.ascontiguousarray(WIDE, dtype=np.uint8)
    with pytest.raises(ValueError, match="not Fortran contiguous"):
        classes_of("pycocotools")[2].encode(rows)
    for library in LIVE[1:]:
        counts = classes_of(library)[2].encode(rows)["counts"]
        assert (counts.encode() if isinstance(counts, str) else counts) == encode(rows).counts
    # 255 for inside, as in a PNG, is inside.
    assert encode(rows * 255) == encode(rows)


def test_boxes_given_as_corners_where_sides_are_wanted_are_told_where_they_cannot_be_meant() -> None:
    """The trap of SKU110K 5, where it made 0.685 look like 0.859: ours takes corners, and says so of sides."""
    with pytest.raises(ValueError, match="are the last two a width and a height"):
        Box((10, 10, 4, 6))
    problem = Box((10, 8, 16, 14)).problem(SIZE)
    assert problem
    assert "lies outside the image" in problem
