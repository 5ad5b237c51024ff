"""Rankings by hand, against `compare`, and the detectable difference against a simulation."""

from __future__ import annotations

import json
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.core.regions import Box
from foveate.errors import UsageError
from foveate.evaluation._letters import groups_by_best, letters
from foveate.evaluation._pairs import pair_ps
from foveate.evaluation.compare import Draws, differences
from foveate.evaluation.measured import Columns, columns_of, measured, reduced
from foveate.evaluation.metric_names import Metric, metrics_named
from foveate.evaluation.paired import permutation_ps
from foveate.evaluation.results import Results
from foveate.evaluation.significance import Wanted, rank_shares, significance
from tests.unit.evaluation.made import asked, results, said

QUICK = Draws(200, 500, 0)


def run(name: str, ious: np.ndarray, photos: list[str] | None = None) -> Results:
    """Returns a run whose regions are the left part of a target of 100 x 100, so that the share is the IoU."""
    samples = [
        (said(f"s{n}", Box((0, 0, 100 * float(iou), 100)) if iou else None), asked(f"s{n}", Box((0, 0, 100, 100))))
        for n, iou in enumerate(ious)
    ]
    return results(samples, name=name, photos=photos)


@pytest.fixture(scope="module")
def three() -> list[Results]:
    rng = np.random.default_rng(1)
    base = rng.uniform(0.2, 0.6, 60)
    return [
        run("low", base),
        run("high", base + rng.uniform(0.1, 0.3, 60)),
        run("like low", base + rng.normal(0, 0.01, 60)),
    ]


def test_the_ranking_groups_and_letters(three: list[Results]) -> None:
    found = significance(three, draws=QUICK)
    assert found.runs[0].name == "high"
    assert {one.name for one in found.runs[1:]} == {"low", "like low"}
    assert [one.group for one in found.runs] == [1, 2, 2]
    assert [one.letters for one in found.runs] == ["a", "b", "b"]
    assert list(found.runs[0].ranks) == [1, 0, 0]
    for place in range(3):
        assert sum(one.ranks[place] for one in found.runs) == pytest.approx(1)
    assert found.runs[1].ranks[0] == 0
    assert 0 < found.runs[1].ranks[2] < 0.5 < found.runs[1].ranks[1]
    assert (found.n, found.photos, found.metric, found.better) == (60, 60, "mean_iou", "higher")


def test_one_photo_tells_no_rank_and_no_detectable_difference() -> None:
    found = significance([run("a", np.full(9, 0.9), ["p"] * 9), run("b", np.full(9, 0.1), ["p"] * 9)], draws=QUICK)
    (gap,) = found.gaps
    assert (gap.error, gap.detectable, gap.photos_needed, gap.difference.low) == (None, None, None, None)
    assert [list(one.ranks) for one in found.runs] == [[], []]


def test_a_run_that_is_not_told_apart_from_the_best_is_in_its_group_beyond_one_that_is() -> None:
    # b is told apart from a; c, which spreads more, is not.
    assert groups_by_best(["a", "b", "c", "d"], {("a", "c"), ("c", "d")}) == {"a": 1, "c": 1, "b": 2, "d": 3}


def value_of(metric: Metric, columns: Columns, weights: np.ndarray) -> np.ndarray:
    return reduced(metric, columns, weights)["value"]


# A mean, whose pairs are made of the sums of each run, and a ratio of sums, of which that does not hold.
@pytest.mark.parametrize("metric", ["mean_iou", "cumulative_iou"])
def test_p_values_are_those_of_compare(three: list[Results], metric: str) -> None:
    found = significance(three, metric, draws=QUICK)
    together = {
        one.name: measured(one.loaded.predictions, one.truths, metrics=[metric], groups=one.loaded.groups)
        for one in three
    }
    order = [one.name for one in found.runs]
    by_compare = differences(together, list(combinations(order, 2)), QUICK)
    assert [(gap.better, gap.worse) for gap in found.gaps] == [(d.first, d.second) for d in by_compare]
    for gap, d in zip(found.gaps, by_compare, strict=True):
        assert (gap.p, gap.p_holm) == (d.p, d.p_holm)
        assert d.difference is not None
        assert d.low is not None
        assert d.high is not None
        assert gap.difference.value == pytest.approx(-d.difference)
        assert gap.difference.low == pytest.approx(-d.high)
        assert gap.difference.high == pytest.approx(-d.low)


