"""`foveate report`: runs as one file that shows where they fail."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foveate.cli._beside import PriorFile
from foveate.cli._output import Common, DatasetName, Images, Questions, Resamples, Root, Seed
from foveate.cli._papers import PaperName, report_paper
from foveate.cli._settings import Settings, settings_of
from foveate.cli._slices import By, Cross
from foveate.cli._touched import TouchedFile

if TYPE_CHECKING:
    from foveate.reports.evaluation.chapters import Depth
    from foveate.reports.report import Report


def report(
    sources: Annotated[
        list[Path] | None,
        typer.Argument(
            readable=False,
            metavar="RUN_OR_FILE...",
            help="One or more; the first is compared with. Of a paper: none or more, on any of its splits.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            readable=False,
            help="The file: .html for a page, .md or .tex for its tables, .csv for every sample; or a folder for "
            "all of it. Of a paper: .md, .tex, .json, or a folder.",
            show_default=False,
        ),
    ] = None,
    paper: PaperName = None,
    dataset: DatasetName = None,
    root: Root = None,
    questions: Questions = None,
    images: Images = None,
    option: Settings = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(help="A metric instead of the usual ones, once for each.", show_default="the usual ones"),
    ] = None,
    resamples: Resamples = 1000,
    permutations: Annotated[
        int, typer.Option(min=0, help="Exchanges for p; all are made where there are no more.")
    ] = 9_999,
    seed: Seed = 0,
    cards: Annotated[int, typer.Option(min=0, help="How many samples each gallery shows of each run.")] = 12,
    photo_side: Annotated[int, typer.Option(min=1, help="The longer side of photos in the page, at most.")] = 800,
    no_photos: Annotated[bool, typer.Option("--no-photos", help="Draw regions without the photos.")] = False,
    common: Common = False,
    by: By = None,
    cross: Cross = None,
    prior: PriorFile = None,
    people: Annotated[
        Path | None,
        typer.Option(readable=False, help="What people drew, as predictions: the ceiling.", show_default=False),
    ] = None,
    touched: TouchedFile = None,
    controls: Annotated[
        Path | None,
        typer.Option(readable=False, help="The folder of `foveate controls`: does it look?", show_default=False),
    ] = None,
    brief: Annotated[bool, typer.Option("--brief", help="Leave out the chapters on where and why runs fail.")] = False,
) -> None:
    """Write one page, which needs nothing beside it, that shows how runs did and where they fail.

    Example: foveate report runs/a runs/b --out report.html

    Example: foveate report --paper toloka runs/a --out tables.tex
    """
    from foveate.cli._stages import stages
    from foveate.errors import UsageError
    from foveate.evaluation.load import DataPlace
    from foveate.reports.report import report as write_report
    from foveate.reports.study import REPORT_METRICS

    if paper is not None:
        if metric:
            raise UsageError("--metric", "a paper's tables have their own metrics", "Leave out --metric, or --paper.")
        place = DataPlace(dataset, root, questions, images, settings=settings_of(option))
        report_paper(paper, sources or [], place, out, resamples, seed)
        return
    if out is None:
        raise UsageError("report", "no file to write is given", "Name it with --out, such as --out report.html.")
    with stages() as told:
        made = write_report(
            sources or [],
            out,
            dataset,
            root,
            questions=questions,
            images=images,
            settings=settings_of(option),
            metrics=tuple(metric or REPORT_METRICS),
            resamples=resamples,
            permutations=permutations,
            seed=seed,
            cards=cards,
            photo_side=photo_side,
            photos=not no_photos,
            depth=None if brief else _depth(by, cross, prior=prior, people=people, touched=touched, controls=controls),
            common=common,
            progress=told,
        )
    typer.echo(_told(made))


def _depth(by: list[str] | None, cross: tuple[str, str] | None, **files: Path | None) -> Depth:
    from foveate.reports.evaluation.chapters import Depth
    from foveate.reports.report import USUAL_DEPTH

    return Depth(by or USUAL_DEPTH.by, (cross,) if cross else USUAL_DEPTH.cross, **files)


def _told(made: Report) -> str:
    from foveate.evaluation.wording import counted
    from foveate.reports._text import size_text

    told = f"{made.out}: {size_text(made.size)}"
    if made.samples:
        told += f", {counted(made.samples, 'sample')} shown, {counted(made.photos, 'photo')}"
    if made.tables or made.figures:
        told += f"; {counted(made.tables, 'table')} and {counted(made.figures, 'figure')} beside it"
    if made.nowhere and not made.photos:
        told += "; put the photos below --root to see them"
    return told
