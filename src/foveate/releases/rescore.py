"""Runs scored on two versions of a release: what mended targets change, and which samples do it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from foveate.datasets._open import open_dataset
from foveate.errors import InputError, UsageError
from foveate.evaluation.compare import Difference, Draws, raw_differences
from foveate.evaluation.evaluate import Evaluation, usual_metrics
from foveate.evaluation.load import DataPlace, Loaded, load
from foveate.evaluation.measured import measured
from foveate.evaluation.results import Results, results_of
from foveate.evaluation.score import score_loaded
from foveate.formats.release_json import Release, read_release
from foveate.runs.header import Header
from foveate.runs.store import is_run, read_run

# From here on two overlaps count as different; what is less is rounding.
_SAME = 1e-9


@dataclass(frozen=True)
class Moved:
    """A sample whose overlap with the prediction is another one now.

    Attributes:
        id: Of the sample.
        before: Intersection over union with the old target; 0 without a region.
        after: With the new one.
    """

    id: str
    before: float
    after: float


@dataclass(frozen=True)
class Rescored:
    """One run on two versions.

    Attributes:
        source: The run.
        split: Which split.
        before: Its scores on the old version.
        after: On the new one.
        common: How many samples both versions have and the run was asked.
        changes: Metric by metric after minus before on these alone, with the interval of the change (photos
            resampled, both versions alike); empty where there is none. It has no p-value: nothing is drawn by chance
            between two versions.
        moved: The samples whose overlap changed, the largest change first.
        removed: Samples of the run that the new version has not.
        not_asked: Samples that the new version has and the run was not asked.
    """

    source: str
    split: str
    before: Evaluation
    after: Evaluation
    common: int
    changes: Sequence[Difference]
    moved: Sequence[Moved]
    removed: Sequence[str]
    not_asked: Sequence[str]

    def as_dict(self) -> dict[str, Any]:
        """Returns what `foveate release rescore --json` prints of it."""
        return {
            "source": self.source,
            "split": self.split,
            "before": self.before.as_dict(),
            "after": self.after.as_dict(),
            "common": self.common,
            "changes": [
                {"metric": c.metric, "before": c.value_first, "after": c.value_second, "change": c.difference}
                | {"low": c.low, "high": c.high}
                for c in self.changes
            ],
            "samples": [{"id": one.id, "iou_before": one.before, "iou_after": one.after} for one in self.moved],
            "removed": list(self.removed),
            "not_asked": list(self.not_asked),
        }


def rescore(
    sources: Sequence[Path],
    old: Path,
    new: Path,
    *,
    split: str = "",
    metrics: Sequence[str] | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> list[Rescored]:
    """Returns the scores of runs or files of predictions on two versions; nothing is computed anew.

    Args:
        sources: Runs, or files of predictions.
        old: The folder of the version before.
        new: The folder of the mended one.
        split: Which split; a run knows its own.
        metrics: As for `score`.
        resamples: Bootstrap resamples for the intervals.
        seed: Of these.

    Raises:
        UsageError: The split is not said and cannot be known, or is none of both.
        InputError: A run was made for other questions than the old version has.
    """
    versions = read_release(old), read_release(new)
    found = []
    for source in sources:
        name = _split_of(source, split, versions)
        before = load(source, DataPlace(f"{versions[0].full_name}:{name}", old))
        after, removed, not_asked = _on(before, new, f"{versions[1].full_name}:{name}")
        scores = [score_loaded(one, metrics=metrics, resamples=resamples, seed=seed) for one in (before, after)]
        moved = _moved(results_of("before", before), results_of("after", after))
        common = {truth.id for truth in after.truths}
        wanted = metrics or usual_metrics(before.data.card)
        changes = _changes(before, after, common, wanted, Draws(resamples, 0, seed)) if common else []
        found.append(Rescored(str(source), name, scores[0], scores[1], len(common), changes, moved, removed, not_asked))
    return found


def _changes(before: Loaded, after: Loaded, common: set[str], metrics: Sequence[str], draws: Draws) -> list[Difference]:
    """Returns the change of each metric on the samples that both versions have."""
    two = {
        name: measured(
            [one for one in loaded.predictions if one.id in common],
            sorted((truth for truth in loaded.truths if truth.id in common), key=lambda truth: truth.id),
            metrics=metrics,
            groups=before.groups,
            where=str(loaded.source),
        )
        for name, loaded in (("before", before), ("after", after))
    }
    return raw_differences(two, [("before", "after")], draws)


def _split_of(source: Path, said: str, versions: tuple[Release, Release]) -> str:
    header: Header | None = read_run(source).header if is_run(source) else None
    split = said or (header.dataset.partition(":")[2] if header else "")
    both = [name for name in versions[0].splits if name in versions[1].splits]
    if not split and len(both) == 1:
        return both[0]
    if split not in both:
        problem = f"there is no split {split} in both" if split else "the split is not said"
        raise UsageError(str(source), problem, f"Name one with --split: {', '.join(both)}.")
    return split


def _on(loaded: Loaded, folder: Path, name: str) -> tuple[Loaded, list[str], list[str]]:
    """Returns the same predictions with the truths of another version, what that has not, and what it has more."""
    data = open_dataset(name, folder)
    queries = list(data.queries(with_images=False))
    mine, theirs = {truth.id for truth in loaded.truths}, {truth.id: truth for truth in data.truths()}
    asked = {query.id: query.question for query in loaded.queries}
    for query in queries:
        if query.id in mine and asked[query.id] != query.question:
            problem = f"the question was {asked[query.id]!r} and is {query.question!r} now"
            raise InputError(f"{name}, {query.id}", problem, "Ground the new version; the run was asked another thing.")
    truths = [truth for key, truth in theirs.items() if key in mine]
    kept = {truth.id for truth in truths}
    after = replace(
        loaded,
        data=data,
        truths=truths,
        queries=queries,
        predictions=[one for one in loaded.predictions if one.id in kept],
        about={**loaded.about, "dataset": data.name},
    )
    not_asked = [query.id for query in queries if query.id not in asked]
    return after, [truth.id for truth in loaded.truths if truth.id not in theirs], not_asked


def _moved(before: Results, after: Results) -> list[Moved]:
    was = {truth.id: float(value) for truth, value in zip(before.truths, before.regions["iou"], strict=True)}
    found = [
        Moved(truth.id, was[truth.id], float(value))
        for truth, value in zip(after.truths, after.regions["iou"], strict=True)
        if abs(was[truth.id] - float(value)) > _SAME
    ]
    return sorted(found, key=lambda one: (-abs(one.after - one.before), one.id))
