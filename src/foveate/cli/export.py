"""`foveate export`: a run in an official submission form."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Form(StrEnum):
    """The official forms."""

    toloka = "toloka"
    vizwiz = "vizwiz"


def export(
    run: Annotated[Path, typer.Argument(readable=False, help="The folder of the run.")],
    form: Annotated[Form, typer.Option(help="toloka: CSV of boxes; vizwiz: zip of PNG masks.", show_default=False)],
    out: Annotated[Path, typer.Option(readable=False, help="The file to write.", show_default=False)],
) -> None:
    """Write a run in an official submission form; what the form cannot hold is refused.

    Example: foveate export runs/a --form vizwiz --out masks.zip
    """
    from foveate.cli._output import counted, remark
    from foveate.runs.store import read_run
    from foveate.runs.toloka_predictions import write_predictions
    from foveate.runs.vizwiz_masks import write_masks

    found = read_run(run)
    if not found.finished:
        remark(f"the run is not finished: {len(found.predictions):,} of {found.header.n:,}")
    write = write_predictions if form is Form.toloka else write_masks
    typer.echo(f"{out}: {counted(write(found.predictions, out), 'prediction')}")
