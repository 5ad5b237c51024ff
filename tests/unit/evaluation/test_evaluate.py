from __future__ import annotations

import pytest

from foveate.core.predictions import Prediction
from foveate.errors import InputError, UsageError
from foveate.evaluation.evaluate import evaluate
from tests.helpers import predicted, truth

BOX = (0.0, 0.0, 10.0, 10.0)


def test_the_worked_example_of_the_scoring_states() -> None:
    """Architecture, decision 3: 10 truths, 8 with targets; 6 ok, 1 no_region, 1 missing on those; 2 without."""
    truths = [truth(str(n), BOX) for n in range(8)] + [truth("8", None), truth("9", None)]
    predictions = [predicted(str(n), BOX) for n in range(6)]
    predictions += [predicted("6", None), predicted("8", None), predicted("9", BOX)]
    result = evaluate(predictions, truths)
    assert (result.n, result.n_grounded, result.n_scored) == (10, 8, 6)
    assert result.counts == {"ok": 7, "no_region": 2, "missing": 1}
    assert result.missing == ["7"]
    iou = result.metrics["mean_iou"]
    assert iou.value == pytest.approx(6 / 8)
    assert iou.value_scored == pytest.approx(1.0)
    assert iou.n == 8


def test_every_failure_counts_zero_and_is_counted() -> None:
    states = ("no_region", "invalid_output", "error", "timeout")
    truths = [truth(state, BOX) for state in (*states, "ok")]
    predictions = [Prediction(s, s, reason="because") for s in states] + [predicted("ok", BOX)]  # type: ignore[arg-type]
    result = evaluate(predictions, truths)
    assert result.metrics["mean_iou"].value == pytest.approx(1 / 5)
    assert result.counts == dict.fromkeys(("ok", *states), 1)


def test_nothing_to_ground_gives_no_value() -> None:
    result = evaluate([predicted("a", None)], [truth("a", None)])
    value = result.metrics["mean_iou"]
    assert (value.value, value.low, value.high, value.value_scored, value.n) == (None, None, None, None, 0)


def test_the_order_of_predictions_does_not_matter() -> None:
    truths = [truth(str(n), (0, 0, 10, 5 + n)) for n in range(5)]
    predictions = [predicted(str(n), BOX) for n in range(5)]
    assert evaluate(predictions, truths) == evaluate(predictions[::-1], truths)


def test_the_interval_holds_the_value_and_is_seeded() -> None:
    truths = [truth(str(n), (0, 0, 10, 10 + n)) for n in range(40)]
    predictions = [predicted(str(n), BOX) for n in range(40)]
    first, again, other = (evaluate(predictions, truths, seed=seed).metrics["mean_iou"] for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert first.low is not None
    assert first.high is not None
    assert first.value is not None
    assert first.low < first.value < first.high


def test_without_resamples_there_is_no_interval() -> None:
    value = evaluate([predicted("a", BOX)], [truth("a", BOX)], resamples=0).metrics["mean_iou"]
    assert (value.value, value.low, value.high) == (1.0, None, None)


def test_questions_of_one_photo_are_drawn_together() -> None:
    # Two photos, one all right and one all wrong: by photo the mean is 0, 1/2 or 1; by sample it is finer.
    truths = [truth(str(n), BOX) for n in range(20)]
    predictions = [predicted(str(n), BOX if n < 10 else (20, 20, 30, 30)) for n in range(20)]
    photo = {str(n): "a" if n < 10 else "b" for n in range(20)}
    by_photo = evaluate(predictions, truths, groups=photo).metrics["mean_iou"]
    by_sample = evaluate(predictions, truths).metrics["mean_iou"]
    assert (by_photo.low, by_photo.high) == (0.0, 1.0)
    assert by_sample.low is not None
    assert by_sample.low > 0.2


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mean_uoi", "Did you mean mean_iou"),
        ("mean_iou@0.5", "takes no value after @"),
        ("accuracy@x", "After @ comes"),
        ("accuracy@2", "After @ comes"),
        ("accuracy@", "After @ comes"),
        ("accuracy@0.5@1", "After @ comes"),
        ("accuracy@nan", "After @ comes"),
    ],
)
def test_metrics_that_there_are_not(name: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        evaluate([], [truth("a", BOX)], metrics=[name])


def test_a_metric_without_its_parameter_takes_the_default() -> None:
    result = evaluate([predicted("a", BOX)], [truth("a", (0, 0, 10, 20))], metrics=["accuracy", "accuracy@0.51"])
    assert result.metrics["accuracy@0.5"].value == 1.0
    assert result.metrics["accuracy@0.51"].value == 0.0


def test_no_truths_is_an_error() -> None:
    with pytest.raises(InputError, match="no truth to score against"):
        evaluate([], [])


def test_json_has_the_keys_that_callers_rely_on() -> None:
    about = {"source": "runs/a", "dataset": "folder:all"}
    result = evaluate([predicted("a", BOX)], [truth("a", BOX)], about=about).as_dict()
    assert about.items() <= result.items()
    assert {"n", "n_grounded", "n_scored", "counts", "metrics"} <= result.keys()
    assert result["metrics"].keys() == {"mean_iou", "accuracy@0.5"}
    assert result["metrics"]["mean_iou"].keys() == {
        *("value", "low", "high", "value_scored", "n", "undefined"),
    }


def test_a_metric_keeps_its_own_name() -> None:
    result = evaluate([predicted("a", BOX)], [truth("a", BOX)], metrics=["accuracy@0.9999999", "accuracy@.5"])
    assert list(result.metrics) == ["accuracy@0.9999999", "accuracy@0.5"]
    assert list(evaluate([], [truth("a", BOX)], metrics="mean_iou").metrics) == ["mean_iou"]


@pytest.mark.parametrize("numbers", [{"seed": -1}, {"resamples": -3}])
def test_negative_numbers_of_the_bootstrap(numbers: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="none is below 0"):
        evaluate([], [truth("a", BOX)], **numbers)  # type: ignore[arg-type]
