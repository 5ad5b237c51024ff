"""Krippendorff's alpha of regions: values by hand, what changes it and what does not, its interval."""

from __future__ import annotations

import os
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.quality import alpha as module
from foveate.quality.alpha import Effort, Spread, alpha
from foveate.quality.pairs import pairs_of
from foveate.quality.regions import Frame
from tests.unit.quality.made import boxed, corners, crowd, judged

NONE = Effort(resamples=0)


def test_a_value_by_hand() -> None:
    # Task t: IoU 1/2. Task u: IoU 1. Between the tasks nothing is shared.
    sent = [boxed("t", "a", 0, 0, 10, 10), boxed("t", "b", 0, 0, 10, 5), boxed("v", "a", 1, 1, 2, 2)]
    sent += [boxed("u", name, 30, 20, 40, 30) for name in ("a", "b")]
    found = alpha(pairs_of(sent), "pixels", NONE)
    # Do = (2 * 1/2 + 2 * 0) / 4; De of the six pairs = (1/2 + 0 + 4 * 1) / 6. The lone region of v has no part.
    assert (found.observed, found.expected) == pytest.approx((0.25, 0.75))
    assert found.value == pytest.approx(2 / 3)
    assert (found.tasks, found.values, found.pairs, found.sampled) == (2, 4, 6, False)
    assert (found.low, found.high, found.expected_low, found.frame, found.compared) == (
        None,
        None,
        None,
        "pixels",
        "boxes",
    )


def test_a_task_counts_by_its_regions() -> None:
    sent = [boxed("t", "a", 0, 0, 10, 10), boxed("t", "b", 0, 0, 10, 5)]
    sent += [boxed("u", name, 30, 20, 40, 30) for name in ("a", "b", "c")]
    assert alpha(pairs_of(sent), "pixels", NONE).observed == pytest.approx((2 * 0.5 + 3 * 0) / 5)


def test_the_frame_matters_only_between_photos_of_different_sizes() -> None:
    sent = [boxed("t", name, 0, 0, 20, 20, size_hw=(40, 40)) for name in ("a", "b")]
    sent += [boxed("u", name, 0, 0, 40, 40, size_hw=(80, 80)) for name in ("a", "b")]
    sent += [boxed("v", name, 40, 40, 80, 80, size_hw=(80, 80)) for name in ("a", "b")]
    # As shares t and u are one place, in pixels they share a quarter; v shares nothing with either.
    unit, pixels = (alpha(pairs_of(sent), frame, NONE) for frame in ("unit", "pixels"))
    assert unit.expected == pytest.approx((15 - 3 - 4) / 15)
    assert pixels.expected == pytest.approx((15 - 3 - 4 * 0.25) / 15)
    alike = crowd(3, 10)
    values = [alpha(pairs_of(alike), frame, NONE).value for frame in get_args(Frame)]
    assert values[0] == pytest.approx(values[1])


def test_where_it_is_not_defined_it_says_why() -> None:
    same = [boxed(task, name, 0, 0, 10, 10) for task in "tu" for name in "ab"]
    found = alpha(pairs_of(same))
    assert (found.value, found.low, found.why) == (
        None,
        None,
        "all regions are the same, so that chance alone would agree as well",
    )
    alone = alpha(pairs_of([boxed("t", "a", 0, 0, 5, 5), boxed("u", "b", 0, 0, 5, 5)]))
    assert (alone.value, alone.why, alone.pairs) == (None, "no task has regions of two people", 0)
    assert alpha(pairs_of([])).as_dict()["value"] is None


def test_one_task_has_a_value_and_no_interval() -> None:
    found = alpha(pairs_of([boxed("t", "a", 0, 0, 10, 10), boxed("t", "b", 0, 0, 10, 5)]))
    # Nothing but the one pair: observed and expected are the same.
    assert (found.value, found.low, found.high) == (0.0, None, None)


@given(st.integers(0, 10**6))
def test_neither_order_nor_names_change_it(seed: int) -> None:
    sent = crowd(seed, 6)
    order = np.random.default_rng(seed).permutation(len(sent))
    values = [alpha(pairs_of(some), "unit", NONE).value for some in (sent, [sent[n] for n in order])]
    assert values[0] == pytest.approx(values[1])


