from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from foveate.analysis.priors import (
    CENTRE,
    OVERALL,
    WHOLE,
    Tried,
    grids,
    on_grid,
    prior_of,
    try_priors,
)
from foveate.core.masks import box_to_rle
from foveate.core.overlap import mask_iou
from foveate.core.prior_cells import on_photo
from foveate.core.regions import Box, Mask
from foveate.core.rle import encode
from foveate.core.truths import Target
from tests.helpers import Sides
from tests.unit.analysis.looked import Sample, analysed, dataset

SIZE = (40, 80)
LEFT, RIGHT = (0.0, 0.0, 40.0, 40.0), (40.0, 0.0, 80.0, 40.0)


def sample(box: Sides, question: str = "left?", photo: str = "", **facts: list[str]) -> Sample:
    return Sample([Target(Box(box), "cup")], question, photo=photo, facts=facts)


def tried(samples: list[Sample], least: int = 2) -> dict[str, Tried]:
    data, analysis = dataset(samples, SIZE), analysed(samples, SIZE)
    found = try_priors(data, analysis, grids(data, analysis, 8), least=least, shares=(0.5,))
    return {each.name: each for each in found}


@given(st.integers(1, 90), st.integers(1, 90), st.integers(1, 70), st.integers(0, 2**32 - 1))
def test_on_grid_is_the_mean_of_the_pixels_below_each_cell(height: int, width: int, grid: int, seed: int) -> None:
    mask = np.random.default_rng(seed).random((height, width)) < 0.5
    # Every pixel as grid x grid equal parts, so that each cell is a block of whole parts.
    parts = mask.repeat(grid, axis=0).repeat(grid, axis=1).astype(float)
    blocks = parts.reshape(grid, height, grid, width).mean(axis=(1, 3))
    np.testing.assert_allclose(on_grid(encode(mask), grid) / 255.0, blocks, atol=0.51 / 255)


def slowly_tried(
    masks: list[NDArray[np.bool_]], photos: list[str], keys: list[list[str]], least: int, share: float
) -> list[float]:
    """Returns what a prior by some keys does on each sample, painted pixel by pixel and without any sum kept."""
    values = []
    for row, mask in enumerate(masks):
        others = [k for k in range(len(masks)) if photos[k] != photos[row]]
        means = []
        for key in keys[row]:
            group = [k for k in others if key in keys[k]]
            if len(group) >= least and sum(key in one for one in keys) > least:
                means.append(np.mean([on_grid(encode(masks[k]), 8) / 255 for k in group], axis=0))
        if not means and others:
            means = [np.mean([on_grid(encode(masks[k]), 8) / 255 for k in others], axis=0)]
        mean = np.round(np.mean(means, axis=0), 12) if means else np.zeros((8, 8))
        region = on_photo(mean >= np.round(share * mean.max(), 12), mask.shape)
        values.append(float(mask_iou([region], [encode(mask)], empty=0.0)[0]))
    return values


@pytest.mark.parametrize("seed", range(3))
def test_priors_are_those_of_a_slow_plain_witness(seed: int) -> None:
    rng = np.random.default_rng(seed)
    masks, samples = [], []
    for k in range(24):
        x, y = rng.integers(0, 60), rng.integers(0, 30)
        mask = np.zeros(SIZE, dtype=bool)
        mask[y : y + rng.integers(1, 30), x : x + rng.integers(1, 60)] = True
        mask &= rng.random(SIZE) < 0.9
        mask[y, x] = True
        masks.append(mask)
        skills = [name for name in ("text", "colour", "object") if rng.random() < 0.5]
        target = Target(Mask(encode(mask)), "cup")
        samples.append(Sample([target], f"{k % 3}?", photo=f"{k % 17}.png", facts={"skills": skills}))
    photos, (height, width) = [one.photo for one in samples], SIZE
    keys = {
        OVERALL: [[""]] * 24,
        "question": [[one.question] for one in samples],
        "skills": [list(one.facts["skills"]) for one in samples],
    }
    found = tried(samples, least=4)
    for name, of in keys.items():
        slow = slowly_tried(masks, photos, of, 0 if name == OVERALL else 4, 0.5)
        np.testing.assert_allclose(found[name].values, slow, rtol=0, atol=1e-12)
    boxes = {WHOLE: (0, 0, width, height), CENTRE: (width / 4, height / 4, width * 3 / 4, height * 3 / 4)}
    for name, box in boxes.items():
        slow = [float(mask_iou([box_to_rle(box, SIZE)], [encode(mask)], empty=0.0)[0]) for mask in masks]
        np.testing.assert_allclose(found[name].values, slow, rtol=0, atol=1e-12)