def test_the_error_is_that_of_photos_and_not_of_samples() -> None:
    rng = np.random.default_rng(2)
    of_photo = rng.normal(0, 0.1, 40)
    base = np.full(120, 0.5)
    photos = [f"p{n // 3}" for n in range(120)]
    pair = [run("a", base, photos), run("b", base + np.repeat(of_photo, 3), photos)]
    (gap,) = significance(pair, draws=Draws(4000, 0, 0)).gaps
    # Three samples a photo that all differ alike are as good as one.
    assert gap.error == pytest.approx(of_photo.std(ddof=1) / np.sqrt(40), rel=0.05)
    assert gap.error is not None
    assert gap.error > 1.5 * np.repeat(of_photo, 3).std() / np.sqrt(120)
    assert (gap.p, gap.p_holm) == (None, None)


def test_a_detectable_difference_is_found_as_often_as_was_asked() -> None:
    rng = np.random.default_rng(3)
    # Differences that are skewed and mostly 0, as those of IoUs are.
    spread = np.where(rng.random(250) < 0.4, rng.exponential(0.3, 250), 0)
    pair = [run("a", np.full(250, 0.1)), run("b", 0.1 + np.minimum(spread, 0.9))]
    (gap,) = significance(pair, draws=Draws(4000, 0, 0)).gaps
    centred = np.minimum(spread, 0.9) - np.minimum(spread, 0.9).mean()
    assert gap.detectable is not None
    found = 0
    for _ in range(2000):
        seen = centred[rng.integers(250, size=250)] + gap.detectable
        found += abs(seen.mean()) > 1.96 * seen.std(ddof=1) / np.sqrt(250)
    assert found / 2000 == pytest.approx(0.8, abs=0.04)


def test_photos_needed_grow_with_the_square() -> None:
    base = np.linspace(0.2, 0.6, 50)
    noise = np.tile([0.1, -0.1], 25)
    pair = [run("a", base), run("b", base + noise + 0.01)]
    (gap,) = significance(pair, draws=Draws(4000, 0, 0)).gaps
    # (1.96 + 0.8416)^2 * 0.1^2 / 0.01^2
    assert gap.photos_needed == pytest.approx(785, rel=0.08)
    (more,) = significance(pair, draws=Draws(4000, 0, 0), wanted=Wanted(power=0.9)).gaps
    assert more.photos_needed == pytest.approx(1051, rel=0.08)
    assert gap.detectable == gap.detectable_among_all


