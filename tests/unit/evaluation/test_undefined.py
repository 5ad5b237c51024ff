"""Why a value is not there, in the words of the metric."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from foveate import plugins
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Region
from foveate.core.truths import Target, Truth
from foveate.errors import FoveateError
from foveate.evaluation.evaluate import evaluate
from tests.helpers import predicted, truth

BOX = (0.0, 0.0, 10.0, 10.0)


def reason(metric: str, prediction: Prediction, target: Truth) -> str | None:
    (value,) = evaluate([prediction], [target], metrics=[metric]).metrics.values()
    assert (value.value is None) == (value.undefined is not None)
    return value.undefined


@pytest.mark.parametrize(
    ("metric", "answer", "answers", "said"),
    [
        ("vqa_accuracy", "red", (), "the data set has no answers of 4 people or more"),
        ("vqa_accuracy", None, ("red",) * 4, "the predictions have no answers"),
        ("vqa_accuracy", "red", ("red",) * 4, None),
        ("exact_match", "red", (), "the data set has no answers"),
        ("mean_iou_correct", "blue", ("red",), "no sample with a target is answered correctly"),
        ("mean_iou_correct", None, ("red",), "the predictions have no answers"),
        ("mean_iou_correct_vqa", "red", ("red",), "the data set has no answers of 4 people or more"),
    ],
)
def test_answers(metric: str, answer: str | None, answers: tuple[str, ...], said: str | None) -> None:
    prediction = Prediction("a", "ok", answer, final=Region(Box(BOX), 0.5))
    assert reason(metric, prediction, Truth("a", answers, (Target(Box(BOX)),))) == said


@pytest.mark.parametrize("metric", ["aurc", "ece"])
def test_scores(metric: str) -> None:
    unrated = Prediction("a", "ok", final=Region(Box(BOX), None))
    assert reason(metric, unrated, truth("a", BOX)) == "the predictions have no scores"
    assert reason(metric, predicted("a", BOX), truth("a", BOX)) is None


def test_regions() -> None:
    assert reason("mean_iou", predicted("a", None), truth("a", None)) == "no truth has a target"
    said = "every truth has a target, so that there is nothing to abstain from"
    assert reason("abstention", predicted("a", None), truth("a", BOX)) == said


CARD = SimpleNamespace(name="odd", parameter=None, default_parameter=None)


def odd(monkeypatch: pytest.MonkeyPatch, **parts: Any) -> None:
    module = SimpleNamespace(CARD=CARD, measure=lambda p, t: {"x": np.zeros(len(t))}, **parts)
    real = plugins.load

    def load(kind: plugins.Kind, name: str) -> ModuleType:
        return module if name == "odd" else real(kind, name)  # type: ignore[return-value]

    monkeypatch.setattr(plugins, "load", load)


def test_a_metric_of_others_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    odd(monkeypatch, reduce=lambda columns, weights, parameter: 1 / 0)
    with pytest.raises(FoveateError, match="metric odd: it failed .ZeroDivisionError.*Tell whoever wrote it"):
        evaluate([], [truth("a", BOX)], metrics=["odd"])


def test_a_metric_of_others_that_returns_one_number_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    odd(monkeypatch, reduce=lambda columns, weights, parameter: {"value": 0.5, "value_scored": 0.5, "n": 1.0})
    with pytest.raises(FoveateError, match="metric odd: value is not one number for each of .* resamples"):
        evaluate([], [truth("a", BOX)], metrics=["odd"])


def test_a_metric_of_others_need_not_say_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def reduce(columns: Any, weights: Any, parameter: Any) -> dict[str, Any]:
        return dict.fromkeys(("value", "value_scored", "n"), np.full(len(weights), np.nan))

    odd(monkeypatch, reduce=reduce)
    value = evaluate([], [truth("a", BOX)], metrics=["odd"]).metrics["odd"]
    assert (value.value, value.n, value.undefined) == (None, 0, "there is no sample that it counts")
