"""`foveate export`: a run in a form that others read."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Form(StrEnum):
    """The forms of `foveate.runs.forms`, which is not imported for --help."""

    toloka = "toloka"
    vizwiz = "vizwiz"
    coco = "coco"
    jsonl = "jsonl"


def export(
    run: Annotated[Path, typer.Argument(readable=False, help="The folder of the run.")],
    form: Annotated[
        Form,
        typer.Option(
            help="toloka: CSV of boxes; vizwiz: zip of PNG masks; coco: COCO results; jsonl: a line a prediction.",
            show_default=False,
        ),
    ],
    out: Annotated[Path, typer.Option(readable=False, help="The file to write.", show_default=False)],
) -> None:
    """Write a run in a form that others read; what the form cannot hold is refused.

    Example: foveate export runs/a --form vizwiz --out masks.zip
    """
    from foveate.cli._output import remark
    from foveate.evaluation.wording import counted
    from foveate.runs.forms import SUFFIXES, WRITERS, form_of
    from foveate.runs.store import read_run

    found = read_run(run)
    if not found.finished:
        remark(f"the run is not finished: {len(found.predictions):,} of {found.header.n:,}")
    typer.echo(f"{out}: {counted(WRITERS[form.value](found.predictions, out, remark), 'prediction')}")
    if form_of(out) != form.value:
        remark(f"{out}: to be scored here it needs the suffix {SUFFIXES[form.value][0]}")
