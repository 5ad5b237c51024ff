"""`foveate annotate check, gold`: flags of people's work, and questions whose answer is known."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from foveate.cli._idle import refuse_idle, refuse_state
from foveate.cli._output import Questions, Root
from foveate.cli._projects import Doer, Slug, ids_in, organiser_named, ready
from foveate.cli._server import Data, Database
from foveate.cli.plugin_lists import Json, print_rows


def check(
    context: typer.Context,
    submissions: Annotated[
        Path,
        typer.Argument(
            metavar="FILE|PROJECT", readable=False, help="A file of submissions, or the short name of a project here."
        ),
    ],
    looked: Annotated[bool, typer.Option("--all", help="Also flags that somebody has looked at.")] = False,
    as_json: Json = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Tell which people's work stands out, a batch at a time; of a project by its own limits, else by the usual ones.

    Example: foveate annotate check demo --json
    """
    from foveate.cli._output import print_json, say
    from foveate.cli._submissions import is_project

    slug = str(submissions)
    if not is_project(submissions):
        refuse_state(context, "a file is checked")
        refuse_idle(context, "what was looked at is known of a project here only", "Leave it out.", "--all")
    found = _of_project(slug, looked, data, database) if is_project(submissions) else _of_file(submissions)
    if as_json:
        print_json(found)
        return
    rows = [
        [
            one["annotator"],
            str(one["batch"]),
            one["rule"],
            f"{one['found']:g}",
            f"{one['limit']:g}",
            str(len(one["tasks"])),
        ]
        for one in found
    ]
    if rows:
        print_rows(
            ["annotator", "batch", "flag", "found", "limit", "to look at"], rows, right=["found", "limit", "to look at"]
        )
    else:
        say("Nothing stands out.")


def gold(
    context: typer.Context,
    slug: Slug,
    ids: Annotated[Path, typer.Option(readable=False, help="A file of ids, one a line.", show_default=False)],
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="NAME[:SPLIT]", help="Whose targets are the answers.", show_default=False),
    ] = None,
    root: Root = None,
    questions: Questions = None,
    ordinary: Annotated[bool, typer.Option("--ordinary", help="Make them ordinary tasks again.")] = False,
    by: Doer = None,
    data: Data = None,
    database: Database = None,
) -> None:
    """Make tasks gold questions: with a data set's targets as their answers, or with those that were decided already.

    Example: foveate annotate gold demo --ids gold.txt --from photos
    """
    from foveate.annotation.origin import Origin
    from foveate.errors import UsageError
    from foveate.evaluation.wording import counted

    if ordinary and from_:
        raise UsageError("--ordinary", "an ordinary task needs no answer", "Leave --from out.")
    if from_ is None:
        refuse_idle(
            context, "it is of the data set of --from, and none is named", "Leave it out.", "--root", "--questions"
        )
    ready(data, database)
    from foveate.app.annotate.projects import project_named
    from foveate.app.annotate.services.given import give_adjudications, tasks_of
    from foveate.app.annotate.services.gold import mark

    project, actor, wanted = project_named(slug), organiser_named(by), ids_in(ids)
    if from_:
        tasks = give_adjudications(project, wanted, actor, origin=Origin(from_, root, questions))
    else:
        tasks = tasks_of(project, wanted)
    for task in tasks:
        mark(task, not ordinary, actor=actor)
    typer.echo(f"{slug}: {counted(len(tasks), 'ordinary task' if ordinary else 'gold question')}")
    if not ordinary and not project.settings.get("gold_every"):
        typer.echo("None is lent yet: the project's settings say of how many tasks one is gold.")


def register(app: typer.Typer) -> None:
    """Adds the commands to `foveate annotate`."""
    app.command("check")(check)
    app.command("gold")(gold)


def _of_project(slug: str, looked: bool, data: Path | None, database: str | None) -> list[dict[str, Any]]:
    ready(data, database)
    from foveate.app.annotate.projects import project_named
    from foveate.app.review.services import flagged, measure

    project = project_named(slug)
    measure.bring_up(project, None)
    return flagged.as_rows(project, looked=looked)


def _of_file(path: Path) -> list[dict[str, Any]]:
    from foveate.annotation.checked import done_by_person
    from foveate.annotation.submissions import one_project, read_submissions
    from foveate.formats.tables import refuse
    from foveate.quality.checks import CheckSettings
    from foveate.quality.checks import check as flags_of

    found = read_submissions(path, refuse)
    one_project(found, str(path))
    return [
        {"annotator": person, "batch": batch.number, "whole": batch.whole}
        | {"rule": flag.rule, "found": flag.found, "limit": flag.limit, "tasks": [done[n].task for n in flag.which]}
        for person, done in sorted(done_by_person(found).items())
        for batch in flags_of(done, CheckSettings())
        for flag in batch.flags
    ]
