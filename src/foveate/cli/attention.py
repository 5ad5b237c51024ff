"""`foveate attention`: how much the choices on the way from attention to region matter."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from foveate.cli._output import DatasetName, Images, Questions, Resamples, Root, Seed, say
from foveate.cli._settings import Settings, settings_of


def attention(
    sources: Annotated[
        list[Path], typer.Argument(readable=False, metavar="RUN...", help="Runs of methods that attend.")
    ],
    dataset: DatasetName = None,
    root: Root = None,
    questions: Questions = None,
    images: Images = None,
    option: Settings = None,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Say how much each choice on the way from attention to region matters, from the maps that runs kept.

    Example: foveate attention runs/mac
    """
    from foveate.cli._output import print_json
    from foveate.cli.plugin_lists import print_rows
    from foveate.evaluation.attention_choices import attention_choices
    from foveate.evaluation.estimates import Draws
    from foveate.evaluation.load import DataPlace
    from foveate.evaluation.results import all_results
    from foveate.evaluation.telling_attention import attention_part

    draws = Draws(resamples, seed)
    results = all_results(list(sources), DataPlace(dataset, root, questions, images, settings=settings_of(option)))
    found = [attention_choices(one, draws) for one in results]
    if as_json:
        print_json({"dataset": results[0].loaded.data.name, "runs": [one.as_dict() for one in found]})
        return
    for one in found:
        part = attention_part(one)
        say(f"\n{part.title}")
        print_rows(part.head, part.rows, right=part.right)
        for sentence in part.sentences:
            say(sentence)
    say()
