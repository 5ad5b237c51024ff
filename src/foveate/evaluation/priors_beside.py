"""A run beside what can be had without looking: whole image, centre box, and the priors of a training split.

Priors are the grounders of these names, asked the run's own questions without a photo. A run is said to be above or
below one where the 95 % interval of the paired difference of mean IoU leaves out 0 and the permutation p, adjusted for
the number of priors (Holm), is below 0.05; else the two are not told apart. Without resamples nothing is tested.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from foveate.core.boxes import SizeHW
from foveate.core.predictions import Prediction
from foveate.core.queries import Query
from foveate.datasets._open import fingerprint
from foveate.evaluation.compare import Difference, Draws, differences
from foveate.evaluation.evaluate import check_random
from foveate.evaluation.measured import Measured, measured
from foveate.evaluation.origins import seen_in_training
from foveate.evaluation.results import Results
from foveate.evaluation.wording import counted, listed
from foveate.execution.ground import load_grounder
from foveate.execution.map_queries import map_queries

METRIC = "mean_iou"
FIXED = ("whole_image", "centre_box")
OF_A_FILE = ("best_box", "mean_mask", "prior")
# Enough exchanges to tell 0.05 among five priors; a page sets several runs beside them.
USUAL_DRAWS = Draws(1000, 1_999, 0)
SAID = {
    "whole_image": "the whole image",
    "centre_box": "the centre box",
    "best_box": "the best box",
    "mean_mask": "the mean mask",
    "prior": "the prior by question",
}
_LEVEL = 0.05

Standing = Literal["above", "below", "not told apart", "equal", "not tested"]


@dataclass(frozen=True)
class Beside:
    """A run beside one prior.

    Attributes:
        prior: The grounder's name.
        value: Its mean IoU on the samples of the run.
        difference: The run minus the prior, with interval and p; `p_holm` is adjusted for the number of priors.
        standing: Whether the run is told apart from it, and how.
        remark: That the prior has seen the samples, and the like; empty where there is nothing to mind.
    """

    prior: str
    value: float | None
    difference: Difference
    standing: Standing
    remark: str = ""


@dataclass(frozen=True)
class PriorsBeside:
    """A run beside all priors.

    Attributes:
        run: Its name.
        value: Its mean IoU on the samples that were compared.
        n: Samples with a target that were compared.
        beside: One a prior.
        notes: What was left out, and why.
    """

    run: str
    value: float | None
    n: int
    beside: Sequence[Beside]
    notes: Sequence[str] = ()

    @property
    def sentence(self) -> str:
        """How the run stands, in one sentence."""
        said = [phrase for standing in _ORDER if (phrase := _phrase(standing, self.beside))]
        return f"{self.run} is {'; '.join(said)}." if said else " ".join(self.notes)

    def as_dict(self) -> dict[str, Any]:
        """Returns plain values for `--json`."""
        return {
            "run": self.run,
            "value": self.value,
            "n": self.n,
            "priors": [
                {
                    "prior": one.prior,
                    "value": one.value,
                    "difference": one.difference.difference,
                    "low": one.difference.low,
                    "high": one.difference.high,
                    "p": one.difference.p,
                    "p_holm": one.difference.p_holm,
                    "standing": one.standing,
                    "remark": one.remark,
                }
                for one in self.beside
            ],
            "sentence": self.sentence,
            "notes": list(self.notes),
        }


def priors_beside(results: Results, prior_file: Path | str | None = None, draws: Draws = USUAL_DRAWS) -> PriorsBeside:
    """Returns a run beside the priors.

    Args:
        results: The run.
        prior_file: Of `foveate analyze … --prior`, for the best box, the mean mask and the prior by question.
        draws: For intervals and p-values.

    Raises:
        InputError: The file is no prior.
        UsageError: A number of draws is negative.
    """
    check_random(draws.seed, draws.resamples, draws.permutations)
    sizes = _sizes(results)
    kept = [row for row, truth in enumerate(results.truths) if not truth.targets or truth.id in sizes]
    n = sum(bool(results.truths[row].targets) for row in kept)
    notes = _notes(results, n)
    if not n:
        return PriorsBeside(results.name, None, 0, (), notes)
    queries = [replace(results.queries[row], size_hw=sizes.get(results.truths[row].id)) for row in kept]
    found = {results.name: _measured(results, kept, [p for row in kept if (p := results.predictions[row])])}
    remarks: dict[str, str] = {}
    for name, config in _grounders(prior_file).items():
        _, grounder = load_grounder(name, config)
        asked = [query for query in queries if query.size_hw is not None]
        free = _free(name, results.name)
        found[free] = _measured(results, kept, list(map_queries(asked, grounder)))
        remarks[free] = _seen(getattr(grounder, "trained_on", {}), results)
    pairs = [(name, results.name) for name in remarks]
    told = [_beside(difference, remarks) for difference in differences(found, pairs, draws)]
    return PriorsBeside(results.name, told[0].difference.value_second, n, told, notes)


def standing_of(difference: Difference) -> Standing:
    """Returns whether a difference is told apart from none, by interval and, where there is one, p."""
    d = difference
    if d.difference == 0 and d.low in {0, None} and d.high in {0, None}:
        return "equal"
    if d.low is None or d.high is None:
        return "not tested"
    sure = d.p_holm is None or d.p_holm < _LEVEL
    if sure:
        if d.high < 0:
            return "below"
        if d.low > 0:
            return "above"
    return "not told apart"


def _grounders(prior_file: Path | str | None) -> Mapping[str, dict[str, Any]]:
    named: dict[str, dict[str, Any]] = {name: {} for name in FIXED}
    if prior_file is not None:
        named |= {name: {"file": str(prior_file)} for name in OF_A_FILE}
    return named


def _free(name: str, taken: str) -> str:
    """Returns the prior's name, told from a run of the same name."""
    return f"{name} (prior)" if name == taken else name


