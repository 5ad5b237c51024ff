"""What `foveate score --beside` adds: a run beside what is had without looking."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foveate.cli._output import say

if TYPE_CHECKING:
    from foveate.evaluation.load import Loaded
    from foveate.evaluation.priors_beside import PriorsBeside

BesideFlag = Annotated[
    bool, typer.Option("--beside", help="Set it beside whole image and centre box, as boxes without a photo.")
]
PriorFile = Annotated[
    Path | None,
    typer.Option(
        "--prior",
        readable=False,
        help="And beside best box, mean mask and prior of this file of `analyze --prior`.",
        show_default=False,
    ),
]


def beside_of(loaded: Loaded, prior: Path | None, resamples: int, seed: int) -> PriorsBeside:
    """Returns a run, or a file of predictions, beside the priors."""
    from foveate.evaluation.compare import Draws
    from foveate.evaluation.priors_beside import USUAL_DRAWS, priors_beside
    from foveate.evaluation.results import results_of

    results = results_of(loaded.source.name, loaded)
    return priors_beside(results, prior, Draws(resamples, USUAL_DRAWS.permutations, seed))


def print_beside(found: PriorsBeside) -> None:
    """Prints how a run stands for a person."""
    from foveate.cli.plugin_lists import print_rows
    from foveate.evaluation.wording import digits, interval

    titles = ["prior", "mean IoU", "the run minus it", "95 % interval", "p (Holm)", "the run is"]
    rows = [
        [
            one.prior,
            digits(one.value),
            digits(one.difference.difference, sign=True),
            interval(one.difference.low, one.difference.high, sign=True),
            digits(one.difference.p_holm),
            one.standing,
        ]
        for one in found.beside
    ]
    say()
    if rows:
        print_rows(titles, rows, right=titles[1:5])
    for note in dict.fromkeys(found.notes if rows else ()):
        say(f"Note: {note}")
    for remark in dict.fromkeys(one.remark for one in found.beside if one.remark):
        say(f"Note: {', '.join(one.prior for one in found.beside if one.remark == remark)}: {remark}")
    say(found.sentence)