def test_worse_drawing_lowers_it_and_dealing_out_gives_about_zero() -> None:
    values = [alpha(pairs_of(crowd(1, 60, noise=noise)), "unit", NONE).value or 0 for noise in (0.5, 2.0, 6.0)]
    assert values == sorted(values, reverse=True)
    rng = np.random.default_rng(9)
    sent = crowd(2, 300)
    dealt = [sent[n].said for n in rng.permutation(len(sent))]
    mixed = [judged(one.task, one.annotator, said.shape) for one, said in zip(sent, dealt, strict=True)]
    assert alpha(pairs_of(mixed), "unit", NONE).value == pytest.approx(0, abs=0.02)


def test_masks_exact_and_sampled() -> None:
    sent = [judged(one.task, one.annotator, corners(*one.said.shape.xyxy)) for one in crowd(4, 40) if one.said.shape]
    pairs = pairs_of(sent)
    exact = alpha(pairs, "unit", NONE)
    drawn = alpha(pairs, "unit", Effort(most_pairs=2_000, seed=3))
    assert (exact.compared, exact.sampled, drawn.sampled, drawn.pairs) == ("masks", False, True, 2_000)
    assert exact.observed == drawn.observed == pytest.approx(1 - _task_mean(pairs.task, pairs.iou))
    low, high = drawn.expected_low, drawn.expected_high
    assert None not in (low, high, exact.expected)
    assert (low or 1) < (exact.expected or 0) < (high or 0)
    assert alpha(pairs, "unit", Effort(most_pairs=2_000, seed=3)) == drawn
    # Boxes of whole pixels cut out of the same photos: as boxes it is the same up to the grid.
    as_boxes = alpha(pairs_of(crowd(4, 40)), "unit", NONE)
    assert exact.value == pytest.approx(as_boxes.value, abs=0.02)


def _task_mean(task: np.ndarray, iou: np.ndarray) -> float:
    """Returns the mean IoU of pairs, each task by its number of regions: pairs 1, 3 are of 2, 3 regions."""
    each = [iou[task == n] for n in sorted(set(task.tolist()))]
    drawn = [{1: 2, 3: 3}[len(values)] for values in each]
    return float(np.average([values.mean() for values in each], weights=drawn))


def test_resamples_follow_the_whole_to_the_first_order() -> None:
    rng = np.random.default_rng(6)
    tasks, people = 30, 3
    far = rng.uniform(size=(tasks * people, tasks * people))
    far = np.triu(far, 1) + np.triu(far, 1).T
    blocks = far.reshape(tasks, people, tasks, people).sum(axis=(1, 3))
    spread = Spread(np.full(tasks, 3.0), np.diag(blocks) / 6, blocks.sum(axis=1))

    def whole(weights: np.ndarray) -> float:
        """Returns alpha with every task counted by its weight, also its distances."""
        count = 3 * weights.sum()
        observed = (weights * 3 * np.diag(blocks) / 6).sum() / count
        return float(1 - observed / (weights @ blocks @ weights / (count * (count - 1))))

    one = np.ones(tasks)
    assert spread.alphas(one[None])[0] == pytest.approx(whole(one))
    change = rng.normal(size=tasks)
    errors = [abs(spread.alphas((one + step * change)[None])[0] - whole(one + step * change)) for step in (1e-2, 1e-3)]
    # A tenth of the step: a hundredth of what is left out.
    assert errors[1] < errors[0] / 50
    assert np.isnan(Spread(np.full(2, 2.0), np.zeros(2), np.zeros(2)).alphas(np.ones((1, 2)))).all()


def test_the_interval_is_about_as_wide_as_other_crowds_are_apart() -> None:
    found = [alpha(pairs_of(crowd(seed, 80)), "unit", Effort(resamples=300)) for seed in range(30)]
    values = [one.value or 0 for one in found]
    widths = [(one.high or 0) - (one.low or 0) for one in found]
    assert np.median(widths) / (2 * 1.96 * np.std(values)) == pytest.approx(1, abs=0.45)
    assert sum((one.low or 1) < np.mean(values) < (one.high or 0) for one in found) >= 24


def test_as_many_threads_as_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    assert module._cores() >= 1
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert module._cores() >= 1
