"""`foveate annotate admission`: who comes to work on a project, from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foveate.cli._idle import refuse_idle
from foveate.cli._output import Questions, Root
from foveate.cli._projects import Doer, Slug, ids_in, organiser_named, ready
from foveate.cli._server import Data, Database
from foveate.cli.plugin_lists import Json, print_rows

if TYPE_CHECKING:
    from foveate.app.admission.models import Admission
    from foveate.app.admission.services.making import GoldFrom

# So many rows that could not be taken are told one by one.
_SHOWN = 20
app = typer.Typer(no_args_is_help=True, help="Who may work on a project: requirements, gold questions, a trial.")


@app.command()
def new(
    context: typer.Context,
    slug: Slug,
    gold: Annotated[
        str,
        typer.Option(
            metavar="NAME[:SPLIT]|PROJECT|FILE",
            help="Where gold is from: a data set with targets, a project here that was adjudicated, or submissions.",
            show_default=False,
        ),
    ],
    root: Root = None,
    questions: Questions = None,
    ids: Annotated[
        Path | None, typer.Option(readable=False, help="A file of ids, one a line, in that order.", show_default="all")
    ] = None,
    trial: Annotated[int, typer.Option(min=0, max=500, help="Tasks of the trial; 0 for none.")] = 20,
    trial_from: Annotated[
        str, typer.Option(metavar="PROJECT", help="Whose tasks these are.", show_default="the project's own")
    ] = "",
    seed: Annotated[int, typer.Option(min=0, help="Of the choice of these.")] = 0,
    least_tasks: Annotated[int, typer.Option(min=0, help="Earlier tasks, at least; 0: it does not matter.")] = 500,
    least_share: Annotated[
        float, typer.Option(min=-1, max=0.99, help="More than this share was accepted; below 0: it does not matter.")
    ] = 0.95,
    region: Annotated[
        list[str] | None,
        typer.Option(help="Where people must be; several times for several.", show_default="anywhere"),
    ] = None,
    imported_only: Annotated[
        bool, typer.Option("--imported-only", help="What people say of themselves does not count.")
    ] = False,
    threshold: Annotated[float, typer.Option(min=0, max=0.99, help="A region is accepted above this IoU.")] = 0.7,
    attempts: Annotated[int, typer.Option(min=1, max=50, help="At each gold question.")] = 3,
    failed: Annotated[int, typer.Option(min=0, max=1000, help="Attempts that may fail in all.")] = 6,
    wait: Annotated[float, typer.Option(min=0, max=1440, help="Minutes after a failed attempt.")] = 1.0,
    by: Doer = None,
    data: Data = None,
    database: Database = None,
) -> None:
    """Make the admission to a project: a qualification and a trial beside it; targets become gold here, nowhere else.

    Example: foveate annotate admission new demo --gold vizwiz_grounding:val --root VIZWIZ --ids ten.txt
    """
    from foveate.errors import UsageError
    from foveate.evaluation.wording import counted
    from foveate.quality.qualification import AdmissionSettings
    from foveate.quality.requirements import Requirements

    if any(not one.strip() for one in region or ()):
        raise UsageError("--region", "one is blank", "Name it, or leave --region out.")
    _refuse_idle(context, trial=trial, requires=bool(least_tasks or least_share >= 0 or region))
    ready(data, database)
    from foveate.app.admission.services.making import NewAdmission, make
    from foveate.app.annotate.projects import project_named

    asked = Requirements(
        least_tasks=least_tasks or None,
        least_share=None if least_share < 0 else least_share,
        regions=tuple(region or ()),
        by_declaration=not imported_only,
    )
    settings = AdmissionSettings(
        requirements=asked, threshold=threshold, attempts=attempts, failed_in_all=failed, wait_minutes=wait
    )
    origin = _gold(gold, root, questions, ids_in(ids) if ids else ())
    if origin.project:
        refuse_idle(context, "gold is of a project here", "Leave it out.", "--root", "--questions")
    if origin.file:
        refuse_idle(context, "submissions bring their questions", "Leave it out.", "--questions")
    plan = NewAdmission(origin, trial, trial_from, settings, seed=seed)
    made = make(project_named(slug), plan, organiser_named(by))
    told = counted(made.qualification.tasks.count(), "gold question")
    typer.echo(f"{slug}: an admission with {told}" + (f", a trial of {counted(trial, 'task')}" if made.trial else ""))
    typer.echo(f"People can apply after: foveate annotate admission open {slug}")


def _refuse_idle(context: typer.Context, *, trial: int, requires: bool) -> None:
    """Refuses options of `new` that would do nothing for what is asked."""
    if not trial:
        refuse_idle(context, "there is no trial", "Leave it out, or --trial 0.", "--trial-from", "--seed")
    if not requires:
        refuse_idle(context, "nothing is required of people", "Leave it out.", "--imported-only")


@app.command("open")
def open_(slug: Slug, by: Doer = None, data: Data = None, database: Database = None) -> None:
    """Let people apply."""
    _set_open(slug, True, by, data, database)


@app.command()
def close(slug: Slug, by: Doer = None, data: Data = None, database: Database = None) -> None:
    """Let nobody apply any more; those who have go on."""
    _set_open(slug, False, by, data, database)


@app.command("import")
def import_(
    slug: Slug,
    table: Annotated[Path, typer.Argument(readable=False, help="CSV: person, tasks, accepted, region, source.")],
    by: Doer = None,
    data: Data = None,
    database: Database = None,
) -> None:
    """Take in what is known of people's earlier work; it counts before what they say of themselves."""
    from foveate.cli._output import remark
    from foveate.evaluation.wording import counted

    admission = _admission(slug, data, database)
    from foveate.app.admission.services.people import import_records

    done, rejected = import_records(admission, table, actor=organiser_named(by) if by else None)
    for fault in rejected[:_SHOWN]:
        remark(fault)
    if len(rejected) > _SHOWN:
        remark(f"… and {len(rejected) - _SHOWN:,} more")
    typer.echo(f"{slug}: {counted(done, 'row')} taken in, {counted(len(rejected), 'row')} could not be taken")


