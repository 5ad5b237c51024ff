"""Scoring what is on disk: a run, or a file of predictions, against its data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from foveate.evaluation.evaluate import Evaluation, evaluate, usual_metrics
from foveate.evaluation.load import DataPlace, Loaded, load


def score(
    source: Path | str,
    dataset: str | None = None,
    root: Path | str | None = None,
    *,
    questions: Path | str | None = None,
    images: Path | str | None = None,
    settings: Mapping[str, str] | None = None,
    metrics: Sequence[str] | None = None,
    resamples: int = 1000,
    seed: int = 0,
    skip_invalid: bool = False,
) -> Evaluation:
    """Returns the scores of a run, or of a file of predictions.

    Args:
        source: A run (its folder or `.jsonl` file); or predictions: a CSV in the cup's layout, a folder or zip of
            PNG masks in the form of VizWiz, COCO results (`.json`), or our JSONL.
        dataset: `NAME` or `NAME:SPLIT`; a run knows its own.
        root: The folder of the data set; a run remembers the one it was made with.
        questions: The table of questions, for the data set `folder`.
        images: For COCO results: a COCO file whose `images` say which number is which photo.
        settings: Options of the data set; a run knows its own.
        metrics: Names, with a parameter after `@`; those of regions by default, of answers where there is nothing else.
        resamples: Bootstrap resamples for the intervals; 0 for none.
        seed: Of the bootstrap.
        skip_invalid: Count unusable entries of a file as `invalid_output` instead of stopping at the first.

    Raises:
        UsageError: A name is unknown, or a file is given without a data set.
        InputError: Predictions and data set do not fit each other, or a file is broken.
    """
    loaded = load(source, DataPlace(dataset, root, questions, images, skip_invalid, settings=settings))
    return score_loaded(loaded, metrics=metrics, resamples=resamples, seed=seed)


def score_loaded(
    loaded: Loaded, *, metrics: Sequence[str] | None = None, resamples: int = 1000, seed: int = 0
) -> Evaluation:
    """Returns the scores of what was read; arguments as for `score`.

    Raises:
        UsageError: A metric's name is unknown.
        InputError: Predictions and data set do not fit each other.
    """
    return evaluate(
        loaded.predictions,
        loaded.truths,
        metrics=metrics or usual_metrics(loaded.data.card),
        groups=loaded.groups,
        resamples=resamples,
        seed=seed,
        where=str(loaded.source),
        notes=loaded.notes,
        about=loaded.about,
    )