def _beside(difference: Difference, remarks: Mapping[str, str]) -> Beside:
    name = difference.first
    return Beside(
        name.removesuffix(" (prior)"), difference.value_first, difference, standing_of(difference), remarks[name]
    )


def _measured(results: Results, kept: Sequence[int], predictions: Sequence[Prediction]) -> Measured:
    truths = [results.truths[row] for row in kept]
    return measured(predictions, truths, metrics=[METRIC], groups=results.loaded.groups, where=results.name)


def _sizes(results: Results) -> dict[str, SizeHW]:
    """Returns the size of each sample's photo, from what tells it first: the truth, the question, the prediction."""
    rows: Sequence[tuple[Query, Prediction | None]] = list(zip(results.queries, results.predictions, strict=True))
    told = [
        truth.size_hw or query.size_hw or (prediction.size_hw if prediction else None)
        for truth, (query, prediction) in zip(results.truths, rows, strict=True)
    ]
    return {truth.id: size for truth, size in zip(results.truths, told, strict=True) if size is not None}


def _notes(results: Results, n: int) -> list[str]:
    grounded = sum(bool(truth.targets) for truth in results.truths)
    if not grounded:
        return [f"{results.name}: no sample has a target, so that there is nothing to set priors beside."]
    if not n:
        return [
            f"{results.name}: nothing tells the sizes of the photos, so that no prior can be set beside it; give the "
            "photos, or their width and height."
        ]
    if n < grounded:
        return [f"{counted(grounded - n, 'sample')} left out, since nothing tells the size of the photo."]
    return []


def _seen(trained_on: Mapping[str, Any], results: Results) -> str:
    if not trained_on:
        return ""
    loaded = results.loaded
    return seen_in_training(trained_on, loaded.data.name, fingerprint(list(loaded.queries))) or ""


_ORDER: tuple[Standing, ...] = ("below", "not told apart", "not tested", "equal", "above")
_SAID_OF: Mapping[Standing, str] = {
    "below": "below ",
    "not told apart": "not told apart from ",
    "not tested": "not tested against ",
    "equal": "the same as ",
    "above": "above ",
}


def _phrase(standing: Standing, beside: Sequence[Beside]) -> str:
    there = [one for one in beside if one.standing == standing]
    return _SAID_OF[standing] + listed([_by(one) for one in there]) if there else ""


def _by(one: Beside) -> str:
    d = one.difference
    name = SAID.get(one.prior, one.prior)
    if one.standing == "equal" or d.difference is None:
        return name
    signed = one.standing in {"not told apart", "not tested"}
    sides = [d.low, d.high] if signed or one.standing == "above" else [d.high, d.low]
    numbers = [value if signed else None if value is None else abs(value) for value in (d.difference, *sides)]
    shown = [("n/a" if value is None else f"{round(value, 3) + 0.0:{'+' if signed else ''}.3f}") for value in numbers]
    interval = "" if d.low is None else f" [{shown[1]}, {shown[2]}]"
    return f"{name} {'(' if signed else 'by '}{shown[0]}{interval}{')' if signed else ''}"
