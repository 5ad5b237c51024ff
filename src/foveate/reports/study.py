"""Everything that a report tells, measured once: each run, its values, and how the runs differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from foveate import plugins
from foveate.core.truths import Truth
from foveate.datasets._open import Dataset
from foveate.errors import InputError
from foveate.evaluation.compare import Difference, Draws, differences
from foveate.evaluation.evaluate import Evaluation, summarise
from foveate.evaluation.join import Joined
from foveate.evaluation.load import DataPlace, Loaded
from foveate.evaluation.load_same import load_same
from foveate.evaluation.measured import Columns, Done, Measured, columns_of, joined_with
from foveate.evaluation.metric_names import Metric, metrics_named
from foveate.reports.stages import Stages

REPORT_METRICS = (
    "mean_iou",
    "cumulative_iou",
    "accuracy@0.25",
    "accuracy@0.5",
    "accuracy@0.75",
    "pointing_game",
    "vqa_accuracy",
    "exact_match",
    "mean_iou_correct",
    "abstention",
    "aurc",
    "ece",
)
# Whose columns tell of each sample how it went: region, IoU and score; answer.
_OF_REGIONS, _OF_ANSWERS = "aurc", "exact_match"


@dataclass(frozen=True)
class RunStudy:
    """One run, or one file of predictions, measured.

    Attributes:
        name: What it is called beside the others.
        loaded: Its predictions and truths.
        found: The metrics that were asked for and could be measured.
        regions: The columns of `foveate.metrics._selective`, or None where regions cannot be measured.
        answers: The columns of `foveate.metrics._answers`.
        unmeasured: By metric, why it could not be measured.
        evaluation: The values of `found`.
    """

    name: str
    loaded: Loaded
    found: Measured
    regions: Columns | None
    answers: Columns | None
    unmeasured: Mapping[str, str]
    evaluation: Evaluation


@dataclass(frozen=True)
class Study:
    """Runs on the same samples.

    Attributes:
        runs: The first is what the others are compared with.
        metrics: That were asked for, in this order.
        differences: Of each further run to the first, by the metrics that all have.
        draws: What was drawn for intervals and p-values.
    """

    runs: Sequence[RunStudy]
    metrics: Sequence[Metric]
    differences: Sequence[Difference]
    draws: Draws

    @property
    def data(self) -> Dataset:
        """The data set."""
        return self.runs[0].loaded.data

    @property
    def truths(self) -> Sequence[Truth]:
        """The truths, in the order of every column."""
        return self.runs[0].found.joined.truths


def study(
    sources: Sequence[Path | str], place: DataPlace, metrics: Sequence[str], draws: Draws, stages: Stages
) -> Study:
    """Returns runs measured.

    Args:
        sources: One or more, as `score` takes them.
        place: Where the data set is.
        metrics: Names. Of `REPORT_METRICS`, one that there is not or that cannot measure these data is passed over; of
            any others it is an error.
        draws: For intervals and p-values.
        stages: Are told each run, and the comparison.

    Raises:
        UsageError: A name is unknown, or a file is given without a data set.
        InputError: Sources are not about the same samples, or one of them is broken, or cannot be measured.
    """
    strict = tuple(metrics) != REPORT_METRICS
    known = plugins.modules("metrics")
    chosen = metrics_named([name for name in metrics if strict or name.partition("@")[0] in known])
    loaded = load_same(sources, place)
    runs = [_run(name, one, chosen, strict, draws, stages) for name, one in loaded.items()]
    return Study(runs, chosen, _differences(runs, draws, stages), draws)


def _run(name: str, loaded: Loaded, chosen: Sequence[Metric], strict: bool, draws: Draws, stages: Stages) -> RunStudy:
    where = str(loaded.source)
    joined = joined_with(loaded.predictions, loaded.truths, where)
    columns, unmeasured = _columns(name, joined, where, chosen, strict, stages)
    groups = [loaded.groups.get(truth.id, truth.id) for truth in joined.truths]
    kept = Measured(joined, groups, [metric for metric in chosen if metric.name in columns], columns)
    evaluation = summarise(kept, resamples=draws.resamples, seed=draws.seed, notes=loaded.notes, about=loaded.about)
    stages.advance()
    shown = {metric.name: unmeasured[metric.name] for metric in chosen if metric.name in unmeasured}
    return RunStudy(
        name,
        loaded,
        kept,
        columns.get(_OF_REGIONS),
        columns.get(_OF_ANSWERS),
        shown,
        evaluation,
    )


def _columns(
    name: str, joined: Joined, where: str, chosen: Sequence[Metric], strict: bool, stages: Stages
) -> tuple[dict[str, Columns], dict[str, str]]:
    """Returns the columns by metric, and by metric why there are none."""
    groups = _by_function([*chosen, *metrics_named([_OF_REGIONS, _OF_ANSWERS])])
    columns: dict[str, Columns] = {}
    unmeasured: dict[str, str] = {}
    done: Done = {}
    # One step more for the intervals.
    stages.begin(f"measuring {name}", len(groups) + 1)
    # Function by function, so that what cannot be measured takes nothing else with it.
    for group in groups:
        names = [metric.name for metric in group]
        try:
            found = columns_of(group[0], joined, where, done)
        except InputError as error:
            if strict and any(metric in chosen for metric in group):
                raise
            unmeasured |= dict.fromkeys(names, error.problem)
        else:
            columns |= dict.fromkeys(names, found)
        stages.advance()
    return columns, unmeasured


def _by_function(metrics: Sequence[Metric]) -> list[list[Metric]]:
    groups: dict[object, list[Metric]] = {}
    for metric in metrics:
        groups.setdefault(metric.module.measure, []).append(metric)
    return list(groups.values())


def _differences(runs: Sequence[RunStudy], draws: Draws, stages: Stages) -> list[Difference]:
    if len(runs) < 2:
        return []
    # A metric without a value in some run has no difference.
    common = [
        metric
        for metric in runs[0].found.metrics
        if all(metric.name in run.evaluation.metrics and _has_value(run, metric) for run in runs)
    ]
    if not common:
        return []
    found = {run.name: replace(run.found, metrics=common) for run in runs}
    stages.begin("comparing", 1)
    made = differences(found, [(runs[0].name, run.name) for run in runs[1:]], draws)
    stages.advance()
    return made


def _has_value(run: RunStudy, metric: Metric) -> bool:
    return run.evaluation.metrics[metric.name].value is not None
