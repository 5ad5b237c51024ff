"""What the default grounder reaches on real photos; the figures themselves come from `python benchmarks/pocket.py`."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from benchmarks._asking import MostConfident, Unread, asked, best_boxes, remembered
from benchmarks._proxy import Wording, absent, photos, present
from benchmarks._sets import cup, half, halves

from foveate.evaluation.evaluate import Evaluation, evaluate
from foveate.evaluation.score import score
from foveate.execution.ground import ground
from tests.helpers import REPOSITORY, SHARED, needs_shared

pytestmark = [pytest.mark.reference, needs_shared]


def scored(questions: str, grounder: str, out: Path) -> Evaluation:
    ground("folder", SHARED, questions=SHARED / questions, grounder=grounder, out=out / grounder)
    return score(out / grounder, resamples=0)


def value(evaluation: Evaluation, metric: str) -> float:
    found = evaluation.metrics[metric].value
    assert found is not None
    return found


def test_pocket_on_the_110_questions_is_above_the_priors(tmp_path: Path) -> None:
    pocket, *priors = (
        scored("coco/questions.csv", grounder, tmp_path) for grounder in ("pocket", "whole_image", "centre_box")
    )
    assert (pocket.n, pocket.n_grounded) == (110, 110)
    assert set(pocket.counts) <= {"ok", "no_region"}
    assert value(pocket, "mean_iou") >= 0.53
    assert value(pocket, "accuracy@0.5") >= 0.63
    for metric in ("mean_iou", "accuracy@0.5"):
        assert value(pocket, metric) > max(value(prior, metric) for prior in priors)


def test_pocket_on_the_cups_own_12_questions_breaks_nowhere() -> None:
    """A floor against breaking, no claim: on 12 questions the interval of mean IoU is wider than the figure.

    The phrase book is without the four examples that were asked about these photos.
    """
    questions = cup()
    pocket = evaluate(asked(questions.queries, Unread()), questions.truths, resamples=0)
    assert (pocket.n, pocket.n_grounded) == (12, 12)
    assert set(pocket.counts) <= {"ok", "no_region"}
    assert value(pocket, "mean_iou") >= 0.15


@pytest.fixture(scope="module", autouse=True)
def _looked_once() -> Iterator[None]:
    with remembered():
        yield


@pytest.mark.parametrize(("wording", "mean_iou", "accuracy"), [("real", 0.32, 0.39), ("named", 0.43, 0.5)])
def test_pocket_on_questions_about_the_photos_that_are_held_out(
    wording: Wording, mean_iou: float, accuracy: float
) -> None:
    """The phrase book does not hold the question that is asked; nothing was chosen by these photos."""
    _, questions = halves(wording)
    pocket, blind, ceiling = (
        evaluate(said, questions.truths, resamples=0)
        for said in (
            asked(questions.queries, Unread()),
            asked(questions.queries, MostConfident()),
            best_boxes(questions.samples, of_kind=False),
        )
    )
    assert set(pocket.counts) <= {"ok", "no_region"}
    assert value(pocket, "mean_iou") >= mean_iou
    assert value(pocket, "accuracy@0.5") >= accuracy
    for metric in ("mean_iou", "accuracy@0.5"):
        assert value(blind, metric) < value(pocket, metric) < value(ceiling, metric)


@pytest.mark.parametrize(("wording", "least_refused"), [("named", 0.88), ("ours", 0.83)])
def test_pocket_refuses_most_of_what_is_absent_and_keeps_most_of_what_is_there(
    wording: Wording, least_refused: float
) -> None:
    there, gone = (half(make(photos(), wording), True) for make in (present, absent))
    refused, kept = (
        [each.status == expected for each in asked([sample.query for sample in samples], Unread())]
        for samples, expected in ((gone, "no_region"), (there, "ok"))
    )
    assert np.mean(refused) >= least_refused
    assert np.mean(kept) >= 0.85


def test_the_score_is_about_the_share_that_is_right_on_photos_that_are_held_out() -> None:
    """Of what has a region, be it there or not: the mean score is near the share with an IoU of at least one half."""
    there, gone = (half(make(photos(), "named"), True) for make in (present, absent))
    truths = [sample.truth for sample in (*there, *gone)]
    said = [each for each in asked([sample.query for sample in (*there, *gone)], Unread()) if each.final]
    right = evaluate(said, [truth for truth in truths if truth.id in {each.id for each in said}], resamples=0)
    scores = np.array([each.final.score for each in said if each.final])
    hits = value(right, "accuracy@0.5") * right.n_grounded / len(said)
    assert abs(scores.mean() - hits) <= 0.1


def test_without_the_samples_the_benchmark_says_where_they_belong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main = runpy.run_path(str(REPOSITORY / "benchmarks" / "pocket.py"))["main"]
    main.__globals__.update(COCO=tmp_path / "questions.csv")
    assert main() == 1
    assert str(tmp_path / "questions.csv") in capsys.readouterr().out
