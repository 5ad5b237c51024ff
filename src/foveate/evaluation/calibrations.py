"""Whether the score of a region, and that of an answer, says how often it is right: one definition for both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foveate.evaluation.estimates import Draws, Estimate, estimates
from foveate.evaluation.measured import Columns
from foveate.evaluation.results import Results
from foveate.metrics._selective import calibration_error, reliability

ERROR_BINS, SHOWN_BINS = 15, 10


@dataclass(frozen=True)
class Bin:
    """Predictions of like score: their mean score, the share of them that is right, and how many they are."""

    score: float
    right: float
    n: int


@dataclass(frozen=True)
class Calibration:
    """How well a score says how often it is right.

    Attributes:
        n: How many have a score and can be judged.
        ece: Expected calibration error, in 15 bins of equal width; None without any.
        bins: Of the reliability diagram, in tenths; the empty ones are left out.
    """

    n: int
    ece: Estimate
    bins: Sequence[Bin]


def calibrations(
    results: Results, right: NDArray[np.bool_], judged: NDArray[np.bool_], draws: Draws
) -> dict[str, Calibration]:
    """Returns the calibration of the `region`'s score (right from an IoU of one half on) and of the `answer`'s.

    Args:
        results: The run.
        right: Where the answer is right ``(N,)``.
        judged: Where there is something to judge it by ``(N,)``.
        draws: For the intervals.
    """
    columns = {"region": results.regions, "answer": of_answers(results, right, judged)}
    return {name: _calibration(of, results.groups, draws) for name, of in columns.items()}


def of_answers(results: Results, right: NDArray[np.bool_], judged: NDArray[np.bool_]) -> Columns:
    """Returns `score`, `rated` and `hit` of answers, as `foveate.metrics._selective` has them of regions."""
    scores = [prediction.answer_score if prediction else None for prediction in results.predictions]
    scored = np.array([score is not None for score in scores], dtype=bool)
    return {
        "score": np.array([score or 0.0 for score in scores], dtype=np.float64),
        "rated": (scored & judged & (results.answers["answered"] > 0)).astype(np.float64),
        "hit": right.astype(np.float64),
    }


def _calibration(columns: Columns, groups: Sequence[str], draws: Draws) -> Calibration:
    found = estimates(
        {"ece": lambda weights: calibration_error(columns, columns["rated"], weights, ERROR_BINS)}, groups, draws
    )
    table = reliability(columns, SHOWN_BINS)
    points = zip(table.score.tolist(), table.hits.tolist(), table.count.tolist(), strict=True)
    return Calibration(int(columns["rated"].sum()), found["ece"], [Bin(s, h, round(n)) for s, h, n in points])
