"""The choices against runs whose attention is cut anew, each scored as any run is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from foveate.core.predictions import Prediction
from foveate.core.regions import Box
from foveate.core.soft_maps import SoftMap
from foveate.errors import InputError
from foveate.evaluation.attention_choices import Choices, attention_choices
from foveate.evaluation.estimates import Draws
from foveate.evaluation.results import Results
from foveate.evaluation.telling_attention import attention_part
from foveate.perception.attention import AttentionRule, box_map, grid_map, region_of
from tests.unit.evaluation.made import SIZE, asked, results

NONE = Draws(0)
TARGETS = [Box((10, 10, 40, 50)), Box((50, 20, 90, 90)), Box((0, 60, 30, 100))]
GRIDS = [np.random.default_rng(seed).random((7, 7)) ** 2 for seed in range(3)]


def predicted(number: int, soft: SoftMap | None, rule: AttentionRule) -> Prediction:
    region = region_of(soft, SIZE, rule)
    status: Any = "ok" if region else "no_region"
    reason = None if region else "nothing is attended to"
    return Prediction(str(number), status, final=region, size_hw=SIZE, reason=reason, map=soft)


def run_by(rule: AttentionRule) -> Results:
    pairs = [
        (predicted(n, grid_map(grid, SIZE, rule), rule), asked(str(n), target))
        for n, (grid, target) in enumerate(zip(GRIDS, TARGETS, strict=True))
    ]
    config = {"reading": rule.reading, "normalise": rule.normalise, "threshold": rule.threshold, "region": rule.region}
    return results(pairs, config=config)


def value_of(found: Choices, option: str, value: str) -> float:
    (row,) = (one for one in found.choices if (one.option, one.value) == (option, value))
    assert row.mean_iou.value is not None
    return row.mean_iou.value


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("reading", "bilinear"), ("reading", "cells"), ("normalise", "range"), ("threshold", 0.3), ("threshold", 0.7),
        ("region", "largest_box"), ("region", "all_box"),
    ],
)  # fmt: skip
def test_a_choice_is_worth_what_the_run_with_it_scores(option: str, value: object) -> None:
    own = AttentionRule()
    found = attention_choices(run_by(own), NONE)
    other = run_by(replace(own, **{option: value}))  # type: ignore[arg-type]
    assert value_of(found, option, str(value)) == pytest.approx(float(other.regions["iou"].mean()), abs=2e-3)


def test_the_runs_own_choices_are_its_score_to_the_digit() -> None:
    made = run_by(AttentionRule("bilinear", threshold=0.4))
    found = attention_choices(made, NONE)
    used = [one for one in found.choices if one.used]
    assert [one.option for one in used] == ["reading", "normalise", "threshold", "region"]
    for one in used:
        assert one.mean_iou.value == float(made.regions["iou"].mean())
        assert one.gain.value == 0


def test_gains_are_paired() -> None:
    found = attention_choices(run_by(AttentionRule()), Draws(200))
    for one in found.choices:
        assert one.gain.value == pytest.approx((one.mean_iou.value or 0) - value_of(found, "threshold", "0.5"))
        if one.used:
            assert (one.gain.low, one.gain.high) == (0, 0)


def test_painted_boxes_are_read_in_one_way() -> None:
    boxes = np.array([[0, 0, 50, 50], [40, 40, 100, 100.0]])
    rule = AttentionRule()
    soft = box_map(boxes, np.array([0.7, 0.3]), SIZE, rule)
    found = attention_choices(
        results([(predicted(0, soft, rule), asked("0", TARGETS[0]))], config={"reading": "bicubic"}), NONE
    )
    assert found.painted
    assert {one.option for one in found.choices} == {"threshold", "region"}
    # 0.3 by 0.7 is 0.43: from 0.4 down both boxes count, and the box around both is the photo.
    assert value_of(found, "threshold", "0.4") == pytest.approx(1200 / 10_000)
    assert value_of(found, "threshold", "0.5") == pytest.approx(1200 / 2500)
    assert "painted boxes" in " ".join(attention_part(found).sentences)


def test_where_nothing_is_reached_there_is_no_region() -> None:
    rule = AttentionRule("cells", "none", threshold=0.3)
    pairs = [(predicted(0, grid_map(np.array([[0.1, 0.4]]), SIZE, rule), rule), asked("0", TARGETS[0]))]
    config = {"reading": "cells", "normalise": "none", "threshold": 0.3}
    found = attention_choices(results(pairs, config=config), NONE)
    told = {(one.option, one.value): one.no_region for one in found.choices}
    assert (told["threshold", "0.3"], told["threshold", "0.5"], told["normalise", "max"]) == (0, 1, 0)
    row = next(row for row in attention_part(found).rows if row[:2] == ["threshold", "0.5"])
    assert row[-1] == "1"


def test_a_run_without_maps_is_refused() -> None:
    with pytest.raises(InputError, match="no sample with a target has a map"):
        attention_choices(results([(predicted(0, None, AttentionRule()), asked("0", TARGETS[0]))]), NONE)


def test_a_run_of_other_options_is_refused() -> None:
    with pytest.raises(InputError, match="none of attention"):
        attention_choices(results([(predicted(0, None, AttentionRule()), asked("0"))], config={"reading": "x"}), NONE)