@app.command("list")
def list_(slug: Slug, as_json: Json = False, data: Data = None, database: Database = None) -> None:
    """List the candidates and how far they are."""
    from foveate.cli._output import print_json

    admission = _admission(slug, data, database)
    found = [
        {
            "name": one.person.username,
            "pseudonym": str(one.person.pseudonym),
            "state": one.state,
            "attempts": one.attempts.count(),
            "applied_at": one.applied_at.isoformat(timespec="seconds") if one.applied_at else None,
        }
        for one in admission.candidates.select_related("person").order_by("pk")
    ]
    if as_json:
        print_json(found)
        return
    names = ["name", "state", "attempts", "applied_at"]
    print_rows(names, [[str(row[name] or "–") for name in names] for row in found], right=["attempts"])


@app.command()
def report(slug: Slug, as_json: Json = False, data: Data = None, database: Database = None) -> None:
    """Tell what came of it: how many got how far, and which gold questions are hard."""
    from foveate.cli._output import print_json

    admission = _admission(slug, data, database)
    from foveate.app.admission.services.reports import as_json as told

    found = told(admission)
    if as_json:
        print_json(found)
        return
    _print_report(found)


def _print_report(found: dict[str, Any]) -> None:
    from foveate.cli._output import say
    from foveate.evaluation.wording import counted

    paper = found["first_paper"]
    rows = [[name.replace("_", " "), f"{n:,}", str(paper.get(name, ""))] for name, n in found["funnel"].items()]
    print_rows(["people who", "here", "first paper"], rows, right=["here", "first paper"])
    rows = []
    for one in found["questions"]:
        share = "–" if one["share"] is None else f"{100 * one['share']:.0f} %"
        rows.append([one["question"], share, f"{one['people']:,}", f"{one['attempts']:,}", f"{one['passed']:,}"])
    names = ["first failed", "people", "attempts", "passed"]
    print_rows(["gold question", *names], rows, right=names)
    if found["median_seconds"] is not None:
        say(f"{counted(found['attempts'], 'attempt')}, median {found['median_seconds']:.0f} s")
    if found["trial"]["mean_iou"] is not None:
        say(f"trial: mean IoU {found['trial']['mean_iou']:.4f} of {counted(found['trial']['pairs'], 'pair')}")


def _gold(name: str, root: Path | None, questions: Path | None, ids: tuple[str, ...]) -> GoldFrom:
    """Returns where gold comes from: a project of that name goes first, then a file of submissions, then a data set."""
    from foveate.annotation.origin import Origin
    from foveate.annotation.submissions import is_submissions
    from foveate.app.admission.services.making import GoldFrom
    from foveate.app.annotate.models import Project
    from foveate.sources.places import is_file

    if Project.objects.filter(slug=name).exists():
        return GoldFrom(project=name, ids=ids)
    if root is not None and is_file(Path(name)) and is_submissions(Path(name)):
        return GoldFrom(Origin("folder", root), Path(name), ids=ids)
    return GoldFrom(Origin(name, root, questions), ids=ids)


def _admission(slug: str, data: Path | None, database: str | None) -> Admission:
    """Returns the admission to a project.

    Raises:
        UsageError: There is no such project, or it has none.
    """
    from foveate.errors import UsageError

    ready(data, database)
    from foveate.app.admission.models import Admission
    from foveate.app.annotate.projects import project_named

    rows = Admission.objects.select_related("project", "qualification", "trial")
    found = rows.filter(project=project_named(slug)).first()
    if found is None:
        remedy = f"Make one: foveate annotate admission new {slug} --gold …"
        raise UsageError(f"project {slug}", "it has no admission", remedy)
    return found


def _set_open(slug: str, on: bool, by: str | None, data: Path | None, database: str | None) -> None:
    admission = _admission(slug, data, database)
    from foveate.app.admission.services.making import set_open

    set_open(admission, on, actor=organiser_named(by) if by else None)
    typer.echo(f"{slug}: {'people can apply' if on else 'nobody can apply any more'}")
