"""Answer beside evidence: is the answer right, is the region right, and does the one go with the other?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.core.bootstrap import Statistic
from foveate.errors import UsageError, did_you_mean
from foveate.evaluation.calibrations import Calibration, calibrations
from foveate.evaluation.estimates import Draws, Estimate, estimates, mean_of
from foveate.evaluation.evaluate import finite
from foveate.evaluation.results import Column, Results
from foveate.evaluation.wording import percent
from foveate.metrics._answers import expected, why_not_answered
from foveate.metrics._overlaps import ratio

HIT = 0.5
# Of fewer photos the two are not told to go together: a handful that fall alike would look sure.
FEW_PHOTOS = 5
# By which column an answer is right, from which value on, and where there is something to judge by.
JUDGES = {"exact": ("exact", 1.0, "keyed"), "vqa": ("vqa", 0.5, "polled")}
ANSWERS, REGIONS = ("right", "wrong", "unknown"), ("right", "wrong")


@dataclass(frozen=True)
class Cell:
    """Samples of one kind of answer and one kind of region.

    Attributes:
        answer: `right`, `wrong`, or `unknown`: there is none, or nothing to judge it by.
        region: `right` (IoU of at least the threshold) or `wrong` (also where there is none).
        n: How many.
        share: Of all samples with a target.
        mean_iou: Over them; None without any.
        examples: Ids, in the order of the data set.
    """

    answer: str
    region: str
    n: int
    share: Estimate
    mean_iou: float | None
    examples: Sequence[str]


@dataclass(frozen=True)
class Noted:
    """One sample worth looking at."""

    id: str
    question: str
    answer: str | None
    expected: str | None
    iou: float
    answer_score: float | None
    score: float | None


@dataclass(frozen=True)
class AnswerEvidence:
    """How often answer and region are right together.

    Attributes:
        name: The run's.
        n: Samples with a target.
        judge: How an answer is judged: `exact` or `vqa`.
        hit: The least IoU of a right region.
        cells: Answer right, wrong, unknown, each with region right and wrong.
        together: `phi` (correlation of the two, −1 to 1), `odds_ratio` (half a sample is added to each cell),
            `if_right` and `if_wrong` (share of right regions where the answer is right, and wrong), `difference` of
            these two, and `by_chance` (how often both would be right if they had nothing to do with each other).
        verdict: What that says, in a sentence.
        wrong_reason: Answer right, region wrong; the worst first, of equal ones the surest.
        looked_right: Answer wrong, region right; the best first, of equal ones the surest.
        calibration: Of the region's score and of the answer's.
        undefined: Why answers cannot be judged; None where they can, else there are no cells.
    """

    name: str
    n: int
    judge: str
    hit: float
    cells: Sequence[Cell]
    together: Mapping[str, Estimate]
    verdict: str
    wrong_reason: Sequence[Noted]
    looked_right: Sequence[Noted]
    calibration: Mapping[str, Calibration]
    undefined: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Returns plain values."""
        return asdict(self)


def answer_evidence(
    results: Results, *, judge: str = "exact", hit: float = HIT, draws: Draws | None = None, examples: int = 10
) -> AnswerEvidence:
    """Returns how often answer and region are right together.

    Args:
        results: The run.
        judge: An answer is right by `exact` match with the most common one, or by a `vqa` accuracy of at least 0.5.
        hit: The least IoU of a right region.
        draws: For the intervals.
        examples: How many samples of each cell and list are named.

    Raises:
        UsageError: There is no such judge.
    """
    draws = draws or Draws()
    right, judged = judged_answers(results, judge)
    calibration = calibrations(results, right, judged, draws)
    of = results.regions["grounded"] > 0
    undefined = why_not_answered(results.answers, JUDGES[judge][2])
    known = of & judged & (results.answers["answered"] > 0)
    if undefined is None and not known.any():
        undefined = "no sample with a target has an answer that can be judged"
    if undefined:
        return AnswerEvidence(results.name, int(of.sum()), judge, hit, (), {}, "", (), (), calibration, undefined)
    found = results.regions["iou"] >= hit
    inside = {
        (answer, region): of & said & (found if region == "right" else ~found)
        for answer, said in zip(ANSWERS, (known & right, known & ~right, ~known), strict=True)
        for region in REGIONS
    }
    together = _with_photos(estimates(_together(inside), results.groups, draws), results, known)
    return AnswerEvidence(
        results.name,
        int(of.sum()),
        judge,
        hit,
        _cells(results, inside, draws, examples),
        together,
        _verdict(together, resampled=draws.resamples > 0),
        _noted(results, inside["right", "wrong"], 1.0)[:examples],
        _noted(results, inside["wrong", "right"], -1.0)[:examples],
        calibration,
    )


