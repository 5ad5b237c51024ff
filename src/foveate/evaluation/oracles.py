"""The oracle ladder: what a run would score if one thing about it were perfect; where the way up is longest.

Each rung changes one thing of the run as it is, on its own; the gains do not add up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from foveate.core.bootstrap import Statistic
from foveate.core.regions import Shape
from foveate.evaluation.anatomy import Tree, classes_of
from foveate.evaluation.estimates import Draws, Estimate, estimates, mean_of
from foveate.evaluation.results import Column, Results
from foveate.evaluation.sweep import SCALES, THRESHOLDS, Cuts, best_of, cross_fitted
from foveate.evaluation.what_if import what_if
from foveate.evaluation.wording import counted

NAMES = (
    "now",
    "best_candidate",
    *(f"{name}@{scale}" for scale in SCALES for name in ("one_threshold", "cross_fitted", "each_threshold")),
    "perfect_extent",
    "only_hits",
    "people",
)


@dataclass(frozen=True)
class Rung:
    """One rung.

    Attributes:
        name: Of `NAMES`.
        value: Mean IoU there.
        gain: Over `now`, paired; None where the value is over other samples.
        n: How many samples the value is over.
        needs: What it would need, in a sentence.
        oracle: Whether it looks at the targets it is tested on.
    """

    name: str
    value: Estimate
    gain: Estimate
    n: int
    needs: str
    oracle: bool = True


@dataclass(frozen=True)
class Ladder:
    """The rungs of a run, from what it is to the ceiling.

    Attributes:
        name: The run's.
        n: Samples with a target.
        rungs: In their order; those that the run has nothing for are left out.
        notes: What was left out, and why.
    """

    name: str
    n: int
    rungs: Sequence[Rung]
    notes: Sequence[str]

    def as_dict(self) -> dict[str, Any]:
        """Returns plain values."""
        return asdict(self)


@dataclass(frozen=True, eq=False)
class _Step:
    name: str
    iou: Column
    of: Column
    needs: str
    oracle: bool = True


def ladder(
    results: Results,
    found: Cuts | None,
    *,
    people: Results | None = None,
    tree: Tree | None = None,
    draws: Draws | None = None,
) -> Ladder:
    """Returns the ladder of a run.

    Args:
        results: The run.
        found: What its maps give at each threshold; None without maps.
        people: What people drew for the same samples, as predictions: the human ceiling.
        tree: The thresholds of the error classes; `hit` and `whole` are used.
        draws: For the intervals; their seed also parts the photos for the cross-fitted threshold.
    """
    tree, draws = tree or Tree(), draws or Draws()
    of = results.regions["grounded"]
    if not of.any():
        return Ladder(results.name, 0, (), ["No sample has a target, so that there is nothing to gain."])
    steps = [
        _Step("now", results.regions["iou"], of, "Nothing: this is the run.", oracle=False),
        *_candidates(results),
        *(_thresholds(results, found, draws.seed) if found else ()),
        _extent(results, tree),
        _hits(results, tree.hit),
        *(_people(people, of) if people else ()),
    ]
    statistics: dict[str, Statistic] = {}
    for step in steps:
        statistics[step.name] = mean_of(step.iou, step.of)
        statistics[f"gain {step.name}"] = _gain(step, steps[0])
    told = estimates(statistics, results.groups, draws)
    rungs = [
        Rung(step.name, told[step.name], told[f"gain {step.name}"], int(step.of.sum()), step.needs, step.oracle)
        for step in steps
    ]
    return Ladder(results.name, int(of.sum()), rungs, _notes(rungs))


def _gain(step: _Step, now: _Step) -> Statistic:
    if step.of is not now.of:
        return lambda weights: np.full(len(weights), np.nan)
    after, before = mean_of(step.iou, step.of), mean_of(now.iou, now.of)
    return lambda weights: after(weights) - before(weights)


def _candidates(results: Results) -> Iterator[_Step]:
    regions: list[tuple[int, Shape]] = [
        (row, region.shape)
        for row, (prediction, truth) in enumerate(zip(results.predictions, results.truths, strict=True))
        if prediction is not None and truth.targets
        for region in prediction.groundings
        if region != prediction.final
    ]
    if not regions:
        return
    best = np.maximum(results.regions["iou"], what_if(results, regions).best(len(results)))
    having = counted(len({row for row, _ in regions}), "sample")
    needs = f"A better choice among the regions that it already found ({having} with further ones)."
    yield _Step("best_candidate", best, results.regions["grounded"], needs)


def _thresholds(results: Results, found: Cuts, seed: int) -> Iterator[_Step]:
    of, now = results.regions["grounded"], results.regions["iou"]

    def step(name: str, iou: Column, at: str, needs: str, *, oracle: bool = True) -> _Step:
        # A sample without a map keeps what it has.
        return _Step(name, np.where(found.there > 0, iou, now), of, f"Its score map cut at {at}{needs}", oracle)

    for scale in SCALES:
        iou, share = found.iou[scale], " of its highest value" if scale == "peak" else ""
        best = best_of(iou, found.there)
        at = f"{THRESHOLDS[best]:g}{share}"
        yield step(f"one_threshold@{scale}", iou[:, best], at, ", the best threshold for these very samples.")
        fitted = cross_fitted(results, found, scale, seed)
        at = f"a share{share}" if share else "a threshold"
        if fitted:
            needs = " that is chosen on one half of the photos and tested on the other: this can be had."
            yield step(f"cross_fitted@{scale}", fitted[0], at, needs, oracle=False)
        yield step(f"each_threshold@{scale}", iou.max(axis=1), at, " that is the best for each sample.")


def _extent(results: Results, tree: Tree) -> _Step:
    touches = results.regions["intersection"] * results.regions["shown"] > 0
    whole = sum(name == "whole_image" for name in classes_of(results, tree))
    needs = "A perfect refiner: whatever touches the target becomes the target."
    if whole:
        verb = "covers" if whole == 1 else "cover"
        needs += f" {counted(whole, 'region')} {verb} the whole photo, and what covers everything touches every target."
    return _Step("perfect_extent", touches.astype(np.float64), results.regions["grounded"], needs)


def _hits(results: Results, least: float) -> _Step:
    hit = (results.regions["iou"] >= least).astype(np.float64) * results.regions["grounded"]
    needs = (
        f"Perfect abstention: only its {counted(int(hit.sum()), 'region')} with an IoU of at least {least:g} are "
        "shown; the value is over these alone."
    )
    return _Step("only_hits", results.regions["iou"], hit, needs)


def _people(people: Results, of: Column) -> Iterator[_Step]:
    yield _Step("people", people.regions["iou"], of, f"As good as people: {people.name}.", oracle=False)


def _notes(rungs: Sequence[Rung]) -> list[str]:
    names = {rung.name.partition("@")[0] for rung in rungs}
    absent = {
        "best_candidate": "The run has no candidates beside its final regions, so that there is no best of them.",
        "one_threshold": "The run has no score maps, so that no threshold can be tried.",
    }
    return [sentence for name, sentence in absent.items() if name not in names]
