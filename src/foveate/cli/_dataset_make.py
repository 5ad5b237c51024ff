"""`foveate dataset make`: data sets that are made here, not fetched."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def make(
    dataset: Annotated[str, typer.Argument(metavar="NAME", help="The data set: scenes.")],
    out: Annotated[Path, typer.Argument(readable=False, metavar="OUT", help="The folder to make it in.")],
    only: Annotated[str | None, typer.Option(metavar="SPLIT", help="One split.", show_default="all")] = None,
    split: Annotated[str | None, typer.Option(metavar="NAME", help="A split of your own.", show_default=False)] = None,
    images: Annotated[int | None, typer.Option(min=1, help="How many pictures it has.", show_default=False)] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The seed that it comes from.", show_default=False)] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="How many processes; the files are the same.", show_default="one a core")
    ] = None,
) -> None:
    """Make a data set: pictures, questions and targets, the same wherever it is made.

    What was stopped goes on when the same is said again.

    Example: foveate dataset make scenes DIR --only test
    """
    import os

    from foveate import plugins
    from foveate.cli._output import progress, say
    from foveate.errors import UsageError

    module = plugins.load("datasets", dataset)
    if not hasattr(module, "make"):
        makes = "it is not made but fetched from its publisher"
        raise UsageError(dataset, makes, "Say `foveate dataset list` to see what it is; `scenes` can be made.")
    with progress() as steps:
        made = module.make(
            out,
            only=only,
            split=split,
            images=images,
            seed=seed,
            workers=workers or os.cpu_count() or 1,
            progress=steps,
        )
    for name, new in made.items():
        say(f"{dataset}:{name}: {'made' if new else 'is there already'} ({out})")
