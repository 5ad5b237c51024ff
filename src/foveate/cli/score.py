"""`foveate score`: a run or a file of answers against its data set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from foveate.evaluation.evaluate import Evaluation


def score(
    source: Annotated[
        Path,
        typer.Argument(readable=False, metavar="RUN_OR_FILE", help="A run, or a CSV of boxes in the cup's layout."),
    ],
    dataset: Annotated[
        str | None, typer.Option(metavar="NAME[:SPLIT]", help="The data set; a run knows its own.", show_default=False)
    ] = None,
    root: Annotated[
        Path | None, typer.Option(readable=False, help="The folder of the data set.", show_default=False)
    ] = None,
    questions: Annotated[
        Path | None, typer.Option(readable=False, help="The table of questions, for `folder`.")
    ] = None,
    metric: Annotated[
        list[str] | None, typer.Option(help="A metric, once for each.", show_default="mean_iou and accuracy@0.5")
    ] = None,
    resamples: Annotated[int, typer.Option(min=0, help="Bootstrap resamples for the intervals.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Of the bootstrap; the same seed gives the same interval.")] = 0,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Count unusable rows of a file as invalid_output.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Score a run, or a file of boxes, with intervals and counts by state.

    Example: foveate score boxes.csv --dataset toloka_vqa:test_public --root DIR
    """
    from foveate.cli._output import print_json
    from foveate.evaluation.evaluate import DEFAULT_METRICS
    from foveate.evaluation.score import score as score_source

    evaluation = score_source(
        source,
        dataset,
        root,
        questions=questions,
        metrics=tuple(metric or DEFAULT_METRICS),
        resamples=resamples,
        seed=seed,
        skip_invalid=skip_invalid,
    )
    if as_json:
        print_json(evaluation.as_dict())
    else:
        print_table(evaluation)


def print_table(evaluation: Evaluation) -> None:
    """Prints the scores for a person: what was scored, what to mind, the values, the counts."""
    from foveate.cli._output import counted
    from foveate.cli.plugin_lists import print_rows
    from foveate.errors import some

    typer.echo(", ".join(f"{key} {value}" for key, value in evaluation.about.items()))
    for note in evaluation.notes:
        typer.echo(f"Note: {note}")
    if evaluation.missing:
        typer.echo(f"Note: {counted(len(evaluation.missing), 'prediction')} missing: {some(list(evaluation.missing))}")
    rows = [
        [
            name,
            _digits(value.value),
            f"{_digits(value.low)} to {_digits(value.high)}" if value.low is not None else "n/a",
            _digits(value.value_scored),
        ]
        for name, value in evaluation.metrics.items()
    ]
    titles = ["metric", "value", "95 % interval", "only where ok"]
    print_rows(titles, rows, right=titles[1:])
    states = ", ".join(f"{state} {count:,}" for state, count in evaluation.counts.items())
    typer.echo(f"{counted(evaluation.n, 'sample')}, {evaluation.n_grounded:,} with a target; predictions: {states}")


def _digits(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.4f}"
