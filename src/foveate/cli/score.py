"""`foveate score`: a run or a file of answers against its data set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foveate.cli._beside import BesideFlag, PriorFile, beside_of, print_beside
from foveate.cli._output import DatasetName, Images, Metrics, Questions, Resamples, Root, Seed, say
from foveate.cli._settings import Settings, settings_of
from foveate.cli._slices import By, Cross
from foveate.cli._touched import TouchedFile, leakage_of, print_leakage

if TYPE_CHECKING:
    from foveate.evaluation.evaluate import Evaluation


def score(
    source: Annotated[
        Path,
        typer.Argument(
            readable=False,
            metavar="RUN_OR_FILE",
            help="A run; or predictions: CSV (the cup's), folder or zip of masks (VizWiz's), COCO results, JSONL.",
        ),
    ],
    dataset: DatasetName = None,
    root: Root = None,
    questions: Questions = None,
    images: Images = None,
    option: Settings = None,
    metric: Metrics = None,
    by: By = None,
    cross: Cross = None,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Count unusable rows of a file as invalid_output.")
    ] = False,
    beside: BesideFlag = False,
    prior: PriorFile = None,
    touched: TouchedFile = None,
    without: Annotated[
        Path | None,
        typer.Option(
            readable=False,
            help="Leave out the samples of this file, one id a line, as `audit --apply` writes it.",
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Score a run, or anybody's predictions, with intervals and counts by state.

    Example: foveate score boxes.csv --dataset toloka_vqa:test_public --root DIR
    """
    from foveate.cli._output import print_json
    from foveate.cli._slices import print_crossed, print_sliced
    from foveate.evaluation.in_slices import in_slices
    from foveate.evaluation.leaving_out import leave_out
    from foveate.evaluation.load import DataPlace, load
    from foveate.evaluation.score import score_loaded
    from foveate.evaluation.verdicts import read_ids

    place = DataPlace(dataset, root, questions, images, skip_invalid, settings_of(option))
    loaded = load(source, place)
    if without is not None:
        loaded = leave_out(loaded, read_ids(without), str(without))
    evaluation = score_loaded(loaded, metrics=metric, resamples=resamples, seed=seed)
    found = in_slices(loaded, by or (), cross, list(evaluation.metrics), resamples=resamples, seed=seed)
    priors = beside_of(loaded, prior, resamples, seed) if beside or prior else None
    leaked = leakage_of(loaded, touched, list(evaluation.metrics), resamples, seed) if touched else None
    if as_json:
        more = {name: part.as_dict() for name, part in (("beside", priors), ("leakage", leaked)) if part}
        print_json({**evaluation.as_dict(), **found.as_dict(), **more})
        return
    print_table(evaluation)
    print_sliced(found, evaluation.n)
    print_crossed(found)
    if priors:
        print_beside(priors)
    if leaked:
        print_leakage(leaked)


def print_table(evaluation: Evaluation) -> None:
    """Prints the scores for a person: what was scored, what to mind, the values, the counts."""
    from foveate.cli.plugin_lists import print_rows
    from foveate.errors import some
    from foveate.evaluation.wording import counted, digits, interval

    say(", ".join(f"{key} {value}" for key, value in evaluation.about.items()))
    for note in evaluation.notes:
        say(f"Note: {note}")
    if evaluation.missing:
        say(f"Note: {counted(len(evaluation.missing), 'prediction')} missing: {some(list(evaluation.missing))}")
    rows = [
        [name, digits(value.value), interval(value.low, value.high), digits(value.value_scored), f"{value.n:,}"]
        for name, value in evaluation.metrics.items()
    ]
    titles = ["metric", "value", "95 % interval", "only where ok", "over"]
    print_rows(titles, rows, right=titles[1:])
    for name, value in evaluation.metrics.items():
        if value.undefined:
            say(f"n/a: {name}: {value.undefined}")
    states = ", ".join(f"{state} {count:,}" for state, count in evaluation.counts.items())
    say(f"{counted(evaluation.n, 'sample')}, {evaluation.n_grounded:,} with a target; predictions: {states}")
    said = evaluation.abstention
    nothing_to_find = evaluation.n_grounded == 0 and not said["right"]
    if not nothing_to_find and (said["right"] or said["needless"] or evaluation.n_grounded < evaluation.n):
        say(f"No region: {said['right']:,} right, {said['missed']:,} missed, {said['needless']:,} needless")