def judged_answers(results: Results, judge: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Returns where the answer is right ``(N,)``, and where there is something to judge it by ``(N,)``.

    Raises:
        UsageError: There is no such judge.
    """
    check_judge(judge)
    column, least, there = JUDGES[judge]
    return results.answers[column] >= least, results.answers[there] > 0


def check_judge(judge: str) -> None:
    """Refuses a judge of answers that there is not.

    Raises:
        UsageError: There is no such judge.
    """
    if judge not in JUDGES:
        raise UsageError(f"answers judged by {judge}", "there is no such judge", did_you_mean(judge, JUDGES))


def _with_photos(found: Mapping[str, Estimate], results: Results, known: NDArray[np.bool_]) -> dict[str, Estimate]:
    """Returns values without intervals where they are of too few photos."""
    few = len({results.groups[row] for row in np.flatnonzero(known).tolist()}) < FEW_PHOTOS
    return {name: Estimate(one.value, None, None) if few else one for name, one in found.items()}


Inside = Mapping[tuple[str, str], NDArray[np.bool_]]


def _cells(results: Results, inside: Inside, draws: Draws, examples: int) -> list[Cell]:
    of = results.regions["grounded"]
    shares = estimates(
        {" ".join(key): mean_of(rows.astype(np.float64), of) for key, rows in inside.items()}, results.groups, draws
    )
    iou = results.regions["iou"]
    return [
        Cell(
            *key,
            int(rows.sum()),
            shares[" ".join(key)],
            finite(float(iou[rows].mean())) if rows.any() else None,
            [results.truths[row].id for row in np.flatnonzero(rows)[:examples]],
        )
        for key, rows in inside.items()
    ]


def _together(inside: Inside) -> dict[str, Statistic]:
    def counts(weights: Column) -> list[Column]:
        return [weights @ inside[key].astype(np.float64) for key in _TABLE]

    def phi(weights: Column) -> Column:
        a, b, c, d = counts(weights)
        return ratio(a * d - b * c, np.sqrt((a + b) * (c + d) * (a + c) * (b + d)))

    def odds(weights: Column) -> Column:
        # Haldane 1955, Anscombe 1956: half a sample in each cell, so that an empty one does not make it infinite.
        a, b, c, d = (count + 0.5 for count in counts(weights))
        return np.asarray(a * d / (b * c))

    def if_right(weights: Column) -> Column:
        a, b, _, _ = counts(weights)
        return ratio(a, a + b)

    def if_wrong(weights: Column) -> Column:
        _, _, c, d = counts(weights)
        return ratio(c, c + d)

    def by_chance(weights: Column) -> Column:
        a, b, c, d = counts(weights)
        return ratio((a + b) * (a + c), (a + b + c + d) ** 2)

    return {
        "phi": phi,
        "odds_ratio": odds,
        "if_right": if_right,
        "if_wrong": if_wrong,
        "difference": lambda weights: if_right(weights) - if_wrong(weights),
        "by_chance": by_chance,
    }


_TABLE = (("right", "right"), ("right", "wrong"), ("wrong", "right"), ("wrong", "wrong"))


def _verdict(together: Mapping[str, Estimate], *, resampled: bool) -> str:
    """Returns what the difference of the two shares says, by whether its interval is on one side of 0."""
    found, yes, no = (together[name] for name in ("difference", "if_right", "if_wrong"))
    if yes.value is None or no.value is None:
        always = "right" if no.value is None else "wrong"
        return f"Every answer that can be judged is {always}, so that nothing can be said of the two together."
    told = f"the region is right in {percent(yes.value)} of right answers and {percent(no.value)} of wrong ones"
    if found.low is None or found.high is None:
        why = "Of so few photos" if resampled else "Without resamples"
        return f"{why} there is no interval: {told}."
    if found.low > 0:
        return f"A right answer goes with the right region more often than chance: {told}."
    if found.high < 0:
        return f"A right answer goes with the right region less often than chance: {told}."
    return f"It is not shown that a right answer goes with the right region: {told}."


def _noted(results: Results, rows: NDArray[np.bool_], sign: float) -> list[Noted]:
    """Returns samples by rising IoU (by falling IoU for −1), of equal ones the surest answer first, then region."""
    found = [_note(results, row) for row in np.flatnonzero(rows).tolist()]
    return sorted(found, key=lambda one: (sign * one.iou, -(one.answer_score or 0.0), -(one.score or 0.0)))


def _note(results: Results, row: int) -> Noted:
    truth, prediction = results.truths[row], results.predictions[row]
    return Noted(
        truth.id,
        results.queries[row].question,
        prediction.answer if prediction else None,
        expected(truth),
        float(results.regions["iou"][row]),
        prediction.answer_score if prediction else None,
        prediction.final.score if prediction and prediction.final else None,
    )
