from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.core.predictions import Prediction
from foveate.core.truths import Truth
from foveate.metrics import aurc, ece
from foveate.metrics._cases import box_case
from foveate.metrics._overlaps import Columns
from foveate.metrics._selective import measure, reliability, risk_coverage

Sample = tuple[float, float, bool]
samples = st.lists(
    st.tuples(st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0]), st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.booleans()),
    min_size=1,
    max_size=9,
)


def columns_of(found: list[Sample]) -> Columns:
    """Predictions of (score, IoU, whether there is a region), made of boxes 10 high and 40 wide."""
    pairs: list[tuple[Prediction, Truth]] = [
        box_case((0, 0, 40, 10) if region else None, (0, 0, 40 * iou or 1, 10) if iou else (60, 0, 70, 10), score=score)
        for score, iou, region in found
    ]
    return measure([p for p, _ in pairs], [t for _, t in pairs])


@given(samples)
def test_aurc_by_counting(found: list[Sample]) -> None:
    given_regions = [(score, 1 - iou) for score, iou, region in found if region]
    value = aurc.reduce(columns_of(found), np.ones((1, len(found))))["value"][0]
    if not given_regions:
        assert np.isnan(value)
        return
    risks = []
    for score, _ in given_regions:
        losses = [loss for other, loss in given_regions if other >= score]
        risks.append(sum(losses) / len(losses))
    assert value == pytest.approx(sum(risks) / len(risks), abs=1e-12)


@given(samples, st.integers(1, 12))
def test_ece_by_counting(found: list[Sample], bins: int) -> None:
    columns = columns_of(found)
    value = ece.reduce(columns, np.ones((1, len(found))), bins)["value"][0]
    regions = [(score, iou >= 0.5) for score, iou, region in found if region]
    if not regions:
        assert np.isnan(value)
        return
    total = 0.0
    for number in range(bins):
        last = number == bins - 1
        inside = [r for r in regions if number <= r[0] * bins < number + 1 or (last and r[0] == 1.0)]
        total += abs(sum(hit - score for score, hit in inside))
    assert value == pytest.approx(total / len(regions), abs=1e-12)
    table = reliability(columns, bins)
    assert table.count.sum() == len(regions)
    assert value == pytest.approx(float((table.count * abs(table.score - table.hits)).sum()) / len(regions), abs=1e-12)


def test_the_risk_coverage_curve_by_hand() -> None:
    curve = risk_coverage(columns_of([(0.9, 1.0, True), (0.5, 0.0, True), (0.5, 0.5, True), (0.0, 1.0, False)]))
    assert curve.coverage.tolist() == [0.25, 0.75]
    assert curve.risk.tolist() == pytest.approx([0.0, 1.5 / 3])


def test_without_a_region_there_is_no_curve() -> None:
    curve = risk_coverage(columns_of([(0.9, 1.0, False)]))
    assert curve.coverage.size == curve.risk.size == 0
    assert reliability(columns_of([(0.9, 1.0, False)]), 5).count.size == 0


@pytest.mark.parametrize("bins", [0.0, -3.0, 1.5, float("nan"), float("inf"), 1e9])
def test_a_number_of_bins_that_is_none_is_refused(bins: float) -> None:
    with pytest.raises(ValueError, match="whole number of bins from 1 to 10000"):
        ece.reduce(measure([], []), np.ones((1, 0)), bins)


def test_scores_count_in_the_resample_as_often_as_drawn() -> None:
    found: list[Sample] = [(0.9, 1.0, True), (0.4, 0.0, True), (0.1, 0.5, True)]
    weights = np.array([[0.0, 2.0, 1.0], [3.0, 0.0, 0.0]])
    values = aurc.reduce(columns_of(found), weights)["value"]
    # Losses down the list: 1, 1, then (1 + 1 + 0.5) / 3; the second resample knows only the right one.
    assert values == pytest.approx([(1 + 1 + 2.5 / 3) / 3, 0.0])
