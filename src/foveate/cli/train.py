"""`foveate train`: a method learns to answer from a data set."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from foveate.cli._output import Root, say
from foveate.cli._settings import Settings, settings_of


def train(
    recipe: Annotated[
        str | None,
        typer.Argument(metavar="RECIPE|FILE.toml", help="What is trained and how.", show_default=False),
    ] = None,
    data: Annotated[
        str | None, typer.Option(metavar="NAME[:SPLIT]", help="What it learns from.", show_default=False)
    ] = None,
    out: Annotated[Path | None, typer.Option(readable=False, help="The folder.", show_default=False)] = None,
    root: Root = None,
    val: Annotated[str, typer.Option(metavar="SPLIT", help="Decides which epoch is the best.")] = "val",
    features: Annotated[
        Path | None,
        typer.Option(
            readable=False, help="A folder of stored features, SPLIT.h5; made where absent.", show_default=False
        ),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Another value of the recipe: lr=0.001.", show_default=False),
    ] = None,
    option: Settings = None,
    minutes: Annotated[
        float | None, typer.Option(min=0, help="After so many in all it ends.", show_default=False)
    ] = None,
    device: Annotated[str, typer.Option(help="cpu, cuda or cuda:0.")] = "cpu",
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the training in --out.")] = False,
    list_: Annotated[bool, typer.Option("--list", help="Name the recipes that come with Foveate.")] = False,
) -> None:
    """Train a method on the answers of a data set; targets are never looked at.

    Example: foveate train mac_scenes --data scenes:train --root scenes --out trained/mac
    """
    from foveate.errors import UsageError
    from foveate.training.recipe import read_recipe, recipe_names

    if list_:
        for name in recipe_names():
            say(f"{name}: {read_recipe(name).about}")
        return
    missing = [name for name, value in (("RECIPE", recipe), ("--data", data), ("--out", out)) if not value]
    if recipe is None or data is None or out is None:
        raise UsageError("foveate train", f"{' and '.join(missing)} must be said", "Look at foveate train --help.")
    from foveate.cli._output import progress, remark
    from foveate.formats._optional import needed

    needed("torch", "foveate train", "torch")
    from foveate.training.told import Shown
    from foveate.training.train import Where
    from foveate.training.train import train as train_method

    how = read_recipe(recipe, settings_of(set_, "--set"))
    where = Where(data, val, root, features, settings_of(option))
    with progress() as bars:
        told = Shown(bars, remark)
        done = train_method(how, where, out, resume=resume, device=device, minutes=minutes, progress=bars, told=told)
    if not done.first:
        return
    best = max(done.history, key=lambda line: line["accuracy"], default=None)
    if best is not None:
        say(f"best: epoch {best['epoch']}, accuracy {best['accuracy']:.4f} on the validation split")
    say(f"{done.out}: {_ENDS[done.end]}")


_ENDS = {"epochs": "all epochs are done", "patience": "it got no better", "minutes": "the time is over"}
