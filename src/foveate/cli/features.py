"""`foveate features`: the features of a data set's photos, made once and stored."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from foveate.cli._output import Questions, Root
from foveate.cli._settings import Settings, settings_of
from foveate.cli.plugin_lists import Json


def features(
    dataset: Annotated[str, typer.Argument(metavar="NAME[:SPLIT]", help="`foveate dataset list` lists them.")],
    out: Annotated[Path, typer.Option(readable=False, help="The file, FILE.h5.", show_default=False)],
    root: Root = None,
    regions: Annotated[
        str | None, typer.Option(metavar="offline|hub:MODEL", help="Boxes with features.", show_default=False)
    ] = None,
    grid: Annotated[
        str | None, typer.Option(metavar="SOURCE", help="A grid of features: dinov2_s, …", show_default=False)
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="An option of the source: most=50.", show_default=False),
    ] = None,
    questions: Questions = None,
    option: Settings = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N photos.", show_default=False)] = None,
    as_json: Json = False,
) -> None:
    """Store the features of every photo of a data set in one file, found by the photo's name.

    What was stopped or killed goes on where it was: run the same command again.

    Example: foveate features coco --root DIR --regions offline --out coco.h5
    """
    from foveate.cli._output import print_json, progress, remark
    from foveate.execution.features import begun, named_source, store_features

    source = named_source(regions=regions, grid=grid, options=_options(set_))
    if begun(out):
        remark(f"{out}: it was begun before and goes on")
    with progress() as bars:
        stored = store_features(
            dataset,
            root,
            source=source,
            out=out,
            questions=questions,
            settings=settings_of(option),
            limit=limit,
            progress=bars,
        )
    card = stored.card
    if as_json:
        told = {"out": str(stored.out), "n": stored.n, "n_new": stored.n_new}
        print_json(told | card.model_dump(mode="json", include={"kind", "source", "width", "dataset"}))
        return
    before = f" ({stored.n - stored.n_new:,} were there before)" if stored.n > stored.n_new else ""
    photos = f"{stored.n:,} photo{'' if stored.n == 1 else 's'}"
    typer.echo(f"{stored.out}: {card.kind} of {card.source['name']}, {card.width} numbers each, of {photos}{before}")


def _options(given: list[str] | None) -> dict[str, Any]:
    """Returns options of a source as plain values: yes and no, whole numbers, else texts."""
    words = {"yes": True, "true": True, "no": False, "false": False}
    return {
        name: words.get(text.lower(), int(text) if text.isdecimal() else text)
        for name, text in settings_of(given, "--set").items()
    }
