"""What every metric promises: its hand-derived cases, its range, and that shards and weights do not change it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from foveate import plugins
from foveate.core.cards import MetricCard
from foveate.metrics._cases import Case, box_case
from tests.helpers import predicted, truth

NAMES = list(plugins.modules("metrics"))


def columns_of(module: Any, samples: Any) -> Any:
    return module.measure([p for p, _ in samples], [t for _, t in samples])


@pytest.mark.parametrize("name", NAMES)
def test_the_card_is_complete(name: str) -> None:
    card: MetricCard = plugins.load("metrics", name).CARD
    assert card.name == name
    assert card.shapes
    assert card.states
    assert card.reference
    assert card.low < card.high
    assert card.parameter or card.default_parameter is None
    # Without a value after @ there is a usual one, or the card says what is done then.
    assert card.parameter is None or card.default_parameter is not None or "without it" in card.parameter


@pytest.mark.parametrize(
    ("name", "case"), [(name, case) for name in NAMES for case in plugins.load("metrics", name).CASES]
)
def test_hand_derived_cases(name: str, case: Case) -> None:
    module = plugins.load("metrics", name)
    values = module.reduce(columns_of(module, case.samples), np.ones((1, len(case.samples))))
    for key, wanted in (("value", case.value), ("value_scored", case.value_scored)):
        assert values[key][0] == pytest.approx(float("nan") if wanted is None else wanted, abs=1e-12, nan_ok=True)


RED = ["red"] * 7 + ["a rose", "Rose", "pink"]
SAMPLES = [
    box_case((0, 0, 10, 10), (0, 0, 10, 8), score=0.3, answer="red", answers=RED),
    box_case((0, 0, 10, 10), (2, 2, 14, 11), score=0.9, answer="rose", answers=RED),
    box_case(None, (0, 0, 4, 4), answer="blue", answers=RED),
    box_case((0, 0, 4, 4), None, score=0.3, answers=RED),
    box_case((5, 5, 9, 9), (5, 5, 9, 9), score=0.5, answer="Red.", answers=RED),
    box_case(None, None, answers=RED),
]


@pytest.mark.parametrize("name", NAMES)
def test_a_weight_of_two_is_the_sample_twice(name: str) -> None:
    module = plugins.load("metrics", name)
    weighted = module.reduce(columns_of(module, SAMPLES), np.array([[2.0, 1, 0, 1, 3, 1]]))
    repeated = [SAMPLES[i] for i in (0, 0, 1, 3, 4, 4, 4, 5)]
    plain = module.reduce(columns_of(module, repeated), np.ones((1, len(repeated))))
    for key in ("value", "value_scored", "n"):
        assert weighted[key][0] == pytest.approx(plain[key][0], abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", NAMES)
def test_values_lie_in_the_range_of_the_card(name: str) -> None:
    module = plugins.load("metrics", name)
    weights = np.random.default_rng(0).integers(0, 3, (200, len(SAMPLES))).astype(np.float64)
    found = module.reduce(columns_of(module, SAMPLES), weights)
    assert found["n"].shape == found["value"].shape == found["value_scored"].shape == (200,)
    for key in ("value", "value_scored"):
        defined = found[key][np.isfinite(found[key])]
        assert (defined >= module.CARD.low).all()
        assert (defined <= module.CARD.high + 1e-12).all()
    assert np.isfinite(found["value"]).any()
    assert not np.isfinite(found["value"][found["n"] == 0]).any() or name == "abstention"


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_samples_matters_only_where_the_card_says_so(name: str) -> None:
    module = plugins.load("metrics", name)
    ones = np.ones((1, len(SAMPLES)))
    here, there = (module.reduce(columns_of(module, samples), ones) for samples in (SAMPLES, SAMPLES[::-1]))
    same = [here[key][0] == pytest.approx(there[key][0], abs=1e-12, nan_ok=True) for key in here]
    assert all(same) != module.CARD.by_order


@pytest.mark.parametrize("name", NAMES)
def test_shards_concatenate(name: str) -> None:
    module = plugins.load("metrics", name)
    whole, first, rest = (columns_of(module, part) for part in (SAMPLES, SAMPLES[:2], SAMPLES[2:]))
    for key, column in whole.items():
        assert np.array_equal(column, np.concatenate([first[key], rest[key]]))


@pytest.mark.parametrize("name", NAMES)
def test_nothing_to_score_is_not_a_number(name: str) -> None:
    module = plugins.load("metrics", name)
    values = module.reduce(module.measure([], []), np.ones((1, 0)))
    assert np.isnan(values["value"]).all()
    assert np.isnan(values["value_scored"]).all()
    assert values["n"].tolist() == [0.0]


ONLY_TARGETS = [n for n in NAMES if "a truth without a target is left out" in plugins.load("metrics", n).CARD.states]


@pytest.mark.parametrize("name", ONLY_TARGETS)
def test_no_target_gives_no_value_where_only_targets_count(name: str) -> None:
    module = plugins.load("metrics", name)
    columns = module.measure([predicted("a", (0, 0, 1, 1)), None], [truth("a", None), truth("b", None)])
    values = module.reduce(columns, np.ones((1, 2)))
    assert np.isnan(values["value"]).all()
    assert np.isnan(values["value_scored"]).all()


@pytest.mark.parametrize("name", NAMES)
def test_predictions_and_truths_come_in_pairs(name: str) -> None:
    with pytest.raises(ValueError, match="in pairs"):
        plugins.load("metrics", name).measure([None], [])
