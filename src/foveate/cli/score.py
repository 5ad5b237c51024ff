"""`foveate score`: a run or a file of answers against its data set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from foveate.evaluation.evaluate import Evaluation


def score(
    source: Annotated[Path, typer.Argument(metavar="RUN_OR_FILE", help="A run, or answers in the cup's CSV layout.")],
    dataset: Annotated[
        str | None, typer.Option(metavar="NAME[:SPLIT]", help="A run knows its own.", show_default=False)
    ] = None,
    root: Annotated[Path | None, typer.Option(help="The folder of the data set.", show_default=False)] = None,
    questions: Annotated[Path | None, typer.Option(help="The table of questions, for `folder`.")] = None,
    metric: Annotated[
        list[str] | None, typer.Option(help="A metric, once for each.", show_default="mean_iou and accuracy@0.5")
    ] = None,
    resamples: Annotated[int, typer.Option(min=0, help="Bootstrap resamples for the intervals.")] = 1000,
    seed: Annotated[int, typer.Option(help="Of the bootstrap.")] = 0,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Count unusable rows of a file as invalid_output.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Score a run, or a file of boxes, with intervals and counts by state.

    Example: foveate score answers.csv --dataset toloka_vqa:test_public --root DIR
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
    """Prints the scores for a person."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("metric", "value", "95 % interval", "where ok"):
        table.add_column(title, justify="left" if title == "metric" else "right")
    for name, value in evaluation.metrics.items():
        low_high = f"{_digits(value.low)} to {_digits(value.high)}" if value.low is not None else "n/a"
        table.add_row(name, _digits(value.value), low_high, _digits(value.value_scored))
    console = Console()
    console.print(table)
    states = ", ".join(f"{state} {count:,}" for state, count in evaluation.counts.items())
    console.print(
        f"{evaluation.n:,} samples, {evaluation.n_grounded:,} with a target, "
        f"of these {evaluation.n_scored:,} ok; {states}"
    )
    if evaluation.missing:
        from foveate.errors import some

        console.print(escape(f"no prediction for: {some(list(evaluation.missing), 5)}"))
    for note in evaluation.notes:
        console.print(escape(f"note: {note}"))


def _digits(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.4f}"
