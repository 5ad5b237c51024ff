"""`foveate ground`: a data set through a method into a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from foveate.cli._output import Root
from foveate.cli._settings import MethodOptions, Settings, settings_of


def ground(
    dataset: Annotated[str, typer.Argument(metavar="NAME[:SPLIT]", help="`foveate dataset list` lists them.")],
    grounder: Annotated[str, typer.Option(help="The method; `foveate grounders` lists them.", show_default=False)],
    out: Annotated[Path, typer.Option(readable=False, help="The folder of the run.", show_default=False)],
    root: Root = None,
    questions: Annotated[
        Path | None,
        typer.Option(
            readable=False,
            help="For `folder`: CSV or JSONL with image, question; optional id, left, top, right, bottom.",
        ),
    ] = None,
    option: Settings = None,
    set_: MethodOptions = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the run in --out.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N questions.", show_default=False)] = None,
    only_with_images: Annotated[
        bool, typer.Option("--only-with-images", help="Leave out questions whose photo is absent; it is recorded.")
    ] = False,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Pass over invalid rows of the data set; they are counted.")
    ] = False,
) -> None:
    """Ground every question of a data set and write the run; score it with `foveate score RUN`.

    Example: foveate ground toloka_vqa:train_sample --root DIR --grounder whole_image --out runs/a
    """
    from foveate.cli._output import progress, remark
    from foveate.errors import FoveateError
    from foveate.evaluation.wording import counted
    from foveate.execution.ground import config_of
    from foveate.execution.ground import ground as ground_dataset

    with progress() as bars:
        summary = ground_dataset(
            dataset,
            root,
            grounder=grounder,
            out=out,
            questions=questions,
            config=config_of(grounder, settings_of(set_, "--set")),
            settings=settings_of(option),
            resume=resume,
            limit=limit,
            only_with_images=only_with_images,
            skip_invalid=skip_invalid,
            progress=bars,
        )
    if summary.skipped:
        remark(f"{counted(len(summary.skipped), 'invalid row')} skipped, first: {summary.skipped[0]}")
    if summary.left_out:
        remark(f"{counted(summary.left_out, 'question')} left out because the photo is absent")
    failed = sum(count for state, count in summary.counts.items() if state not in {"ok", "no_region"})
    if failed:
        remark(f"{counted(failed, 'prediction')} failed, first: {summary.first_failure}")
    states = ", ".join(f"{state} {count:,}" for state, count in sorted(summary.counts.items()))
    before = summary.n - summary.n_new
    new = f"now {states}; {before:,} were there before" if states and before else states or "nothing new"
    typer.echo(f"{summary.out}: {counted(summary.n, 'prediction')} ({new})")
    if failed and failed == summary.n_new:
        raise FoveateError(str(summary.out), "every prediction failed", "See the first reason above; fix the method.")
