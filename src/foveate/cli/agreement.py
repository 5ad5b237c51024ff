"""`foveate agreement`: how far the people who drew the same tasks agree."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foveate.cli._idle import refuse_idle, refuse_state
from foveate.cli._output import Resamples, Seed, say
from foveate.cli._projects import sent_for
from foveate.cli._server import Data, Database
from foveate.cli._submissions import is_project, read_sent
from foveate.cli.plugin_lists import Json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foveate.annotation.submissions import Submission
    from foveate.quality.agreement import AgreementReport


class FrameName(StrEnum):
    """The frames of `foveate.quality.regions`, which is not imported for --help."""

    unit = "unit"
    pixels = "pixels"


def agreement(
    context: typer.Context,
    submissions: Annotated[
        Path,
        typer.Argument(
            metavar="FILE|PROJECT", readable=False, help="A file of submissions, or the short name of a project here."
        ),
    ],
    frame: Annotated[
        FrameName,
        typer.Option(help="How alpha compares photos: by shares of the sides, or by pixels."),
    ] = FrameName.unit,
    bins: Annotated[int, typer.Option(min=1, max=1000, help="Ranges of IoU, beside the five that are published.")] = 5,
    pairs: Annotated[
        int | None,
        typer.Option(
            min=2,
            help="Draw so many pairs for what chance gives.",
            show_default="all of boxes, 1,000,000 of masks",
        ),
    ] = None,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    worst: Annotated[int, typer.Option(min=1, help="How many of the tasks with least agreement are told.")] = 20,
    out: Annotated[
        Path | None,
        typer.Option(readable=False, help="A folder for the page, all pairs and JSON.", show_default=False),
    ] = None,
    root: Annotated[
        Path | None, typer.Option(readable=False, help="The folder of the photos, for the page.", show_default=False)
    ] = None,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Pass over lines that cannot be taken; they are counted.")
    ] = False,
    data: Data = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Say how far people agree: IoU of all pairs, Krippendorff's alpha, why two differ, who and where.

    All is compared each time, of a file or of a project. `foveate annotate agreement PROJECT` only reads what the
    server has counted as it came in: the mean IoU and the same steps, by which the queue of adjudication is sorted.

    Example: foveate agreement submissions.jsonl --out agreement --root PHOTOS
    """
    from foveate.annotation.judged import judgements_of
    from foveate.cli._output import print_json
    from foveate.quality.agreement import agreement as agreement_of
    from foveate.quality.alpha import Effort

    _check(out, root)
    if is_project(submissions):
        refuse_idle(context, "a project holds nothing invalid", "Leave it out.", "--skip-invalid")
        project, sent = sent_for(str(submissions), data, database)
        root = root or (Path(project.root) if out is not None and project.root else None)
    else:
        refuse_state(context, "a file is compared")
        sent = read_sent(submissions, skip_invalid)
    effort = Effort(pairs, resamples, seed)
    found = agreement_of(judgements_of(sent), frame=frame.value, bins=bins, effort=effort, worst=worst)
    if out is not None:
        typer.echo(_written(found, sent, out, root), err=as_json)
    if as_json:
        print_json(found.as_dict())
    else:
        print_agreement(found)


def print_agreement(found: AgreementReport) -> None:
    """Prints the agreement for a person."""
    from foveate.cli.plugin_lists import print_rows
    from foveate.evaluation.wording import digits, interval
    from foveate.reports.agreement import rows

    say(rows.overview(found))
    told = [[name, digits(value), interval(low, high)] for name, value, low, high in rows.measures(found)]
    print_rows(["measure", "value", "95 % interval"], told, right=["value", "95 % interval"])
    say(rows.told(found.alpha))
    say()
    heads = ["IoU", "pairs", "share %", "published about %"]
    print_rows(heads, rows.as_text(rows.ranges(found), 1), right=heads[1:])
    say()
    heads = ["relation", "pairs", "share %", "meaning"]
    print_rows(heads, rows.as_text(rows.relations(found), 1), right=heads[1:3])
    if found.steps:
        say()
        heads = ["step", "answers", "pairs", "agree %", "alpha", "low", "high"]
        print_rows(heads, rows.as_text(rows.steps(found)), right=heads[2:])
    say()
    heads = ["annotator", "judged", "drew", "pairs", "mean IoU"]
    print_rows(heads, rows.as_text(rows.people(found)), right=heads[1:])
    if found.worst:
        say()
        heads = ["task", "regions", "mean IoU", "least IoU", "relations"]
        print_rows(heads, rows.as_text(rows.worst(found)[:10]), right=heads[1:4])


def _check(out: Path | None, root: Path | None) -> None:
    from foveate.errors import UsageError

    if out is not None:
        from foveate.reports.sections.write import AGREEMENT, check_place

        check_place(out, kind=AGREEMENT)
    elif root is not None:
        raise UsageError("--root", "photos go into the page, and no page is asked for", "Add --out agreement.")


def _written(found: AgreementReport, sent: Sequence[Submission], out: Path, root: Path | None) -> str:
    from foveate.reports._text import size_text
    from foveate.reports.agreement.make import write_agreement

    made = write_agreement(found, sent, out, root=root)
    return f"{made.page}: {size_text(made.size)}"
