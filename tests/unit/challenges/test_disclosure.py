"""What is shown of scores: the four digits that `foveate score` prints while targets are secret, and nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from foveate.challenges.definition import Challenge, DataReference, Phase
from foveate.challenges.disclosure import all_as_shown, as_shown, how_much, is_nameless, names_of, shown, times_100
from foveate.challenges.pack import write_pack
from foveate.challenges.scoring import score_pack
from tests.helpers import SHARED, needs_shared

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
OPEN = Phase("p", "P", "evaluation", "data", start=NOW - HOUR, end=NOW + HOUR)
OVER = replace(OPEN, end=NOW)
shares = st.floats(0, 1)


def of(*phases: Phase, **more: Any) -> Challenge:
    return Challenge(Path(), "cup", "The cup", phases=phases, **more)


def scores(value: float, low: float | None = None, high: float | None = None) -> dict[str, Any]:
    one = {"value": value, "low": low, "high": high, "value_scored": value / 3, "n": 7, "undefined": None}
    return {
        "dataset": "a:b",
        "n": 9,
        "n_grounded": 7,
        "n_scored": 6,
        "counts": {"ok": 8, "no_region": 1},
        "abstention": {"right": 1, "missed": 1, "needless": 0},
        "metrics": {"mean_iou": one, "accuracy@0.5": {**one, "value": 0.5}, "image_ap": {**one, "value": 0.123456}},
        "notes": ["mean_iou: 2 truths have no target"],
        "foveate": "1.0",
    }


def test_while_it_is_open_two_decimals_are_shown_and_no_count_that_targets_make() -> None:
    seen = shown(scores(0.8802345678, 0.87149999, 0.8888888), OPEN, of(OPEN), NOW, "other")
    assert seen.how == "rounded"
    # Only the phase's metrics, the main one first.
    assert seen.values == {"mean_iou": "88.02", "accuracy@0.5": "50.00"}
    assert (seen.metrics["mean_iou"].low, seen.metrics["mean_iou"].high) == (0.8715, 0.8889)
    assert seen.as_dict() == {
        "shown": "rounded",
        "metrics": {
            "mean_iou": {"value": 0.8802, "low": 0.8715, "high": 0.8889},
            "accuracy@0.5": {"value": 0.5, "low": 0.8715, "high": 0.8889},
        },
        "counts": {"ok": 8, "no_region": 1},
    }


def test_after_the_end_all_digits_are_shown() -> None:
    value = 0.88023456789012
    seen = shown(scores(value), OVER, of(OVER), NOW, "other")
    assert seen.how == "all"
    assert seen.metrics["mean_iou"].value == value
    assert seen.values == {"mean_iou": "88.023456789012", "accuracy@0.5": "50.00"}
    assert seen.as_dict()["n_grounded"] == 7
    assert seen.metrics["mean_iou"].as_dict()["n"] == 7


@pytest.mark.parametrize(
    ("phase", "who", "after_end", "expected"),
    [
        (OPEN, "other", False, "rounded"),
        (OPEN, "team", False, "rounded"),
        (OPEN, "organiser", False, "all"),
        (replace(OPEN, start=NOW + HOUR), "other", False, "rounded"),
        (replace(OPEN, end=None), "other", False, "rounded"),
        (replace(OPEN, scores="rank_only"), "team", False, "rank_only"),
        (replace(OPEN, scores="hidden"), "team", False, "hidden"),
        (replace(OPEN, scores="hidden"), "organiser", False, "all"),
        (replace(OVER, scores="hidden"), "other", False, "all"),
        (replace(OPEN, targets="open", kind="practice"), "other", False, "all"),
        (replace(OPEN, targets="open", kind="practice", scores="hidden"), "other", False, "hidden"),
        # What is sent to an open benchmark keeps its targets secret; what was sent before is told.
        (replace(OVER, after_end="open"), "other", False, "all"),
        (replace(OVER, after_end="open"), "other", True, "rounded"),
        (replace(OVER, after_end="open", scores="rank_only"), "other", True, "rank_only"),
        (replace(OVER, after_end="open"), "organiser", True, "all"),
    ],
)
def test_how_much_is_shown_to_whom(phase: Phase, who: Any, after_end: bool, expected: str) -> None:
    assert how_much(phase, of(phase), NOW, who, after_end=after_end) == expected


def test_a_phase_that_is_over_keeps_its_digits_while_another_of_the_same_data_is_not() -> None:
    other = replace(OPEN, name="q")
    assert how_much(OVER, of(OVER, other), NOW, "other") == "rounded"
    assert how_much(OVER, of(OVER, replace(other, start=NOW + HOUR, end=None)), NOW, "other") == "rounded"
    assert how_much(OVER, of(OVER, replace(other, end=NOW)), NOW, "other") == "all"
    assert how_much(OVER, of(OVER, replace(other, data="else")), NOW, "other") == "all"
    assert how_much(OVER, of(OVER, replace(other, targets="open")), NOW, "other") == "all"
    # The same data by another name.
    data = {"data": DataReference("a:b", Path("x")), "else": DataReference("a:b", Path("x"))}
    assert how_much(OVER, of(OVER, replace(other, data="else"), data=data), NOW, "other") == "rounded"
    data["else"] = DataReference("a:c", Path("x"))
    assert how_much(OVER, of(OVER, replace(other, data="else"), data=data), NOW, "other") == "all"


@pytest.mark.parametrize("how", ["rank_only", "hidden"])
def test_where_values_are_not_shown_there_is_nothing_of_them(how: Any) -> None:
    phase = replace(OPEN, scores=how)
    one, two = (shown(scores(value), phase, of(phase), NOW, "team") for value in (0.1, 0.9))
    assert one == two
    assert one.values is None
    assert one.as_dict() == {"shown": how, "metrics": {}, "counts": {}}
    assert shown(None, OPEN, of(OPEN), NOW, "team").values is None


@given(shares, shares)
def test_whoever_looks_learns_nothing_beyond_the_fourth_digit(first: float, second: float) -> None:
    seen = [json.dumps(shown(scores(one), OPEN, of(OPEN), NOW, "team").as_dict()) for one in (first, second)]
    # The witness: Python's own printing, which rounds the number itself once.
    assert (seen[0] == seen[1]) == (f"{first:.4f}" == f"{second:.4f}")


@given(shares)
def test_it_is_the_four_digits_that_foveate_score_prints(value: float) -> None:
    rounded = as_shown(value, "rounded")
    assert f"{rounded:.4f}" == f"{value:.4f}"
    assert float(times_100(rounded)) == pytest.approx(100 * value, abs=0.005001)
    assert times_100(value, 2) == times_100(rounded)


@given(shares)
def test_no_digit_is_lost_or_made_where_all_are_shown(value: float) -> None:
    assert float(times_100(value)) / 100 == pytest.approx(value, rel=1e-15)
    digits = repr(value).partition("e")[0].replace(".", "").strip("0")
    assert times_100(value).replace(".", "").strip("0") == digits


def test_of_two_as_near_the_even_one_is_taken_and_what_is_no_number_is_none() -> None:
    assert [as_shown(n / 32, "rounded") for n in (1, 3)] == [0.0312, 0.0938]
    assert [times_100(value) for value in (0.8802, 0.8715, 0.29, 1.0, 0.0)] == [
        "88.02",
        "87.15",
        "29.00",
        "100.00",
        "0.00",
    ]
    assert as_shown(float("nan"), "all") is None
    assert times_100(None) == "–"
    assert str(as_shown(-1e-9, "rounded")) == "0.0"


def test_names_are_those_of_the_phase() -> None:
    phase = replace(OPEN, metrics=("accuracy", "mean_iou"), main="accuracy")
    assert names_of(phase) == {"accuracy": "accuracy@0.5", "mean_iou": "mean_iou"}
    assert list(shown(scores(0.25), phase, of(phase), NOW, "team").metrics) == ["accuracy", "mean_iou"]


def test_teams_are_nameless_until_the_last_phase_with_an_end_has_ended() -> None:
    last = replace(OPEN, name="q")
    assert is_nameless(of(OVER, last, anonymous=True), NOW)
    assert not is_nameless(of(OVER, last, anonymous=True), NOW + HOUR)
    assert not is_nameless(of(OVER, last), NOW)


@needs_shared
@pytest.mark.parametrize(("split", "said"), [("public", "88.02"), ("private", "87.15")])
def test_the_crowd_of_the_cup_is_shown_as_its_readme_says(split: str, said: str, tmp_path: Path) -> None:
    root = SHARED / "toloka"
    pack = write_pack(DataReference(f"toloka_vqa:test_{split}", root), tmp_path)
    found = score_pack(pack, root / f"test_{split}_crowd_baseline.csv", "toloka", OPEN)
    seen = shown(found, OPEN, of(OPEN), NOW, "other").values
    assert seen is not None
    assert seen["mean_iou"] == said


halves = st.integers(-20_000, 20_000).map(lambda n: n / 32)
near_the_middle = st.integers(-3, 20_000).flatmap(lambda n: st.sampled_from([n / 1e4 + 5e-5, (2 * n + 1) / 2e4]))


@example([1.797693134862316e304, 1e5, -1e5], "rounded")
@given(st.lists(shares | halves | near_the_middle | st.floats()), st.sampled_from(["rounded", "rank_only", "all"]))
def test_many_are_shown_as_each_is(values: list[float], much: Any) -> None:
    found = all_as_shown(np.array(values, dtype=np.float64), much).tolist()
    # By their texts, so that a minus before 0 is seen too.
    assert [str(one) for one in found] == [str(as_shown(one, much)).replace("None", "nan") for one in values]