def test_whole_image_and_centre_box_are_what_they_are() -> None:
    found = tried([sample(LEFT), sample(LEFT)])
    assert found[WHOLE].values == pytest.approx([0.5, 0.5])
    # The centre box is 20..60 x 10..30, 800 pixels, half of it inside a target of 1,600.
    assert found[CENTRE].values == pytest.approx([400 / 2000] * 2)


def test_a_sample_is_grounded_by_the_others_only() -> None:
    # Of two targets that share nothing each is grounded by the other.
    assert tried([sample(LEFT), sample(RIGHT)])[OVERALL].values.tolist() == [0.0, 0.0]
    assert tried([sample(LEFT), sample(LEFT)])[OVERALL].values.tolist() == [1.0, 1.0]


def test_samples_of_the_same_photo_do_not_help_one_another() -> None:
    samples = [sample(LEFT, photo="one.png"), sample(LEFT, photo="one.png"), sample(RIGHT, photo="two.png")]
    assert tried(samples)[OVERALL].values.tolist() == [0.0, 0.0, 0.0]


def test_without_another_photo_the_whole_image_is_left() -> None:
    assert tried([sample(LEFT)])[OVERALL].values.tolist() == [0.5]


def test_a_question_has_its_own_prior_where_enough_others_ask_it() -> None:
    samples = [sample(LEFT, "left?") for _ in range(4)] + [sample(RIGHT, "right?") for _ in range(3)]
    by_question = tried(samples, least=3)["question"]
    assert by_question.own.tolist() == [True] * 4 + [False] * 3
    assert by_question.values[:4].tolist() == [1.0] * 4
    # "right?" has two others, too few: all samples stand in, four on the left against two on the right.
    assert by_question.values[4:].tolist() == [0.5] * 3


def test_a_grouping_without_a_prior_of_its_own_is_left_out() -> None:
    samples = [sample(LEFT, f"{k}?") for k in range(4)]
    assert list(tried(samples, least=3)) == [WHOLE, CENTRE, OVERALL, "answer"]


def test_a_sample_of_two_groups_gets_the_mean_of_both() -> None:
    samples = [sample(LEFT, skills=["text"]) for _ in range(3)] + [sample(RIGHT, skills=["colour"]) for _ in range(9)]
    samples.append(sample((0, 0, 80, 40), skills=["text", "colour"]))
    # Means of 3 and 9 samples count alike: both halves are at one half.
    assert tried(samples)["skills"].values[-1] == 1.0


def test_the_prior_has_counts_centres_and_means() -> None:
    samples = [sample(LEFT, "left?"), sample(RIGHT, "left?"), sample(RIGHT, "right?")]
    data, analysis = dataset(samples, SIZE), analysed(samples, SIZE)
    prior = prior_of(data, analysis, grids(data, analysis, 2), least=2)
    assert (prior.n, prior.dataset, prior.notes["question"]) == (3, "made:all", "as it is")
    np.testing.assert_allclose(prior.mean, [[1 / 3, 2 / 3]] * 2, atol=1e-6)
    assert [(group.kind, group.key, group.n) for group in prior.groups] == [
        ("question", "left", 2),
        ("answer", "cup", 3),
        ("question_prefix", "left", 2),
    ]
    # Two of three targets are the right half.
    assert prior.best_box == (0.5, 0.0, 1.0, 1.0)
    assert prior.best_box_value == pytest.approx(2 / 3)
    np.testing.assert_allclose(prior.groups[0].mean, 0.5)


def test_samples_without_a_target_are_left_out() -> None:
    samples = [sample(LEFT), Sample([]), sample(LEFT)]
    assert len(tried(samples)[WHOLE].values) == 2
