"""`foveate controls`: does a method look at the photo, and does it read the question?"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foveate.cli._output import Questions, Resamples, Root, Seed, say
from foveate.cli._settings import MethodOptions, Settings, settings_of

if TYPE_CHECKING:
    from foveate.evaluation.controls import Controls, ControlValues, Estimate


class Fills(StrEnum):
    """The fills of `foveate.execution.fills`, which is not imported for --help."""

    mean = "mean"
    blur = "blur"
    inpaint = "inpaint"


Only = Annotated[
    list[str] | None,
    typer.Option(help="A control beside as_is, once for each.", show_default="all"),
]


def controls(
    dataset: Annotated[
        str | None, typer.Argument(metavar="NAME[:SPLIT]", help="The data set; not with --from.", show_default=False)
    ] = None,
    grounder: Annotated[str | None, typer.Option(help="The method.", show_default=False)] = None,
    out: Annotated[
        Path | None, typer.Option(readable=False, help="The folder for the runs, one a control.", show_default=False)
    ] = None,
    from_: Annotated[
        Path | None,
        typer.Option("--from", readable=False, help="Tell of runs that are there; nothing is run.", show_default=False),
    ] = None,
    root: Root = None,
    questions: Questions = None,
    option: Settings = None,
    set_: MethodOptions = None,
    only: Only = None,
    fill: Annotated[Fills, typer.Option(help="What stands where evidence is erased.")] = Fills.mean,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the runs in --out.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N questions.", show_default=False)] = None,
    only_with_images: Annotated[
        bool, typer.Option("--only-with-images", help="Leave out questions whose photo is absent; it is recorded.")
    ] = False,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Run a method on changed photos and questions, and say whether it uses them.

    Controls: question_shuffled, question_blanked, photo_swapped, evidence_erased, evidence_only.

    Example: foveate controls photos --grounder pocket --out controls
    """
    from foveate.cli._output import print_json, progress
    from foveate.evaluation.compare import Draws
    from foveate.evaluation.controls import read_controls
    from foveate.evaluation.load import DataPlace
    from foveate.execution.controls import ground_controls
    from foveate.execution.ground import config_of

    folder, name, method = _checked(dataset, grounder, out, from_)
    settings = settings_of(option)
    if method is not None:
        with progress() as bars:
            ground_controls(
                name or "",
                root,
                grounder=method,
                out=folder,
                only=only or (),
                seed=seed,
                fill=fill.value,
                progress=bars,
                questions=questions,
                config=config_of(method, settings_of(set_, "--set")),
                settings=settings,
                resume=resume,
                limit=limit,
                only_with_images=only_with_images,
            )
    place = DataPlace(None, root, questions, settings=settings or None)
    found = read_controls(folder, place, Draws(resamples, 0, seed))
    if as_json:
        print_json(found.as_dict())
    else:
        print_controls(found)


def print_controls(found: Controls) -> None:
    """Prints what controls say for a person."""
    from foveate.cli.plugin_lists import print_rows

    say(f"{found.grounder} on {found.dataset}")
    for note in found.notes:
        say(f"Note: {note}")
    titles = ["control", "mean IoU", "against as_is", "regions same", "answers same", "answers right", "against it"]
    answering = any(one.same_answers.n for one in found.values)
    shown = titles if answering else titles[:4]
    print_rows(shown, [_row(one)[: len(shown)] for one in found.values], right=titles[1:])
    say("Differences are paired, intervals of 95 % by a bootstrap over photos. A region is the same at IoU >= 0.5.")
    say(found.verdict)


def _checked(
    dataset: str | None, grounder: str | None, out: Path | None, from_: Path | None
) -> tuple[Path, str | None, str | None]:
    """Returns the folder of the runs, and what is to be run; None where all is there."""
    from foveate.errors import UsageError

    if from_ is not None:
        given = {"a data set": dataset, "--grounder": grounder, "--out": out}
        beside = next((name for name, value in given.items() if value is not None), None)
        if beside:
            raise UsageError(
                "--from", f"it tells of runs that are there, and {beside} is given too", "Give one of both."
            )
        return from_, None, None
    if dataset is None or grounder is None or out is None:
        raise UsageError(
            "controls",
            "a data set, --grounder and --out are needed",
            "Give all three, or --from DIR for runs that are there.",
        )
    return out, dataset, grounder


def _row(one: ControlValues) -> list[str]:
    first = one.name == "as_is"
    cells = [_value(one.mean_iou)]
    cells += ["", ""] if first else [_signed(one.change), _share(one.same_regions)]
    cells += [""] if first else [_share(one.same_answers)]
    cells += [_value(one.right_answers), "" if first else _signed(one.answer_change)]
    return [one.name, *cells]


def _value(one: Estimate) -> str:
    from foveate.evaluation.wording import digits

    return digits(one.value)


def _signed(one: Estimate) -> str:
    if one.value is None:
        return "n/a"
    bounds = "" if one.low is None or one.high is None else f" [{one.low:+.3f}, {one.high:+.3f}]"
    return f"{one.value:+.4f}{bounds}"


def _share(one: Estimate) -> str:
    return "n/a" if one.value is None else f"{one.value:.1%}".replace("%", " %")
