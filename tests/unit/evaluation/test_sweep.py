"""The sweep against a slow witness: a mask for each threshold, scored as any prediction is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask, Polygon, Region, Shape
from foveate.core.rle import area, encode
from foveate.core.soft_maps import SoftMap
from foveate.core.truths import Truth
from foveate.evaluation.estimates import Draws
from foveate.evaluation.results import Results
from foveate.evaluation.sweep import THRESHOLDS, Cuts, Sweep, cross_fitted, cuts, halves, sweeps
from foveate.metrics._overlaps import measure
from tests.unit.evaluation.made import SIZE, asked, results, said

NONE = Draws(0)
TARGET = Box((20, 20, 60, 60))
SHAPES: list[Shape] = [
    TARGET,
    Polygon((((10, 10), (90, 20), (40, 80)),)),
    Mask(encode(np.arange(10_000).reshape(SIZE) % 7 < 3)),
]


def found_cuts(made: Results) -> Cuts:
    found = cuts(made)
    assert found is not None
    return found


def by_masks(soft: SoftMap, truth: Truth, scale: str) -> list[float]:
    """Returns the IoU at each threshold, from a mask each, by the scorer."""
    highest = float(soft.values.max()) if scale == "peak" else 1.0
    found = []
    for threshold in THRESHOLDS:
        rle = soft.above(threshold * highest, SIZE)
        if not area(rle) or highest == 0:
            found.append(0.0)
            continue
        prediction = Prediction("a", "ok", final=Region(Mask(rle), None), size_hw=SIZE)
        found.append(float(measure([prediction], [truth])["iou"][0]))
    return found


grids = st.integers(0, 2**32 - 1).map(
    lambda seed: np.random.default_rng(seed).choice([0, 0.05, 0.1, 0.3, 0.5, 0.7, 0.95, 1.0], (5, 4)).astype(np.float32)
)
affines = st.sampled_from([(25.0, 20.0, 0.0, 0.0), (30.0, 30.0, -10.0, 5.0), (10.0, 8.0, 40.0, 30.0)])


@given(grids, affines, st.sampled_from(SHAPES), st.sampled_from([1.0, 0.02]))
def test_every_threshold_is_the_mask_scored(
    grid: np.ndarray[tuple[int, int], np.dtype[np.float32]],
    affine: tuple[float, float, float, float],
    shape: Shape,
    strength: float,
) -> None:
    soft = SoftMap(grid * np.float32(strength), affine)
    truth = asked("a", shape)
    found = found_cuts(results([(said("a", TARGET, soft=soft), truth)]))
    for scale in ("peak", "absolute"):
        assert found.iou[scale][0].tolist() == pytest.approx(by_masks(soft, truth, scale), abs=1e-12)


@pytest.mark.parametrize("match", ["any", "union"])
def test_several_targets_count_as_in_every_metric(match: str) -> None:
    soft = SoftMap.over(np.random.default_rng(3).random((6, 6)), SIZE)
    shapes = SHAPES if match == "any" else SHAPES[1:]
    truth = asked("a", *shapes, match=match)  # type: ignore[arg-type]
    found = found_cuts(results([(said("a", TARGET, soft=soft), truth)]))
    assert found.iou["peak"][0].tolist() == pytest.approx(by_masks(soft, truth, "peak"), abs=1e-12)


def level(value: float, *, seed: int = 0) -> SoftMap:
    """Returns a map that is `value` on the target, 0.12 less around it, and 0.02 elsewhere."""
    plane = np.full(SIZE, 0.02)
    plane[10:70, 10:70] = value - 0.12
    plane[20:60, 20:60] = value
    return SoftMap.over(plane, SIZE)


def run(*values: float, config: dict[str, object] | None = None, photos: list[str] | None = None) -> Results:
    samples = [(said(str(n), TARGET, soft=level(value)), asked(str(n), TARGET)) for n, value in enumerate(values)]
    return results(samples, config=config, photos=photos)


def sweep_of(made: Results, scale: str, draws: Draws = NONE) -> Sweep:
    return next(one for one in sweeps(made, cuts(made), draws=draws) if one.scale == scale)


def test_the_best_threshold_by_hand() -> None:
    # Above 0.28 only the target of the first is left, and all of the second's surroundings; above 0.68 its target.
    found = sweep_of(run(0.4, 0.8), "absolute")
    values = {point.threshold: point.mean_iou.value for point in found.points}
    assert values[0.05] == pytest.approx(1600 / 3600)
    assert values[0.3] == pytest.approx((1 + 1600 / 3600) / 2)
    assert values[0.7] == pytest.approx(0.5)
    assert values[0.85] == 0.0
    assert found.best == 0.3
    assert {point.threshold: point.accuracy.value for point in found.points}[0.3] == 0.5
    assert found.each.value == 1.0
    # As shares of the peak one threshold fits both: above 0.7 for the first (0.28 / 0.4), 0.85 for the second.
    peak = sweep_of(run(0.4, 0.8), "peak")
    assert peak.best == 0.9
    assert max(point.mean_iou.value or 0 for point in peak.points) == 1.0
    assert peak.now.value == 1.0
    assert "oracle" in peak.caveat


def test_of_equal_thresholds_the_lowest_is_best() -> None:
    assert sweep_of(run(0.8), "absolute").best == 0.7


def test_the_cross_fitted_value_is_chosen_on_the_other_half() -> None:
    made = run(0.4, 0.4, 0.8, 0.8)
    found = found_cuts(made)
    for seed in range(12):
        first = halves(made.groups, found.there, seed)
        assert first.sum() == 2
        fitted = cross_fitted(made, found, "absolute", seed)
        assert fitted is not None
        iou, chosen = fitted
        if first.tolist() in ([True, True, False, False], [False, False, True, True]):
            # Chosen on the faint ones (0.3), the strong ones are too big; chosen on the strong (0.7), nothing is left.
            assert sorted(chosen) == [0.3, 0.7]
            assert sorted(iou.tolist()) == pytest.approx([0, 0, 1600 / 3600, 1600 / 3600])
    again = [sweep_of(made, "absolute", Draws(0, 5)).cross_fitted.value for _ in range(2)]
    assert again[0] == again[1]


@given(st.lists(st.sampled_from([0.3, 0.4, 0.6, 0.8]), min_size=2, max_size=9), st.integers(0, 20))
def test_an_honest_value_is_never_above_the_oracle(values: list[float], seed: int) -> None:
    made = run(*values)
    for one in sweeps(made, cuts(made), draws=Draws(0, seed)):
        best = max(point.mean_iou.value or 0 for point in one.points)
        assert one.cross_fitted.value is not None
        assert one.each.value is not None
        assert one.cross_fitted.value <= best + 1e-12
        assert best <= one.each.value + 1e-12


def test_photos_are_parted_whole() -> None:
    made = run(0.4, 0.4, 0.8, 0.8, photos=["a", "b", "a", "b"])
    first = halves(made.groups, np.ones(4), 0)
    assert first[0] == first[2] != first[1] == first[3]
    alone = sweep_of(run(0.4, 0.8, photos=["a", "a"]), "peak")
    assert alone.chosen is None
    assert alone.cross_fitted.value is None


def test_only_samples_with_a_map_and_a_target_count() -> None:
    samples = [
        (said("a", TARGET, soft=level(0.8)), asked("a", TARGET)),
        (said("b", TARGET), asked("b", TARGET)),
        (said("c", TARGET, soft=level(0.8)), asked("c")),
        (None, asked("d", TARGET)),
        (said("e", None, soft=level(0.8)), asked("e", TARGET)),
    ]
    made = results(samples)
    assert sweep_of(made, "peak").n == 2
    assert sweep_of(made, "peak").now.value == 0.5
    assert sweeps(results(samples[1:2]), cuts(results(samples[1:2]))) == []


def test_a_map_of_nothing_shows_nothing() -> None:
    made = results([(said("a", TARGET, soft=SoftMap.over(np.zeros((3, 3)), SIZE)), asked("a", TARGET))])
    assert [point.mean_iou.value for point in sweep_of(made, "peak").points] == [0.0] * len(THRESHOLDS)


@pytest.mark.parametrize(
    ("value", "wanted"), [(0.5, 0.5), (1, 1.0), ("0.5", None), (True, None), (7, None), (None, None)]
)
def test_the_threshold_in_use_is_the_runs_option(value: object, wanted: float | None) -> None:
    assert sweep_of(run(0.8, config={"threshold": value}), "peak").in_use == wanted


def test_without_the_photos_size_a_map_cannot_be_laid_on_it() -> None:
    from dataclasses import replace

    truth = replace(asked("a", TARGET), size_hw=None)
    prediction = replace(said("a", TARGET, soft=level(0.8)), size_hw=None)
    made = results([(prediction, truth), (said("b", TARGET, soft=level(0.8)), asked("b", TARGET))])
    assert sweep_of(made, "peak").unsized == 1
    assert sweep_of(made, "peak").n == 1
