"""`foveate transfer`: trained on A, tested on B."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foveate.cli._output import Resamples, Seed, say

if TYPE_CHECKING:
    from foveate.evaluation.transfer import Row, Transfer


def transfer(
    sources: Annotated[list[Path], typer.Argument(readable=False, metavar="RUN...", help="One or more runs.")],
    root: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=DIR", help="Where a data set lies now, once for each.", show_default="where it was"),
    ] = None,
    metric: Annotated[str, typer.Option(help="The metric.")] = "mean_iou",
    resamples: Resamples = 1000,
    seed: Seed = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Set runs of trained methods in a matrix: trained on A, tested on B.

    Example: foveate transfer runs/best_box-on-public runs/best_box-on-private
    """
    from foveate.cli._output import print_json
    from foveate.cli._settings import settings_of
    from foveate.evaluation.transfer import transfer as transfer_of

    found = transfer_of(sources, settings_of(root, "--root"), metric=metric, resamples=resamples, seed=seed)
    if as_json:
        print_json(found.as_dict())
    else:
        print_transfer(found)


def print_transfer(found: Transfer) -> None:
    """Prints the matrix for a person."""
    from foveate.cli.plugin_lists import print_rows

    for note in found.notes:
        say(f"Note: {note}")
    titles = ["method", "trained on", *(f"on {column}" for column in found.columns)]
    rows = [[row.method, row.trained_on, *(_cell(found, row, name) for name in found.columns)] for row in found.rows]
    print_rows(titles, rows)
    say(f"{found.metric} with its 95 % interval; — where there is no run.")
    marks = {cell.seen for cell in found.cells.values()}
    if "yes" in marks:
        say("* trained on the samples it is tested on: what it remembers, not what it can do.")
    if "perhaps" in marks:
        say("? trained on other samples of the same split, or on an earlier form of it; it may have seen these.")


def _cell(found: Transfer, row: Row, column: str) -> str:
    cell = found.cells.get((row, column))
    if cell is None:
        return "—"
    mark = {"no": "", "yes": " *", "perhaps": " ?"}[cell.seen]
    if cell.value.value is None:
        return f"n/a{mark}"
    low, high = cell.value.low, cell.value.high
    bounds = "" if low is None or high is None else f" [{low:.3f}, {high:.3f}]"
    return f"{cell.value.value:.4f}{bounds}{mark}"