@pytest.mark.parametrize("metric", ["mean_iou", "cumulative_iou", "coco_ap@0.5", "aurc", "exact_match"])
def test_p_values_of_pairs_are_those_of_each_pair_alone(metric: str) -> None:
    """Ties, photos of several samples, samples without a target or a prediction."""
    rng = np.random.default_rng(4)
    target = Box((0, 0, 100, 100))
    truths = [asked(str(n), *([target] if n % 7 else []), answers=["cat"] if n % 5 else []) for n in range(30)]
    photos = [str(n // 2 % 12) for n in range(30)]
    columns = {}
    for name in "abcd":
        samples = []
        for n, truth in enumerate(truths):
            shape = Box((0, 0, float(rng.integers(1, 5)) * 25, 100)) if rng.random() < 0.8 else None
            answer = "cat" if rng.random() < 0.6 else "dog"
            one = said(str(n), shape, score=float(rng.integers(4)) / 4, answer=answer)
            samples.append((one if rng.random() < 0.9 else None, truth))
        (by,), made = metrics_named([metric]), results(samples, photos=photos, name=name)
        columns[name] = columns_of(by, made.joined, name)
    found = pair_ps(by, columns, list(combinations("abcd", 2)), photos, permutations=300, seed=2)
    for a, b in combinations("abcd", 2):
        both = {key: np.concatenate([columns[a][key], columns[b][key]]) for key in columns[a]}
        laid = {"": partial(value_of, by, both)}
        alone = permutation_ps(laid, photos, permutations=300, seed=2)
        assert found[a, b] == alone[""]


def test_equal_runs_share_everything() -> None:
    ious = np.linspace(0.1, 0.9, 20)
    found = significance([run("a", ious), run("b", ious)], draws=QUICK)
    assert [list(one.ranks) for one in found.runs] == [[0.5, 0.5], [0.5, 0.5]]
    assert [one.letters for one in found.runs] == ["a", "a"]
    assert found.gaps[0].photos_needed is None
    assert found.gaps[0].detectable == 0


def test_lower_is_better_where_the_metric_says_so() -> None:
    def scored(name: str, scores: tuple[float, float]) -> Results:
        boxes = (Box((0, 0, 100, 100)), Box((0, 0, 10, 100)))
        samples = [
            (said(f"s{n}", box, score=score), asked(f"s{n}", Box((0, 0, 100, 100))))
            for n, (box, score) in enumerate(zip(boxes, scores, strict=True))
        ]
        return results(samples, name=name)

    found = significance([scored("sure where wrong", (0.1, 0.9)), scored("sure where right", (0.9, 0.1))], "aurc")
    assert found.better == "lower"
    assert [one.name for one in found.runs] == ["sure where right", "sure where wrong"]
    assert found.runs[0].ranks[0] > 0.5


def test_without_draws_there_are_values_and_no_more(three: list[Results]) -> None:
    found = significance(three, draws=Draws(0, 0, 0))
    assert all(one.ranks == () and one.value.low is None for one in found.runs)
    assert all(gap.error is None and gap.detectable is None and gap.p is None for gap in found.gaps)
    # Nothing was tested, so nothing is told apart.
    assert {one.group for one in found.runs} == {1}


def test_what_cannot_be_ranked(three: list[Results]) -> None:
    with pytest.raises(UsageError, match="1 run given"):
        significance(three[:1])
    with pytest.raises(UsageError, match="no value for low, high, like low"):
        significance(three, "vqa_accuracy")
    with pytest.raises(UsageError, match="between 0 and 1"):
        Wanted(alpha=1)


def test_ranks_leave_out_what_is_not_defined() -> None:
    values = np.array([[0.1, 0.2], [np.nan, 0.2], [0.3, 0.2]])
    assert rank_shares(values).tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert np.isnan(rank_shares(values[1:2])).all()


def test_the_best_of_a_group_decides() -> None:
    order = ["a", "b", "c", "d"]
    assert groups_by_best(order, {("a", "b"), ("a", "c"), ("c", "d")}) == {"a": 1, "b": 1, "c": 1, "d": 2}
    assert groups_by_best(order, ()) == {"a": 1, "b": 2, "c": 3, "d": 4}


@given(st.integers(2, 7), st.data())
def test_two_runs_share_a_letter_exactly_if_they_are_not_told_apart(count: int, data: st.DataObject) -> None:
    order = [str(n) for n in range(count)]
    pairs = list(combinations(order, 2))
    alike = {pair for pair in pairs if data.draw(st.booleans())}
    told = letters(order, alike)
    assert all(told.values())
    for first, second in pairs:
        assert bool(set(told[first]) & set(told[second])) == ((first, second) in alike)


def test_plain_values_are_json(three: list[Results]) -> None:
    found = significance(three, draws=QUICK)
    told = json.loads(json.dumps(found.as_dict()))
    assert told["runs"][0]["ranks"] == [1, 0, 0]
    assert told["wanted"] == {"alpha": 0.05, "power": 0.8}
