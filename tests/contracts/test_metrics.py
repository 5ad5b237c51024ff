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
    assert (card.parameter is None) == (card.default_parameter is None)


@pytest.mark.parametrize(
    ("name", "case"), [(name, case) for name in NAMES for case in plugins.load("metrics", name).CASES]
)
def test_hand_derived_cases(name: str, case: Case) -> None:
    module = plugins.load("metrics", name)
    values = module.reduce(columns_of(module, case.samples), np.ones((1, len(case.samples))))
    assert values["value"][0] == pytest.approx(case.value, abs=1e-12)
    assert values["value_scored"][0] == pytest.approx(case.value_scored, abs=1e-12)


SAMPLES = [
    box_case((0, 0, 10, 10), (0, 0, 10, 8)),
    box_case((0, 0, 10, 10), (2, 2, 14, 11)),
    box_case(None, (0, 0, 4, 4)),
    box_case((0, 0, 4, 4), None),
    box_case((5, 5, 9, 9), (5, 5, 9, 9)),
]


@pytest.mark.parametrize("name", NAMES)
def test_a_weight_of_two_is_the_sample_twice(name: str) -> None:
    module = plugins.load("metrics", name)
    weighted = module.reduce(columns_of(module, SAMPLES), np.array([[2.0, 1, 0, 1, 3]]))
    repeated = [SAMPLES[i] for i in (0, 0, 1, 3, 4, 4, 4)]
    plain = module.reduce(columns_of(module, repeated), np.ones((1, len(repeated))))
    for key in ("value", "value_scored"):
        assert weighted[key][0] == pytest.approx(plain[key][0], abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_shards_concatenate(name: str) -> None:
    module = plugins.load("metrics", name)
    whole, first, rest = (columns_of(module, part) for part in (SAMPLES, SAMPLES[:2], SAMPLES[2:]))
    for key, column in whole.items():
        assert np.array_equal(column, np.concatenate([first[key], rest[key]]))


@pytest.mark.parametrize("name", NAMES)
def test_nothing_to_score_is_not_a_number(name: str) -> None:
    module = plugins.load("metrics", name)
    columns = module.measure([predicted("a", (0, 0, 1, 1)), None], [truth("a", None), truth("b", None)])
    values = module.reduce(columns, np.ones((1, 2)))
    assert np.isnan(values["value"]).all()
    assert np.isnan(values["value_scored"]).all()


@pytest.mark.parametrize("name", NAMES)
def test_predictions_and_truths_come_in_pairs(name: str) -> None:
    with pytest.raises(ValueError, match="in pairs"):
        plugins.load("metrics", name).measure([None], [])
